import ControlProtocol
import ControlSocket
import Foundation
import JSON
import Testing

/// Clients that do what no honest one does; somebody else is answered all the while.
@Suite struct HostileClientTests {
    private static let request = #"{"jsonrpc":"2.0","id":1,"method":"playback.pause"}"# + "\n"

    @Test func aRequestThatComesByteByByteIsAnsweredAndHoldsNobodyUp() throws {
        let test = try TestServer()
        let slow = try SocketLink(test)
        let other = try SocketLink(test)
        for byte in Self.request.utf8 {
            try slow.send([byte])
            #expect(try other.ask("playback.stop")["result"] != nil)
        }
        #expect(try slow.json()["result"] != nil)
    }

    @Test func aCrowdIsRefusedWithWordsAndThoseInsideAreServed() throws {
        var limits = ControlServer.Limits()
        limits.connections = 20
        let test = try TestServer(limits: limits)
        let inside = try (0..<20).map { _ in try SocketLink(test) }
        for _ in 0..<300 {
            let refused = try SocketLink(unread: test)
            #expect(try refused.json()["error"]?["code"] == 5)
            #expect(try refused.isAtEnd())
        }
        for link in inside { #expect(try link.ask("playback.pause")["result"] != nil) }
    }

    @Test func whoLeavesInTheMiddleLeavesNothingBehind() throws {
        var limits = ControlServer.Limits()
        limits.connections = 4
        let test = try TestServer(limits: limits)
        let other = try SocketLink(test)
        let bytes = Array(Self.request.utf8)
        for turn in 0..<200 {
            // One of them is still inside while the next comes; if any stayed, the fifth would be refused.
            let leaving = try SocketLink(unread: test)
            try? leaving.send(bytes + bytes.prefix(turn % bytes.count))
            if turn % 2 == 0 { leaving.endSending() }
            #expect(try other.ask("playback.stop")["result"] != nil)
        }
        #expect(try SocketLink(test).ask("playback.pause")["result"] != nil)
    }

    @Test func whoNeverReadsEventsIsToldNoneThatFollow() throws {
        var limits = ControlServer.Limits()
        limits.eventInterval = 0
        let test = try TestServer(limits: limits)
        let deaf = try (0..<10).map { _ in try SocketLink(test) }
        for link in deaf { _ = try link.ask("status.subscribe") }
        test.status.set(.player, ["filler": .string(String(repeating: "x", count: 100_000))])
        let other = try SocketLink(test)
        for _ in 0..<100 {
            test.server.publish(.player)
            #expect(try other.ask("playback.pause")["result"] != nil)
        }
    }
}
