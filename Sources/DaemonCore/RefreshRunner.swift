internal import ChildProcess
internal import Configuration
internal import ControlProtocol
internal import Glibc
internal import JSON
internal import SystemCalls

/// Starts podcast-refresh, the one program that reads feeds, and waits for its answer.
///
/// The child reports activities and changes over the control socket like any client; only its result comes back here.
/// Runs wait on a thread of their own, one after another: the library has one refresher at a time anyway.
final class RefreshRunner: Sendable {
    /// How a run ended.
    struct Outcome: Sendable {
        /// What it printed on standard output, parsed; null when it printed nothing.
        var document: JSONValue
        /// Its last words on standard error, one line.
        var complaint: String
        /// Its exit status; nil when a signal ended it.
        var status: Int32?
    }

    private static let longestOutput = 16 << 20
    private let executable: String
    private let places: Places
    private let settings: SettingsService
    private let worker = WorkerThread(name: "refresh")

    /// A runner of the program that lies beside this one.
    init(executable: String, places: Places, settings: SettingsService) {
        self.executable = executable
        self.places = places
        self.settings = settings
    }

    /// How many feeds are fetched at once, as the settings have it.
    var jobs: Int { settings.current.integer("refresh.jobs") }

    /// Runs it with arguments and, if given, a document on standard input.
    ///
    /// - Throws: `ControlError` when it cannot be run at all, or printed what is no JSON.
    func run(_ arguments: [String], document: String? = nil) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            worker.submit { [self] in
                continuation.resume(with: Result { try runBlocking(arguments, document: document) })
            }
        }
    }

    /// Runs it and gives its output as text.
    func runForText(_ arguments: [String]) async throws -> (text: String, complaint: String, status: Int32?) {
        let collected: CollectedOutput = try await withCheckedThrowingContinuation { continuation in
            worker.submit { [self] in
                continuation.resume(with: Result { try collect(arguments, document: nil) })
            }
        }
        return (
            String(decoding: collected.output, as: UTF8.self), Self.complaint(collected), collected.status.code
        )
    }

    private func runBlocking(_ arguments: [String], document: String?) throws -> Outcome {
        let collected = try collect(arguments + ["--json"], document: document)
        let complaint = Self.complaint(collected)
        guard !collected.output.isEmpty else {
            return Outcome(document: .null, complaint: complaint, status: collected.status.code)
        }
        do throws(JSONError) {
            let parsed: Result<JSONValue, JSONError> = collected.output.withUnsafeBytes { bytes in
                Result { () throws(JSONError) in try JSONValue(parsing: bytes) }
            }
            return Outcome(document: try parsed.get(), complaint: complaint, status: collected.status.code)
        } catch {
            throw ControlError(.internalError, "podcast-refresh answered what is no JSON: \(complaint)")
        }
    }

    private func collect(_ arguments: [String], document: String?) throws -> CollectedOutput {
        let folder = ["--data-dir", places.data]
        var launch = Launch(
            executable, arguments + folder,
            environment: Launch.inherited(["HOME", "LANG", "PATH", "TMPDIR", "http_proxy", "https_proxy", "no_proxy"])
                + ["PODCASTD_SOCKET=\(places.socket)"])
        // The settings' word wins over the environment's.
        if let proxy = settings.current.text("network.proxy") {
            launch.environment.removeAll { $0.hasPrefix("http_proxy=") || $0.hasPrefix("https_proxy=") }
            launch.environment += ["http_proxy=\(proxy)", "https_proxy=\(proxy)"]
        }
        launch.ownGroup = true
        let input = try document.map { try Self.unlinkedFile($0, in: places.data) }
        if let input { launch.descriptors.append(DescriptorMapping(input.descriptor.raw, to: STDIN_FILENO)) }
        do throws(SystemError) {
            return try CollectedOutput.of(launch, limit: Self.longestOutput)
        } catch {
            throw ControlError(
                .unavailable, "podcast-refresh cannot be run: \(error)", hint: "is it installed beside podcastd?")
        }
    }

    /// A document as something to read from the start, gone with its last descriptor.
    private static func unlinkedFile(_ text: String, in folder: String) throws -> InputFile {
        let path = "\(folder)/.import-\(getpid())"
        let descriptor = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW)
        unlink(path)
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let number = descriptor.raw
            let count = bytes.count - written
            written += try retrying("write the document to import") {
                bytes.withUnsafeBytes { pwrite(number, $0.baseAddress! + written, count, off_t(written)) }
            }
        }
        return InputFile(descriptor)
    }

    private static func complaint(_ collected: CollectedOutput) -> String {
        let lines = String(decoding: collected.errors, as: UTF8.self).split(separator: "\n")
        return String(
            (lines.last ?? "").unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(500).map(
                Character.init))
    }

    /// Waits for a run in progress and ends the thread.
    func close() { worker.finish() }
}

/// Keeps a descriptor open while a run reads it.
private final class InputFile {
    let descriptor: FileDescriptor
    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}

extension TerminationStatus {
    /// The number with which a process ended by itself.
    fileprivate var code: Int32? {
        switch self {
        case .exited(let code): code
        case .signaled: nil
        }
    }
}
