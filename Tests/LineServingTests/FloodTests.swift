import ControlProtocol
import Foundation
import JSON
import Synchronization
import SystemCalls
import Testing

@testable import ControlSocket

/// Peers who are the owner's when the test says so.
private final class ChangingPolicy: PermissionPolicy, Sendable {
    let peersAreOwners = Atomic(false)
    func permission(of peer: PeerIdentity) -> CommandDeclaration.Permission? { .admin }
    func isOwner(_ peer: PeerIdentity) -> Bool { peersAreOwners.load(ordering: .sequentiallyConsistent) }
}

/// Accepts connections unless the test says otherwise, and counts the attempts.
private final class ScriptedAccept: Sendable {
    let attempts = Atomic(0)
    /// The error of all calls from now on; 0 for none.
    let error = Atomic<Int32>(0)
    let reports = Mutex<[String]>([])
}

/// A server whose policy and way to accept a test can change.
private final class FloodedServer {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("flood-\(UUID().uuidString.prefix(8))")
    let policy = ChangingPolicy()
    let script = ScriptedAccept()
    let server: ControlServer

    init(_ limits: ControlServer.Limits) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        server = try ControlServer(
            dispatcher: CommandDispatcher(handlers: [.playback: StubPlayback()], version: "1"), status: StubStatus(),
            policy: policy, limits: limits, counters: ConnectionCounters(),
            report: { [script] message in script.reports.withLock { $0.append(message) } },
            accept: { [script] listener throws(SystemError) in
                script.attempts.add(1, ordering: .sequentiallyConsistent)
                let code = script.error.load(ordering: .sequentiallyConsistent)
                if code != 0 { throw SystemError(code: code, call: "accept") }
                return try LocalSocket.accept(listener)
            })
        try server.start(on: [try ControlListener(path: path)])
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    var path: String { folder.appendingPathComponent("control").path }

    func connect() throws -> FileDescriptor {
        let socket = try LocalSocket.connect(to: path)
        LocalSocket.setTimeouts(socket.raw, nanoseconds: 60_000_000_000)
        return socket
    }

    /// The next bytes from the server; empty once it has closed.
    func read(_ socket: borrowing FileDescriptor) throws -> String {
        let raw = socket.raw
        var buffer = [UInt8](repeating: 0, count: 65_536)
        switch try buffer.withUnsafeMutableBytes({ try LocalSocket.receive(raw, into: $0) }) {
        case .bytes(let count): return String(decoding: buffer[..<count], as: UTF8.self)
        case .ended: return ""
        case .wouldWait: throw LinkError.timedOut
        }
    }

    func send(_ socket: borrowing FileDescriptor, _ text: String) throws {
        let raw = socket.raw
        try Array(text.utf8).withUnsafeBytes { _ = try LocalSocket.send(raw, $0) }
    }

