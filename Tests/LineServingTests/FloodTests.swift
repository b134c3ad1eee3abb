import Glibc
import PodcastModel
import Synchronization
import Testing
import TestSupport

@testable import LineServing

@Suite struct FloodTests {
    @Test func theOwnerIsServedWhileOthersHaveAllConnections() throws {
        var limits = LineServer.Limits()
        limits.connections = 10
        let test = try EchoServer(limits)
        let others = try (0..<10).map { _ in try test.connect() }
        try expectEqual(test.connectUnread().answer(), ["ACK too many connections"])
        test.script.peersAreOwners.store(true, ordering: .sequentiallyConsistent)
        try expectEqual(test.connect().ask("owner"), ["owner"])
        try expectEqual(others[0].ask("other"), ["other"])
    }

    @Test func oneUserHasABoundedNumberOfConnections() throws {
        var limits = LineServer.Limits()
        limits.connectionsPerAccount = 3
        let test = try EchoServer(limits)
        let inside = try (0..<3).map { _ in try test.connect() }
        try expectEqual(test.connectUnread().answer(), ["ACK user \(geteuid()) has 3 connections already"])
        try expectEqual(inside[0].ask("ping"), ["ping"])
    }

    @Test(arguments: [EMFILE, ENFILE, ENOBUFS])
    func withoutDescriptorsTheServerStopsAcceptingInsteadOfSpinning(code: Int32) throws {
        var limits = LineServer.Limits()
        limits.acceptPause = .seconds(3600)
        let test = try EchoServer(limits)
        let inside = try test.connect()
        // The server answers this after the round in which it accepted the connection.
        try expectEqual(inside.ask("ping"), ["ping"])
        test.script.acceptError.store(code, ordering: .sequentiallyConsistent)
        let before = test.script.acceptAttempts.load(ordering: .sequentiallyConsistent)
        // This connection stays in the listener's backlog, so the listener stays readable.
        let outside = try test.connectUnread()
        for _ in 0..<200 { try expectEqual(inside.ask("ping"), ["ping"]) }
        let attempts = test.script.acceptAttempts.load(ordering: .sequentiallyConsistent) - before
        #expect(attempts >= 1 && attempts <= 2)
        expectEqual(test.script.reports.withLock { $0.count }, 1)
        withExtendedLifetime(outside) {}
    }

    @Test func onceThereAreDescriptorsAgainWaitingClientsAreAccepted() throws {
        var limits = LineServer.Limits()
        limits.acceptPause = .milliseconds(1)
        let test = try EchoServer(limits)
        let inside = try test.connect()
        test.script.acceptError.store(EMFILE, ordering: .sequentiallyConsistent)
        let outside = try test.connectUnread()
        while test.script.reports.withLock({ $0.isEmpty }) { _ = try inside.ask("ping") }
        test.script.acceptError.store(0, ordering: .sequentiallyConsistent)
        try expectEqual(outside.line(), "OK ECHO 1.0")
        expectEqual(test.script.reports.withLock { $0.count }, 1)
    }
}
