import ControlLanguage
import Foundation
import JSON
import LineServing
import TestSupport
import Testing

/// Hostile clients, while another client is served.
@Suite(.ownThread) struct HostileClientTests {
    private static let request = #"{"jsonrpc":"2.0","id":1,"method":"playback.pause"}"# + "\n"

    @Test func aRequestThatArrivesByteByByteIsAnsweredAndDelaysNoOtherClient() throws {
        let test = try TestServer()
        let slow = try SocketLink(test)
        let other = try SocketLink(test)
        for byte in Self.request.utf8 {
            try slow.send([byte])
            #expect(try other.ask("playback.stop")["result"] != nil)
        }
        #expect(try slow.json()["result"] != nil)
    }

    @Test func connectionsBeyondTheLimitAreRefusedWithAMessageAndTheOthersServed() throws {
        var limits = LineServer.Limits()
        limits.connections = 20
        let test = try TestServer(limits: limits)
        let inside = try (0..<20).map { _ in try SocketLink(test) }
        for _ in 0..<300 {
            let refused = try SocketLink(unread: test)
            try expectEqual(refused.json()["error"]?["code"], 5)
            #expect(try refused.isAtEnd())
        }
        for link in inside { #expect(try link.ask("playback.pause")["result"] != nil) }
    }

    @Test func clientsThatDisconnectWithinARequestFreeTheirPlaces() throws {
        var limits = LineServer.Limits()
        limits.connections = 4
        let test = try TestServer(limits: limits)
        let other = try SocketLink(test)
        let bytes = Array(Self.request.utf8)
        for turn in 0..<200 {
            // The connection of the turn before may still be open; if connections stayed open, the fifth would be refused.
            let leaving = try SocketLink(unread: test)
            try? leaving.send(bytes + bytes.prefix(turn % bytes.count))
            if turn % 2 == 0 { leaving.endSending() }
            #expect(try other.ask("playback.stop")["result"] != nil)
        }
        #expect(try SocketLink(test).ask("playback.pause")["result"] != nil)
    }

    @Test func aClientThatReadsNoEventsGetsNoFurtherOnes() throws {
        let test = try TestServer(eventInterval: .zero)
        let deaf = try (0..<10).map { _ in try SocketLink(test) }
        for link in deaf { _ = try link.ask("status.subscribe") }
        test.status.set(.player, ["filler": .string(String(repeating: "x", count: 100_000))])
        let other = try SocketLink(test)
        for _ in 0..<100 {
            test.server.publish(.player)
            #expect(try other.ask("playback.pause")["result"] != nil)
        }
    }

    @Test func connectionsWithLongUnfinishedLinesAreClosedAndOthersServed() throws {
        var limits = LineServer.Limits()
        limits.bytesPerAccount = 4 << 20
        let test = try TestServer(limits: limits)
        let honest = try SocketLink(test)
        let unfinished = "{" + String(repeating: " ", count: (1 << 20) - 2)
        var hostile: [SocketLink] = []
        for _ in 0..<30 {
            let link = try SocketLink(test)
            // The server may close the connection while the client sends.
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

    @Test func aConnectionThatIsClosedForItsMemoryGetsTheReason() throws {
        var limits = LineServer.Limits()
        limits.bytesPerAccount = 64 << 10
        let test = try TestServer(limits: limits)
        let link = try SocketLink(test)
        // The server may close the connection while the client sends.
        try? link.send("{" + String(repeating: " ", count: 200_000))
        let error = try link.json()["error"]
        expectEqual(error?["code"], 5)
        expectEqual(error?["data"]?["what"]?.stringValue?.contains("unfinished requests"), true)
    }

    @Test func waitingRequestsOfABatchCountAsMemory() throws {
        var limits = LineServer.Limits()
        limits.bytesPerAccount = 1 << 20
        let test = try TestServer(limits: limits)
        let link = try SocketLink(test)
        // 1 byte of JSON becomes more than 10 bytes of values.
        let params = "[" + String(repeating: "1,", count: 200_000) + "1]"
        try link.send(
            #"[{"jsonrpc":"2.0","id":1,"method":"playback.toggle"},{"jsonrpc":"2.0","id":2,"method":"playback.pause","params":"#
                + params + "}]\n")
        try expectEqual(link.json()["error"]?["code"], 5)
        test.playback.finish("toggle", .success(.null))
    }
}