    /// A request and its answer.
    func ask(_ socket: borrowing FileDescriptor) throws -> String {
        try send(socket, #"{"jsonrpc":"2.0","id":1,"method":"playback.pause"}"# + "\n")
        return try read(socket)
    }
}

@Suite struct FloodTests {
    @Test func theOwnerIsServedWhileOthersHaveAllConnections() throws {
        var limits = ControlServer.Limits()
        limits.connections = 10
        let test = try FloodedServer(limits)
        var others: [Connected] = []
        for _ in 0..<10 { others.append(Connected(try test.connect())) }
        for other in others { #expect(try test.read(other.socket).contains("hello")) }
        #expect(try test.read(try test.connect()).contains("too many connections"))
        test.policy.peersAreOwners.store(true, ordering: .sequentiallyConsistent)
        let owner = try test.connect()
        #expect(try test.read(owner).contains("hello"))
        #expect(try test.ask(owner).contains("result"))
    }

    @Test func oneUserHasABoundedNumberOfConnections() throws {
        var limits = ControlServer.Limits()
        limits.connectionsPerUser = 3
        let test = try FloodedServer(limits)
        var inside: [Connected] = []
        for _ in 0..<3 { inside.append(Connected(try test.connect())) }
        for one in inside { #expect(try test.read(one.socket).contains("hello")) }
        #expect(try test.read(try test.connect()).contains("has 3 connections already"))
        #expect(try test.ask(inside[0].socket).contains("result"))
    }

    @Test(arguments: [EMFILE, ENFILE, ENOBUFS])
    func withoutDescriptorsTheServerStopsAcceptingInsteadOfSpinning(code: Int32) throws {
        var limits = ControlServer.Limits()
        limits.acceptPause = 3_600_000_000_000
        let test = try FloodedServer(limits)
        let inside = try test.connect()
        #expect(try test.read(inside).contains("hello"))
        test.script.error.store(code, ordering: .sequentiallyConsistent)
        let before = test.script.attempts.load(ordering: .sequentiallyConsistent)
        // It stays in the listener's backlog, which therefore stays readable.
        let outside = try test.connect()
        for _ in 0..<200 { #expect(try test.ask(inside).contains("result")) }
        let attempts = test.script.attempts.load(ordering: .sequentiallyConsistent) - before
        #expect(attempts >= 1 && attempts <= 2)
        #expect(test.script.reports.withLock { $0.count } == 1)
        withExtendedLifetime(outside.raw) {}
    }

    @Test func onceThereAreDescriptorsAgainWaitingClientsAreAccepted() throws {
        var limits = ControlServer.Limits()
        limits.acceptPause = 1_000_000
        let test = try FloodedServer(limits)
        let inside = try test.connect()
        #expect(try test.read(inside).contains("hello"))
        test.script.error.store(EMFILE, ordering: .sequentiallyConsistent)
        let outside = try test.connect()
        while test.script.reports.withLock({ $0.isEmpty }) { _ = try test.ask(inside) }
        test.script.error.store(0, ordering: .sequentiallyConsistent)
        #expect(try test.read(outside).contains("hello"))
        #expect(test.script.reports.withLock { $0.count } == 1)
    }

    @Test func unfinishedLinesAreClosedBeforeTheyTakeMuchMemoryAndOthersAreServed() throws {
        var limits = ControlServer.Limits()
        limits.bytesPerUser = 4 << 20
        let test = try TestServer(limits: limits)
        let honest = try SocketLink(test)
        let unfinished = "{" + String(repeating: " ", count: (1 << 20) - 2)
        var hostile: [SocketLink] = []
        for _ in 0..<30 {
            let link = try SocketLink(test)
            // The server may close while it sends.
            try? link.send(unfinished)
            hostile.append(link)
            #expect(try honest.ask("playback.pause")["result"] != nil)
        }
        // At most four of them are left, since each holds a megabyte.
        var open = test.counters.values.open
        for _ in 0..<1000 where open > 5 {
            _ = try honest.ask("playback.pause")
            open = test.counters.values.open
        }
        #expect(open <= 5)
    }

    @Test func aConnectionThatIsClosedForItsMemoryIsToldWhy() throws {
        var limits = ControlServer.Limits()
        limits.bytesPerUser = 64 << 10
        let test = try TestServer(limits: limits)
        let link = try SocketLink(test)
        try link.send("{" + String(repeating: " ", count: 200_000))
        let error = try link.json()["error"]
        #expect(error?["code"] == 5)
        #expect(error?["data"]?["what"]?.stringValue?.contains("unfinished requests") == true)
    }

    @Test func requestsOfABatchThatWaitAreCounted() throws {
        var limits = ControlServer.Limits()
        limits.bytesPerUser = 1 << 20
        let test = try TestServer(limits: limits)
        let link = try SocketLink(test)
        // 1 byte of JSON becomes more than 10 bytes of values.
        let params = "[" + String(repeating: "1,", count: 200_000) + "1]"
        try link.send(
            #"[{"jsonrpc":"2.0","id":1,"method":"playback.toggle"},{"jsonrpc":"2.0","id":2,"method":"playback.pause","params":"#
                + params + "}]\n")
        #expect(try link.json()["error"]?["code"] == 5)
        test.playback.drop("toggle")
    }
}

/// A connection in an array.
private final class Connected {
    let socket: FileDescriptor
    init(_ socket: consuming FileDescriptor) { self.socket = socket }
}
