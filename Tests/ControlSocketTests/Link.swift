import ControlClient
import ControlLanguage
import Foundation
import Glibc
import JSON
import LineServing
import MachineSupport
import Synchronization
import SystemCalls

/// How deep a scenario goes: the session alone, or through the real socket and the server's thread.
enum Depth: CaseIterable, Sendable {
    case inProcess, socket
}

/// One client in a scenario, at either depth: text lines in, text lines out.
protocol Link {
    func send(_ text: String) throws
    /// The next line; waits for it.
    func line() throws -> String
    var playback: StubPlayback { get }
    var stub: StubStatus { get }
}

extension Link {
    func json() throws -> JSONValue { try JSONValue(parsing: try line()) }

    /// Sends a request and reads one line.
    func ask(_ method: String, _ params: JSONValue? = nil, id: JSONValue = .integer(1)) throws -> JSONValue {
        var bytes: [UInt8] = []
        Request(id: id, method: method, params: params).write(to: &bytes)
        try send(String(decoding: bytes, as: UTF8.self))
        return try json()
    }
}

func makeLink(_ depth: Depth, permission: CommandDeclaration.Permission = .admin) throws -> any Link {
    switch depth {
    case .inProcess: SessionLink(permission: permission)
    case .socket: try SocketLink(try TestServer(permission: permission))
    }
}

/// The session without a socket; what is answered later comes back when a line is waited for.
final class SessionLink: Link, ControlSession.Host {
    let playback = StubPlayback()
    let stub = StubStatus()
    let dispatcher: CommandDispatcher
    private lazy var session = ControlSession(
        caller: Caller(
            connection: ConnectionID(1), peer: PeerIdentity(process: 1, user: 1, group: 1), permission: permission),
        on: self)
    private let permission: CommandDeclaration.Permission
    private let finished = Finished()
    private var input: [UInt8] = []
    private var output: [UInt8] = []

    private final class Finished: Sendable {
        let results = Mutex<[(ControlSession.CallNumber, CommandResult)]>([])
        let semaphore = Semaphore()
    }

    init(permission: CommandDeclaration.Permission) {
        self.permission = permission
        dispatcher = CommandDispatcher(
            playback.answers + StubStatusHandler().answers, version: "1.2.3", policy: StubPolicy(),
            connectionEnded: playback.connectionEnded)
    }

    var status: any StatusSource { stub }

    var deliver: @Sendable (ConnectionID, ControlSession.CallNumber, CommandResult) -> Void {
        { [finished] _, call, result in
            finished.results.withLock { $0.append((call, result)) }
            finished.semaphore.post()
        }
    }

    func willWatch(_ parts: StatusParts) -> UInt64 { 0 }

    func send(_ text: String) {
        input += text.utf8
        takeLines()
    }

    private func takeLines() {
        while !session.isWaiting, let end = input.firstIndex(of: 0x0A) {
            let line = Array(input[..<end])
            input.removeSubrange(...end)
            line.withUnsafeBytes { session.take(line: $0, output: &output) }
        }
    }

    func line() -> String {
        while true {
            if let end = output.firstIndex(of: 0x0A) {
                defer { output.removeSubrange(...end) }
                return String(decoding: output[..<end], as: UTF8.self)
            }
            finished.semaphore.wait()
            let (call, result) = finished.results.withLock { $0.removeFirst() }
            session.finish(call, result, output: &output)
            takeLines()
        }
    }
}

/// A plain socket, without the client's help.
final class SocketLink: Link {
    let server: TestServer
    private let socket: FileDescriptor
    private var input: [UInt8] = []
    /// Bytes of `input` without a line break.
    private var searched = 0
    let hello: String

    var playback: StubPlayback { server.playback }
    var stub: StubStatus { server.status }

    init(_ server: TestServer) throws {
        self.server = server
        socket = try LocalSocket.connect(to: server.path)
        LocalSocket.setTimeouts(socket.raw, .seconds(60))
        hello = ""
        _ = try line()
    }

    /// A connection whose first line is left to read.
    init(unread server: TestServer, sendBuffer: Int32? = nil) throws {
        self.server = server
        socket = try LocalSocket.connect(to: server.path)
        LocalSocket.setTimeouts(socket.raw, .seconds(60))
        hello = ""
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let outcome = try rest.withUnsafeBytes { try LocalSocket.send(socket.raw, $0) }
            guard case .bytes(let count) = outcome else { throw LinkError.closed }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends until the socket takes no more within a moment; returns how many bytes went.
    func sendUntilFull(_ text: String) throws -> Int {
        LocalSocket.setTimeouts(socket.raw, .milliseconds(50))
        defer { LocalSocket.setTimeouts(socket.raw, .seconds(60)) }
        let bytes = Array(text.utf8)
        var sent = 0
        var offset = 0
        while true {
            let outcome = try bytes[offset...].withUnsafeBytes { try LocalSocket.send(socket.raw, $0) }
            guard case .bytes(let count) = outcome else { return sent }
            sent += count
            offset = (offset + count) % bytes.count
        }
    }

    func endSending() { LocalSocket.endSending(socket.raw) }

    func line() throws -> String {
        while true {
            if let end = input[searched...].firstIndex(of: 0x0A) {
                defer {
                    input.removeSubrange(...end)
                    searched = 0
                }
                return String(decoding: input[..<end], as: UTF8.self)
            }
            searched = input.count
            guard try receive() else { throw LinkError.closed }
        }
    }

    /// Whether the server has closed and everything was read.
    func isAtEnd() throws -> Bool { input.isEmpty ? try !receive() : false }

    private func receive() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        switch try buffer.withUnsafeMutableBytes({ try LocalSocket.receive(socket.raw, into: $0) }) {
        case .bytes(let count):
            input += buffer[..<count]
            return true
        case .ended: return false
        case .wouldWait: throw LinkError.timedOut
        }
    }
}

enum LinkError: Error {
    case closed, timedOut
}

extension ControlConnection {
    /// Calls a command as it is on the wire.
    func call(_ method: String, _ params: JSONValue? = nil) throws(ClientFailure) -> JSONValue {
        try call(Request(id: nil, method: method, params: params))
    }

    /// Waits for the next change of a watched part.
    func nextChange() throws(ClientFailure) -> EventReply? {
        while let event = try nextEvent() {
            if case .changed(let change) = event { return change }
        }
        return nil
    }
}
