import ControlClient
import ControlLanguage
import Foundation
import JSON
import LineServing
import SystemCalls
import TestSupport
import Testing

@Suite(.ownThread) struct ServerTests {
    @Test func theServerSendsHelloFirst() throws {
        let link = try SocketLink(unread: try TestServer(permission: .control))
        try expectEqual(
            link.json(),
            [
                "jsonrpc": "2.0", "method": "hello",
                "params": ["server": "podcastd", "version": "1.2.3", "protocol": 1, "permission": "control"],
            ])
    }

    @Test func aClientWithoutPermissionGetsAnError() throws {
        let test = try TestServer(permission: nil)
        let link = try SocketLink(unread: test)
        try expectEqual(link.json()["error"]?["code"], 2)
        #expect(try link.isAtEnd())
        let client = try ControlConnection(path: test.path)
        do throws(ClientFailure) {
            _ = try client.call("status.get")
            Issue.record("a refused client was answered")
        } catch {
            guard case .refused(let refusal) = error else {
                Issue.record("\(error)")
                return
            }
            expectEqual(refusal.code, .notPermitted)
        }
    }

    @Test func furtherConnectionsAreRefusedWithAMessageAndCounted() throws {
        var limits = LineServer.Limits()
        limits.connections = 2
        let test = try TestServer(limits: limits)
        let first = try SocketLink(test)
        var second: SocketLink? = try SocketLink(test)
        let third = try SocketLink(unread: test)
        try expectEqual(third.json()["error"]?["code"], 5)
        #expect(try third.isAtEnd())
        #expect(try first.ask("playback.pause")["result"] != nil)
        #expect(test.counters.values.open == 2 && test.counters.values.refused == 1)
        second = nil
        _ = second
        test.playback.waitForEnd()
        #expect(test.counters.values.open == 1 && test.counters.values.accepted == 2)
        #expect(try SocketLink(test).ask("playback.stop")["result"] != nil)
    }

    @Test func aLineOverTheLimitClosesTheConnectionWithAnError() throws {
        let test = try TestServer()
        let link = try SocketLink(test)
        let long = [UInt8](repeating: UInt8(ascii: " "), count: Outgoing.maximumLine + 70_000)
        // The server stops reading in the middle of it.
        try? link.send(long)
        let answer = try link.json()
        expectEqual(answer["id"], .null)
        expectEqual(answer["error"]?["code"], -32600)
        #expect(try link.isAtEnd())
        #expect(try SocketLink(test).ask("playback.pause")["result"] != nil)
    }

    @Test func aLineOfExactlyTheLimitIsAccepted() throws {
        let link = try SocketLink(try TestServer())
        let request = #"{"jsonrpc":"2.0","id":1,"method":"playback.pause"}"#
        let blanks = String(repeating: " ", count: Outgoing.maximumLine - request.utf8.count)
        try link.send(request + blanks + "\n")
        #expect(try link.json()["result"] != nil)
    }

    @Test func anUnfinishedLineAtTheEndIsNotExecuted() throws {
        let test = try TestServer()
        let link = try SocketLink(test)
        try link.send(
            #"{"jsonrpc":"2.0","id":1,"method":"playback.pause"}"# + "\n"
                + #"{"jsonrpc":"2.0","method":"playback.stop"}"#)
        link.endSending()
        try expectEqual(link.json()["id"], 1)
        #expect(try link.isAtEnd())
        expectEqual(test.playback.calls, ["pause"])
    }

    @Test func aClientThatEndedSendingStillGetsItsAnswers() throws {
        let test = try TestServer()
        let link = try SocketLink(test)
        try link.send(
            #"{"jsonrpc":"2.0","id":1,"method":"playback.toggle"}"# + "\n"
                + #"{"jsonrpc":"2.0","id":2,"method":"playback.play"}"# + "\n")
        link.endSending()
        test.playback.finish("toggle", .success(1))
        try expectEqual(link.json()["id"], 1)
        test.playback.finish("play", .success(2))
        try expectEqual(link.json()["id"], 2)
        #expect(try link.isAtEnd())
    }

    @Test func aClientCanDisconnectWhileItsCommandRuns() throws {
        let test = try TestServer()
        var link: SocketLink? = try SocketLink(test)
        try link?.send(#"{"jsonrpc":"2.0","id":1,"method":"playback.toggle"}"# + "\n")
        let other = try SocketLink(test)
        #expect(try other.ask("playback.pause")["result"] != nil)
        link = nil
        _ = link
        test.playback.waitForEnd()
        test.playback.finish("toggle", .success(1))
        #expect(try other.ask("playback.stop")["result"] != nil)
    }

    @Test func stoppingTheServerEndsItsConnections() throws {
        let test = try TestServer()
        let link = try SocketLink(test)
        test.server.stop()
        #expect(try link.isAtEnd())
        #expect(!FileManager.default.fileExists(atPath: test.path))
    }
}

@Suite(.ownThread) struct BackPressureTests {
    @Test func aClientThatReadsNothingIsNotReadFromAndDelaysNoOther() throws {
        let big: JSONValue = ["filler": .string(String(repeating: "x", count: 20_000))]
        let test = try TestServer(reply: big)
        let greedy = try SocketLink(test)
        let text = #"{"jsonrpc":"2.0","id":1,"method":"status.get"}"#
        let request = text + String(repeating: " ", count: 1999 - text.utf8.count) + "\n"
        let sent = try greedy.sendUntilFull(String(repeating: request, count: 10))
        // Each request of 2 KB would be answered with 20 KB; what was taken stops at the bounds.
        #expect(sent < 4 << 20)
        let other = try SocketLink(test)
        for _ in 0..<10 { #expect(try other.ask("playback.pause")["result"] != nil) }
        // Once it reads, everything that it had sent is answered.
        for _ in 0..<(sent / request.utf8.count) {
            #expect(try greedy.line().hasPrefix(#"{"jsonrpc":"2.0","id":1,"result""#))
        }
        #expect(try other.ask("playback.pause")["result"] != nil)
    }

    @Test func aSlowWatcherGetsTheNewestValue() throws {
        let test = try TestServer(eventInterval: .zero)
        let slow = try SocketLink(test)
        _ = try slow.ask("status.subscribe", ["parts": ["player"]])
        let quick = try ControlConnection(path: test.path)
        _ = try quick.call("status.subscribe", ["parts": ["player"]])
        let filler = String(repeating: "y", count: 40_000)
        let count = 50
        for number in 1...count {
            test.status.set(.player, ["n": .integer(Int64(number)), "filler": .string(filler)])
            test.server.publish(.player)
            // The other watcher has each of them before the next comes.
            try expectEqual(quick.nextChange()?.value["n"], .integer(Int64(number)))
        }
        var seen = 0
        var last: Int64 = 0
        while last < Int64(count) {
            let event = try slow.json()["params"]
            let number = try #require(event?["value"]?["n"]?.integerValue)
            #expect(number > last)
            last = number
            seen += 1
        }
        #expect(seen < count)
    }
}
