import ControlClient
import ControlLanguage
import Foundation
import JSON
import LineServing
import PodcastModel
import Synchronization
import SystemCalls
import TestSupport
import Testing

@Suite(.ownThread) struct EventTests {
    @Test func watchersGetASnapshotAndThenChanges() throws {
        let test = try TestServer()
        test.status.set(.player, ["state": "paused"])
        let client = try ControlConnection(path: test.path)
        let snapshot = try client.call("status.subscribe", ["parts": ["player"]])
        expectEqual(snapshot, ["seq": 0, "parts": ["player": ["state": "paused"]]])
        test.status.set(.player, ["state": "playing"])
        test.server.publish(.player)
        let event = try #require(try client.nextChange())
        #expect(event.sequence == 1 && event.part == .player && event.value == ["state": "playing"])
    }

    @Test func onlyWatchedPartsAreSent() throws {
        let test = try TestServer()
        let client = try ControlConnection(path: test.path)
        _ = try client.call("status.subscribe", ["parts": ["queue"]])
        test.server.publish(.player)
        test.server.publish(.feeds)
        test.server.publish(.queue)
        try expectEqual(client.nextChange()?.part, .queue)
    }

    @Test func changesCloseTogetherAreSentOnce() throws {
        // Longer than the test runs: the first change is sent at once, the others wait.
        let test = try TestServer(eventInterval: .seconds(3600))
        let client = try ControlConnection(path: test.path)
        _ = try client.call("status.subscribe", ["parts": ["player", "queue"]])
        test.server.publish(.player)
        try expectEqual(client.nextChange()?.sequence, 1)
        for _ in 0..<1000 { test.server.publish(.player) }
        test.server.publish(.queue)
        try expectEqual(client.nextChange()?.part, .queue)
    }

    @Test func aChangeSoonAfterAnotherIsSentAfterTheInterval() throws {
        let test = try TestServer(eventInterval: .milliseconds(100))
        let client = try ControlConnection(path: test.path)
        _ = try client.call("status.subscribe", ["parts": ["player"]])
        let before = Instant.now
        test.server.publish(.player)
        try expectEqual(client.nextChange()?.sequence, 1)
        test.server.publish(.player)
        try expectEqual(client.nextChange()?.sequence, 2)
        #expect(Instant.now - before >= .milliseconds(100))
    }

    @Test(arguments: [CommandDeclaration.Permission.read, .admin])
    func onlyAdministratorsSeeThemInAnyTextButWhatPublishersWrote(_ permission: CommandDeclaration.Permission) throws {
        let address: JSONValue = "see https://feeds.example/f?token=1"
        let reply: JSONValue = ["title": address, "olderPages": ["next": address], "note": address]
        let test = try TestServer(permission: permission, reply: reply)
        let client = try ControlConnection(path: test.path)
        let redacted: JSONValue = "see https://feeds.example/f?…"
        let shown: JSONValue = ["title": redacted, "olderPages": ["next": redacted], "note": address]
        try expectEqual(client.call("status.get"), permission == .admin ? reply : shown)
    }

    @Test(arguments: [CommandDeclaration.Permission.read, .admin])
    func onlyAdministratorsSeePrivateAddresses(_ permission: CommandDeclaration.Permission) throws {
        let (address, redacted): (JSONValue, JSONValue) = (
            "https://anna:secret@feeds.example/f?token=1", "https://…@feeds.example/f?…"
        )
        let test = try TestServer(permission: permission, eventInterval: .zero, reply: ["url": address])
        test.status.set(.player, ["url": address])
        let client = try ControlConnection(path: test.path)
        let snapshot = try client.call("status.subscribe", ["parts": ["player"]])["parts"]?["player"]?["url"]
        test.server.publish(.player)
        let event = try client.nextChange()?.value["url"]
        let answer = try client.call("status.get")["url"]
        expectEqual([snapshot, event, answer], Array(repeating: permission == .admin ? address : redacted, count: 3))
        let called = try client.call("session.as", ["permission": "read", "method": "status.get"])["url"]
        expectEqual(called, redacted)
    }

