import Glibc
import Synchronization
import SystemCalls
import Testing

@testable import LineServing

/// The server with a protocol like MPD's, as a second one beside the control protocol.
@Suite(.ownThread) struct LineServerTests {
    @Test func theServerGreetsAndAnswersEachLine() throws {
        let client = try EchoServer().connect()
        #expect(try client.ask("status") == ["status"])
        #expect(try client.ask("ping") == ["ping"])
    }

    @Test func aListOfCommandsGetsOneAnswer() throws {
        let client = try EchoServer().connect()
        #expect(try client.ask("command_list_begin\na\nb\ncommand_list_end") == ["a", "b"])
    }

    @Test func linesThatFollowAnUnansweredOneWait() throws {
        let server = try EchoServer()
        let idle = try server.connect()
        try idle.send("idle\nafter\n")
        // The server has processed `idle` once it has answered another connection that wrote later.
        #expect(try server.connect().ask("other") == ["other"])
        server.server.wake()
        #expect(try idle.answer() == ["changed: player"])
        #expect(try idle.answer() == ["after"])
    }

    @Test func aClientThatSendsNothingMoreStillGetsItsAnswer() throws {
        let server = try EchoServer()
        let client = try server.connect()
        try client.send("idle\n")
        client.endSending()
        #expect(try server.connect().ask("other") == ["other"])
        server.server.wake()
        #expect(try client.answer() == ["changed: player"])
        #expect(try client.line() == nil)
    }

    @Test func aSessionCanCloseItsConnectionAfterItsLastAnswer() throws {
        let client = try EchoServer().connect()
        try client.send("last\nclose\nnever\n")
        #expect(try client.answer() == ["last"])
        #expect(try client.line() == nil)
    }

    @Test func aSessionIsToldWhenItsDeadlineHasPassed() throws {
        let client = try EchoServer(timeout: 1_000_000).connect()
        #expect(try client.answer() == ["ACK timeout"])
        #expect(try client.line() == nil)
    }

    @Test func aMovedDeadlineDoesNotPassAtItsOldTime() throws {
        let server = try EchoServer(timeout: 3_600_000_000_000)
        let client = try server.connect()
        server.script.timeout.store(1_000_000, ordering: .sequentiallyConsistent)
        let short = try server.connect()
        #expect(try short.answer() == ["ACK timeout"])
        #expect(try client.ask("still here") == ["still here"])
    }

    @Test func aLineThatIsTooLongEndsTheConnectionWithAMessage() throws {
        var limits = LineServer.Limits()
        limits.line = 100
        let client = try EchoServer(limits).connect()
        #expect(try client.ask(String(repeating: "x", count: 100)).count == 1)
        try client.send(String(repeating: "x", count: 101))
        #expect(try client.answer() == ["ACK a line is longer than 100 bytes"])
        #expect(try client.line() == nil)
    }

    @Test func aServerThatCannotWaitReportsTheErrorAndClosesItsConnections() throws {
        let server = try EchoServer()
        let client = try server.connect()
        server.script.waitError.store(EBADF, ordering: .sequentiallyConsistent)
        try? client.send("wake up\n")
        server.script.hasFailed.wait()
        #expect(server.script.failures.withLock { $0.map(\.code) } == [EBADF])
        while try client.line() != nil {}
        server.server.stop()
    }
}
