internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import PodcastModel
internal import SessionBus
internal import SystemCalls

/// Keeps the state of the player's object current, and carries out method calls. One thread.
final class MPRISService {
    static let object = "/org/mpris/MediaPlayer2"
    private static let properties = "org.freedesktop.DBus.Properties"

    private let follower: PlayerFollower
    private let cover: CoverFile
    private var reporter = MPRISReporter()
    /// Calls that are answered once their signals were sent.
    private var finished: [(call: BusCall, fault: BusFault?)] = []

    init(connection: ControlConnection, cover: CoverFile) {
        self.cover = cover
        follower = PlayerFollower(connection) { picture, id in
            Base64.bytes(of: picture.data).flatMap { cover.write($0, of: id) }
        }
    }

    var connection: ControlConnection { follower.connection }
    private var state: MPRISState { follower.state }

    /// Whether calls must be answered.
    var hasWork: Bool { !finished.isEmpty && !state.isLookingUp }

    /// Whether the daemon's state is known, or no daemon runs.
    var isSettled: Bool { follower.isSettled }

    /// Handles what the daemon sent. Returns signals that report the changes to other programs.
    func process() -> [MPRISSignal] {
        follower.process()
        if state.permission == nil { close() }
        return reporter.signals(for: state, at: .now)
    }

    func close() { cover.remove() }

    // MARK: calls

    /// Answers a call, at once or when the daemon has carried it out.
    func answer(_ call: BusCall) {
        switch state.action(for: call.interface, call.member, call.arguments, at: .now) {
        case .reply(let values):
            guard call.interface == Self.properties, state.permission != nil else { return Self.reply(call, values) }
            // Events come at most ten times a second, but who has just changed something reads the new value.
            follower.readStatus { [self] in
                if case .reply(let values) = state.action(for: call.interface, call.member, call.arguments, at: .now) {
                    Self.reply(call, values)
                }
            }
        case .fail(let fault): finished.append((call, fault))
        case .command(let method, let params):
            connection.retry()
            connection.send(method: method, params: params) { [self] in finish(call, $0.map { _ in }) }
        case .openURL(let url): play(url, call)
        case .openFile(let path): play(file: path, call)
        }
    }

    private func play(_ what: String, _ call: BusCall) {
        connection.send(Play { $0.what = what }) { [self] in finish(call, $0.map { _ in }) }
    }

    /// Opens the file here, so that the user's rights count.
    private func play(file path: String, _ call: BusCall) {
        do throws(SystemError) {
            // Opening a named pipe would block.
            guard try FileStatus(path: path).isRegular else {
                return finished.append((call, .failed("\(SafeText.line(path)): not a regular file")))
            }
            let file = OpenFile(try FileDescriptor.openForReading(path))
            let absolute = try CurrentProcess.realPath(path)
            connection.send(HandOverFile { $0.path = absolute }, file: file) { [self] result in
                switch result {
                case .success(let episode): play(episode.episode.id.label, call)
                case .failure(let failure): finish(call, .failure(failure))
                }
            }
        } catch {
            finished.append((call, .failed(SafeText.line(error.description))))
        }
    }

    /// Reads the status before the answer, so that a caller who then reads a property sees what it did.
    private func finish(_ call: BusCall, _ result: Result<Void, ClientFailure>) {
        if case .failure(let failure) = result { return finished.append((call, BusFault(failure))) }
        follower.readStatus { [self] in finished.append((call, nil)) }
    }

    /// Answers finished calls, after the signals about the changes that the calls made.
    func answerFinished() {
        guard hasWork else { return }
        for (call, fault) in exchange(&finished, with: []) {
            if let fault {
                // That the bus has ended the connection is reported by `SessionBus.process`.
                try? call.fail(fault)
            } else {
                Self.reply(call, [])
            }
        }
    }

    private static func reply(_ call: BusCall, _ values: [BusValue]) { try? call.reply(values) }
}

extension BusFault {
    init(_ failure: ClientFailure) {
        let message = SafeText.line(failure.text)
        switch failure {
        case .refused(let error):
            switch error.code {
            case .notPermitted: self = .accessDenied(message)
            case .invalidArgument, .invalidParameters: self = .invalidArguments(message)
            case _: self = .failed(message)
            }
        case .forbidden: self = .accessDenied(message)
        case .notRunning, .closed, .timedOut, .protocolFault, .system: self = .failed(message)
        }
    }
}

/// The current episode's cover as a file: programs that show covers expect a URL, and must not ask a publisher's server.
final class CoverFile {
    private let folder: String?
    private let process: Int32
    private var path: String?

    /// - Parameter process: makes the name of the file unique.
    init(variable: (String) -> String?, process: Int32) {
        let own = variable("RUNTIME_DIRECTORY").flatMap { $0.split(separator: ":").first.map(String.init) }
        folder = own ?? variable("XDG_RUNTIME_DIR").map { $0 + "/podcast-mpris" }
        self.process = process
    }

    /// Replaces the last cover. Returns the URL of the file; nil if the file cannot be written.
    func write(_ bytes: [UInt8], of episode: EpisodeID) -> String? {
        guard let folder, folder.hasPrefix("/") else { return nil }
        // Programs keep pictures by their URL, so each episode has another one.
        let next = "\(folder)/cover-\(process)-\(episode).jpg"
        do throws(SystemError) {
            try StoredFile.makeFolder(folder)
            try StoredFile.replace(next, with: bytes, isDurable: false)
        } catch {
            return nil
        }
        if path != next { remove() }
        path = next
        return FileAddress.url(of: next)
    }

    func remove() { if let path = path.take() { try? StoredFile.remove(path) } }
}
