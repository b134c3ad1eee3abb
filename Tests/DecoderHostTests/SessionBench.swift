@testable import DecoderHost
import Foundation
import Glibc
import MediaPorts
import PodcastModel
import Synchronization
import SystemCalls
import Testing
import TestSupport

/// A byte source whose bytes arrive when the test says so.
final class ScriptedSource: ByteSource {
    private struct State {
        var snapshot: ByteSourceSnapshot
        var handler: (@Sendable (ByteSourceSnapshot) -> Void)?
        var wanted: [Int64] = []
    }

    private let file: FileDescriptor
    /// What decoders keep.
    private let index: FileDescriptor
    private let state: Mutex<State>
    private let asked = Semaphore()

    /// A file of which nothing, or everything, is available.
    init(_ bytes: [UInt8], isComplete: Bool = true) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("source-\(UUID().uuidString)").path
        let writing = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_EXCL)
        _ = bytes.withUnsafeBytes { write(writing.raw, $0.baseAddress, $0.count) }
        file = try FileDescriptor.open(path, O_RDONLY)
        unlink(path)
        index = try FileDescriptor.open(path + ".frames", O_RDWR | O_CREAT | O_EXCL)
        unlink(path + ".frames")
        let length = Int64(bytes.count)
        state = Mutex(
            State(
                snapshot: ByteSourceSnapshot(
                    length: length, available: isComplete && length > 0 ? [0..<length] : [],
                    phase: isComplete ? .complete : .receiving)))
    }

    var descriptor: Int32 { file.raw }
    var indexDescriptor: Int32 { index.raw }
    var snapshot: ByteSourceSnapshot { state.withLock { $0.snapshot } }
    /// Every offset that was asked for.
    var wanted: [Int64] { state.withLock { $0.wanted } }

    func want(from offset: Int64) {
        state.withLock { $0.wanted.append(offset) }
        asked.post()
    }

    /// Waits until something is asked for.
    func waitUntilAsked() { asked.wait() }

    func observe(_ handler: @escaping @Sendable (ByteSourceSnapshot) -> Void) {
        state.withLock { $0.handler = handler }
    }
    func suspend() {}
    func close() {}

    /// Makes bytes come, or something else happen.
    func change(_ body: (inout ByteSourceSnapshot) -> Void) {
        let (handler, snapshot) = state.withLock { state in
            body(&state.snapshot)
            return (state.handler, state.snapshot)
        }
        handler?(snapshot)
    }
}

/// The events of a session, in order.
final class EventLog: Sendable {
    private let events = Mutex<[DecoderEvent]>([])
    private let told = Semaphore()

    func append(_ event: DecoderEvent) {
        events.withLock { $0.append(event) }
        told.post()
    }

    /// All events until now.
    var all: [DecoderEvent] { events.withLock { $0 } }

    /// Waits until one comes for which `find` gives something, from the beginning.
    func wait<Found>(for find: (DecoderEvent) -> Found?) -> Found {
        while true {
            if let found = all.lazy.compactMap(find).first { return found }
            told.wait()
        }
    }

    /// Waits for the failure that ends a session.
    func waitForFailure() -> MediaFailure {
        wait { if case .failed(let failure) = $0 { failure } else { nil } }
    }
}

/// A session with its events and its frames.
struct SessionBench {
    let log = EventLog()
    let session: DecoderProcessSession
    var pcm: any PCMSource { session.pcm }

    /// The folder of the tests' own executable holds the program under test.
    static func decoder() throws -> String { try program("podcast-decode") }

    static func program(_ name: String) throws -> String {
        let own = try ownExecutablePath()
        return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(name).path
    }

    static func fixture() throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent("six-seconds.mp3")))
    }

    /// As long, without an Info frame that tells how long.
    static func fixtureWithoutInfo() throws -> [UInt8] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.appendingPathComponent("MPEGDecodingTests/Fixtures/stereo-cbr-without-info.mp3")
        return [UInt8](try Data(contentsOf: file))
    }

    init(
        _ source: ScriptedSource, executable: String? = nil, at time: MediaTime = .zero,
        hangLimit: Duration = .seconds(20),
        ringCapacity: Int? = nil
    ) throws {
        let log = log
        let started = try DecoderLauncher(
            executable: try executable ?? Self.decoder(), hangLimit: hangLimit, ringCapacity: ringCapacity
        ).start(source, at: time, generation: 1, .neutral) { log.append($0) }
        session = try #require(started as? DecoderProcessSession)
    }

    /// A run of frames without a gap.
    struct Run: Equatable {
        var start: Int64
        var end: Int64
        var format: PCMFormat
    }

    /// Reads like a sink: until the end, or until `isOver`; waits for frames as long as it takes.
    func read(until isOver: (Run) -> Bool = { _ in false }) throws -> [Run] {
        var runs: [Run] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            guard let chunk = pcm.nextChunk() else {
                if case .failed? = log.all.last { return runs }
                if pcm.prepareToWait() {
                    var entries = [PollEntry(pcm.readinessDescriptor)]
                    try waitForAny(&entries, until: .now + .milliseconds(100))
                }
                continue
            }
            if chunk.kind == .end { return runs }
            let count = buffer.withUnsafeMutableBytes { pcm.read(into: $0) }
            let end = chunk.mediaStart + Int64(count / chunk.format.frameSize)
            if let last = runs.last, last.end == chunk.mediaStart, last.format == chunk.format {
                runs[runs.count - 1].end = end
            } else {
                runs.append(Run(start: chunk.mediaStart, end: end, format: chunk.format))
            }
            if let last = runs.last, isOver(last) { return runs }
        }
    }

    /// Ends the session and waits until it is gone.
    func stop() {
        session.stop()
        session.waitUntilGone()
    }
}

/// A copy of a program with a unique name, so that its processes can be distinguished from those of other tests.
struct NamedProgram: ~Copyable {
    let path: String

    init(copying original: String) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("decode-\(UUID().uuidString)").path
        try ExecutableFile.copy(original, to: path)
    }

    /// A shell script that replaces the decoder.
    init(script: String) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("decode-\(UUID().uuidString)").path
        try ExecutableFile.write(script: script, to: path)
    }

    deinit { unlink(path) }

    /// The processes that run it now.
    var processes: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { process in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")) == path
        }
    }
}
