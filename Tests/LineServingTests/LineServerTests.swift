import Glibc
import Synchronization
import SystemCalls
import Testing
import TestSupport

@testable import LineServing

/// The server with a protocol like MPD's, as a second one beside the control protocol.
@Suite(.ownThread) struct LineServerTests {
    @Test func theServerGreetsAndAnswersEachLine() throws {
        let client = try EchoServer().connect()
        try expectEqual(client.ask("status"), ["status"])
        try expectEqual(client.ask("ping"), ["ping"])
    }

    @Test func aListOfCommandsGetsOneAnswer() throws {
        let client = try EchoServer().connect()
        try expectEqual(client.ask("command_list_begin\na\nb\ncommand_list_end"), ["a", "b"])
    }

    @Test func linesThatFollowAnUnansweredOneWait() throws {
        let server = try EchoServer()
        let idle = try server.connect()
        try idle.send("idle\nafter\n")
        // The server has processed `idle` once it has answered another connection that wrote later.
        try expectEqual(server.connect().ask("other"), ["other"])
        server.server.wake()
        try expectEqual(idle.answer(), ["changed: player"])
        try expectEqual(idle.answer(), ["after"])
    }

    @Test func aClientThatSendsNothingMoreStillGetsItsAnswer() throws {
        let server = try EchoServer()
        let client = try server.connect()
        try client.send("idle\n")
        client.endSending()
        try expectEqual(server.connect().ask("other"), ["other"])
        server.server.wake()
        try expectEqual(client.answer(), ["changed: player"])
        try expectEqual(client.line(), nil)
    }

    @Test func aSessionCanCloseItsConnectionAfterItsLastAnswer() throws {
        let client = try EchoServer().connect()
        try client.send("last\nclose\nnever\n")
        try expectEqual(client.answer(), ["last"])
        try expectEqual(client.line(), nil)
    }

    @Test func aSessionIsToldWhenItsDeadlineHasPassed() throws {
        let client = try EchoServer(timeout: 1_000_000).connect()
        try expectEqual(client.answer(), ["ACK timeout"])
        try expectEqual(client.line(), nil)
    }

    @Test func eachConnectionHasItsOwnDeadline() throws {
        let server = try EchoServer(timeout: 3_600_000_000_000)
        let client = try server.connect()
        server.script.timeout.store(1_000_000, ordering: .sequentiallyConsistent)
        let short = try server.connect()
        try expectEqual(short.answer(), ["ACK timeout"])
        try expectEqual(client.ask("still here"), ["still here"])
    }

    @Test func aLineThatIsTooLongEndsTheConnectionWithAMessage() throws {
        var limits = LineServer.Limits()
        limits.line = 100
        let client = try EchoServer(limits).connect()
        try expectEqual(client.ask(String(repeating: "x", count: 100)).count, 1)
        try client.send(String(repeating: "x", count: 101))
        try expectEqual(client.answer(), ["ACK a line is longer than 100 bytes"])
        try expectEqual(client.line(), nil)
    }

    @Test func aServerThatCannotWaitReportsTheErrorAndClosesItsConnections() throws {
        let server = try EchoServer()
        let client = try server.connect()
        server.script.waitError.store(EBADF, ordering: .sequentiallyConsistent)
        try? client.send("wake up\n")
        server.script.hasFailed.wait()
        expectEqual(server.script.failures.withLock { $0.map(\.code) }, [EBADF])
        while try client.line() != nil {}
        server.server.stop()
    }
}
