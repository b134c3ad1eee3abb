import Foundation
import Glibc
import MachineSupport
import PodcastModel
import Synchronization
import SystemCalls

@testable import LineServing

/// What a test sets for the service and the calls of its server.
final class EchoScript: Sendable {
    let peersAreOwners = Atomic(false)
    /// Nanoseconds without a line after which a connection is closed; 0 for no limit.
    let timeout = Atomic<Int64>(0)
    /// The error of all calls of accept from now on; 0 for none.
    let acceptError = Atomic<Int32>(0)
    /// The error of the next wait; 0 for none.
    let waitError = Atomic<Int32>(0)
    let acceptAttempts = Atomic(0)
    let reports = Mutex<[String]>([])
    let failures = Mutex<[SystemError]>([])
    let hasFailed = Semaphore()
}

/// A protocol like MPD's: a greeting, `OK` or `ACK` after each answer, lists of commands, and `idle`.
final class EchoService: LineService {
    private let script: EchoScript
    private var sessions: [UInt64: EchoSession] = [:]

    init(_ script: EchoScript) { self.script = script }

    func isOwner(_ peer: LinePeer) -> Bool { script.peersAreOwners.load(ordering: .sequentiallyConsistent) }

    func session(on connection: LineConnection) throws(LineRefusal) -> any LineSession {
        let session = EchoSession(on: connection, timeout: script.timeout.load(ordering: .sequentiallyConsistent))
        session.ended = { [unowned self] in sessions[connection.id] = nil }
        sessions[connection.id] = session
        return session
    }

    func line(reporting problem: LineProblem) -> [UInt8] {
        let text =
            switch problem {
            case .tooManyConnections: "too many connections"
            case .tooManyConnectionsOfAccount(let account, let limit): "\(account) has \(limit) connections already"
            case .noDescriptors: "no file descriptors are left"
            case .lineTooLong(let limit): "a line is longer than \(limit) bytes"
            case .tooMuchMemory(let account, _): "\(account) uses too much memory"
            }
        return Array("ACK \(text)\n".utf8)
    }

    func wake() -> Instant? {
        for session in sessions.values { session.somethingChanged() }
        return nil
    }
}

private final class EchoSession: LineSession {
    private enum State {
        case ready
        case list([String])
        case idle
    }

    private let connection: LineConnection
    private let timeout: Int64
    private var state = State.ready
    var ended: () -> Void = {}

    init(on connection: LineConnection, timeout: Int64) {
        self.connection = connection
        self.timeout = timeout
        write("OK ECHO 1.0\n")
        moveDeadline()
    }

    var canTakeMore: Bool { if case .idle = state { false } else { true } }
    var isAnswering: Bool { !canTakeMore }
    var heldBytes: Int { 0 }

    func received(_ line: UnsafeRawBufferPointer) {
        moveDeadline()
        let line = String(decoding: line, as: UTF8.self)
        switch (state, line) {
        case (.ready, "command_list_begin"): state = .list([])
        case (.ready, "idle"): state = .idle
        case (.ready, "close"): connection.close()
        case (.list(let commands), "command_list_end"):
            state = .ready
            write(commands.map { $0 + "\n" }.joined() + "OK\n")
        case (.list(let commands), _): state = .list(commands + [line])
        case (_, _): write("\(line)\nOK\n")
        }
    }

    func somethingChanged() {
        guard case .idle = state else { return }
        state = .ready
        write("changed: player\nOK\n")
    }

    func deadlinePassed() {
        write("ACK timeout\n")
        connection.close()
    }

    func closed() { ended() }

    private func write(_ text: String) { connection.write { $0 += text.utf8 } }

    private func moveDeadline() { if timeout > 0 { connection.deadline = .now + .nanoseconds(timeout) } }
}

/// A server of the echo protocol on a socket in a temporary folder.
final class EchoServer {
    let script = EchoScript()
    let server: LineServer
    private let folder = FileManager.default.temporaryDirectory.appending(path: "echo-\(UUID().uuidString.prefix(8))")

    init(_ limits: LineServer.Limits = LineServer.Limits(), timeout: Int64 = 0) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script = script
        script.timeout.store(timeout, ordering: .sequentiallyConsistent)
        var limits = limits
        limits.calls.accept = { listener throws(SystemError) in
            script.acceptAttempts.add(1, ordering: .sequentiallyConsistent)
            let code = script.acceptError.load(ordering: .sequentiallyConsistent)
            if code != 0 { throw SystemError(code: code, call: "accept") }
            return try LocalSocket.accept(listener)
        }
        limits.calls.willWait = { () throws(SystemError) in
            let code = script.waitError.load(ordering: .sequentiallyConsistent)
            if code != 0 { throw SystemError(code: code, call: "epoll_wait") }
        }
        server = try LineServer(
            threadName: .test, limits: limits,
            report: { message in script.reports.withLock { $0.append(message) } },
            failed: { error in
                script.failures.withLock { $0.append(error) }
                script.hasFailed.post()
            })
        try server.start(EchoService(script), on: [try LineListener(path: folder.appending(path: "socket").path)])
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A connection whose greeting is read.
    func connect() throws -> EchoClient {
        let client = try connectUnread()
        if try client.line() != "OK ECHO 1.0" { throw SystemError(code: EPROTO, call: "greeting") }
        return client
    }

    /// A connection of which nothing is read.
    func connectUnread() throws -> EchoClient { try EchoClient(folder.appending(path: "socket").path, of: self) }
}

/// A client that reads lines. It keeps its server.
final class EchoClient {
    private let server: EchoServer
    private let socket: FileDescriptor
    private var input: [UInt8] = []

    init(_ path: String, of server: EchoServer) throws {
        self.server = server
        socket = try LocalSocket.connect(to: path)
        LocalSocket.setTimeouts(socket.raw, .seconds(60))
    }

    func send(_ text: String) throws {
        let raw = socket.raw
        try Array(text.utf8).withUnsafeBytes { _ = try LocalSocket.send(raw, $0) }
    }

    func endSending() { LocalSocket.endSending(socket.raw) }

    /// The next line; nil once the server has closed the connection.
    func line() throws -> String? {
        while true {
            if let end = input.firstIndex(of: 0x0A) {
                defer { input.removeSubrange(...end) }
                return String(decoding: input[..<end], as: UTF8.self)
            }
            let raw = socket.raw
            var buffer = [UInt8](repeating: 0, count: 65_536)
            switch try buffer.withUnsafeMutableBytes({ try LocalSocket.receive(raw, into: $0) }) {
            case .bytes(let count): input += buffer[..<count]
            case .ended: return nil
            case .wouldWait: throw SystemError(code: ETIMEDOUT, call: "recv")
            }
        }
    }

    /// Sends a command and reads its answer up to `OK`.
    func ask(_ command: String) throws -> [String] {
        try send(command + "\n")
        return try answer()
    }

    func answer() throws -> [String] {
        var lines: [String] = []
        while let line = try line() {
            if line == "OK" { return lines }
            lines.append(line)
            if line.hasPrefix("ACK") { return lines }
        }
        return lines
    }
}