    private func changeFeeds(_ test: TestServer) {
        test.status.feedRevision.add(1, ordering: .relaxed)
        test.server.publish(.feeds)
    }

    @Test func anEventHasTheChangesSinceTheOneBefore() throws {
        let test = try TestServer(eventInterval: .zero)
        test.status.feedRevision.store(5, ordering: .relaxed)
        let client = try ControlConnection(path: test.path)
        _ = try client.call("status.subscribe", ["parts": ["feeds"]])
        for revision in UInt64(6)...8 {
            changeFeeds(test)
            let event = try #require(try client.nextChange())
            #expect(event.since == revision - 1 && event.revision == revision && event.needsReload == nil)
            expectEqual(event.changes, [RowChange(.update, Int64(revision))])
        }
    }

    @Test func aClientThatSubscribesLaterGetsOnlyLaterChanges() throws {
        let test = try TestServer(eventInterval: .zero)
        let early = try ControlConnection(path: test.path)
        _ = try early.call("status.subscribe", ["parts": ["feeds"]])
        // A change that no event has reported when the second client subscribes.
        test.status.feedRevision.store(3, ordering: .relaxed)
        let late = try ControlConnection(path: test.path)
        _ = try late.call("status.subscribe", ["parts": ["feeds"]])
        changeFeeds(test)
        try expectEqual(early.nextChange()?.changes.map(\.id), [1, 2, 3, 4])
        let event = try #require(try late.nextChange())
        #expect(event.since == 3 && event.changes.map(\.id) == [4])
    }

    @Test(arguments: [4, 40])
    func aClientThatFellBehindGetsWhatItMissedOrIsToldToReload(changes: Int) throws {
        let test = try TestServer(eventInterval: .zero)
        let slow = try SocketLink(test)
        _ = try slow.ask("status.subscribe", ["parts": ["player", "feeds"]])
        let quick = try ControlConnection(path: test.path)
        _ = try quick.call("status.subscribe", ["parts": ["player", "feeds"]])
        // More than the socket's buffers hold, so that the slow client's next events have to wait.
        test.status.set(.player, ["filler": .string(String(repeating: "y", count: 900_000))])
        test.server.publish(.player)
        try expectEqual(quick.nextChange()?.part, .player)
        for revision in 1...changes {
            changeFeeds(test)
            try expectEqual(quick.nextChange()?.revision, UInt64(revision))
        }
        var revision: UInt64 = 0
        var missed: [RowChange] = []
        var isReloaded = false
        while revision < UInt64(changes) {
            let line = try slow.json()
            guard let params = line["params"], let event = EventReply(json: params), event.part == .feeds else {
                continue
            }
            expectEqual(event.since, revision)
            revision = try #require(event.revision)
            missed += event.changes
            isReloaded = isReloaded || event.needsReload == true
        }
        expectEqual(isReloaded, changes > 10)
        if !isReloaded { expectEqual(missed.compactMap(\.id), (1...changes).map { Int64($0) }) }
    }

    @Test func valuesAreNotReadWithoutWatchers() throws {
        let test = try TestServer()
        let client = try ControlConnection(path: test.path)
        for part in StatusPart.allCases { test.server.publish(part) }
        _ = try client.call("playback.pause")
        expectEqual(test.status.readings.load(ordering: .relaxed), 0)
    }

    @Test func allWatchersGetAnEvent() throws {
        var limits = LineServer.Limits()
        limits.connectionsPerAccount = 300
        let test = try TestServer(limits: limits)
        var clients: [ControlConnection] = []
        // As many as the process may have descriptors for: each takes two here.
        for _ in 0..<300 {
            let client = try ControlConnection(path: test.path)
            _ = try client.call("status.subscribe", ["parts": ["player"]])
            clients.append(client)
        }
        test.status.set(.player, 1)
        test.server.publish(.player)
        for client in clients { try expectEqual(client.nextChange()?.value, 1) }
    }
}
