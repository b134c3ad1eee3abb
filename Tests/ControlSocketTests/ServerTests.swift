import ControlClient
import ControlLanguage
import ControlSocket
import Foundation
import JSON
import LineServing
import Synchronization
import SystemCalls
import Testing

@Suite(.ownThread) struct ServerTests {
    @Test func aClientGetsAnswersAndRefusals() throws {
        let test = try TestServer()
        let client = try ControlConnection(path: test.path)
        #expect(try client.call("status.get") == ["state": "playing"])
        #expect(try client.call("playback.volume", ["level": 30]) == ["volume": 30])
        #expect(throws: ClientFailure.self) { try client.call("no.such") }
        #expect(try client.call("playback.pause") == ["state": "pause"])
    }

    @Test func theServerSendsHelloFirst() throws {
        let link = try SocketLink(unread: try TestServer(permission: .control))
        #expect(
            try link.json() == [
                "jsonrpc": "2.0", "method": "hello",
                "params": ["server": "podcastd", "version": "1.2.3", "protocol": 1, "permission": "control"],
            ])
    }

    @Test func connectionsAreCounted() throws {
        var limits = LineServer.Limits()
        limits.connections = 2
        let test = try TestServer(limits: limits)
        let first = try SocketLink(test)
        var second: SocketLink? = try SocketLink(test)
        let third = try SocketLink(unread: test)
        _ = try third.json()
        #expect(try first.ask("playback.pause")["result"] != nil)
        #expect(test.counters.values.open == 2 && test.counters.values.refused == 1)
        second = nil
        _ = second
        test.playback.waitForEnd()
        #expect(test.counters.values.open == 1 && test.counters.values.accepted == 2)
    }

    @Test func aClientWithoutPermissionGetsAnError() throws {
        let test = try TestServer(permission: nil)
        let link = try SocketLink(unread: test)
        #expect(try link.json()["error"]?["code"] == 2)
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
            #expect(refusal.code == .notPermitted)
        }
    }

    @Test func furtherConnectionsAreRefusedWithAMessage() throws {
        var limits = LineServer.Limits()
        limits.connections = 2
        let test = try TestServer(limits: limits)
        let first = try SocketLink(test)
        var second: SocketLink? = try SocketLink(test)
        let third = try SocketLink(unread: test)
        #expect(try third.json()["error"]?["code"] == 5)
        #expect(try third.isAtEnd())
        #expect(try first.ask("playback.pause")["result"] != nil)
        second = nil
        _ = second
        test.playback.waitForEnd()
        #expect(try SocketLink(test).ask("playback.stop")["result"] != nil)
    }

    @Test func aLineOverTheLimitClosesTheConnectionWithAnError() throws {
        let test = try TestServer()
        let link = try SocketLink(test)
        let long = [UInt8](repeating: UInt8(ascii: " "), count: Outgoing.maximumLine + 70_000)
        // The server stops reading in the middle of it.
        try? link.send(long)
        let answer = try link.json()
        #expect(answer["id"] == .null)
        #expect(answer["error"]?["code"] == -32600)
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
        #expect(try link.json()["id"] == 1)
        #expect(try link.isAtEnd())
        #expect(test.playback.calls == ["pause"])
    }

    @Test func aClientThatEndedSendingStillGetsItsAnswers() throws {
        let test = try TestServer()
        let link = try SocketLink(test)
        try link.send(
            #"{"jsonrpc":"2.0","id":1,"method":"playback.toggle"}"# + "\n"
                + #"{"jsonrpc":"2.0","id":2,"method":"playback.play"}"# + "\n")
        link.endSending()
        test.playback.finish("toggle", .success(1))
        #expect(try link.json()["id"] == 1)
        test.playback.finish("play", .success(2))
        #expect(try link.json()["id"] == 2)
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
            #expect(try quick.nextChange()?.value["n"] == .integer(Int64(number)))
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

@Suite(.ownThread) struct EventTests {
    @Test func watchersGetASnapshotAndThenChanges() throws {
        let test = try TestServer()
        test.status.set(.player, ["state": "paused"])
        let client = try ControlConnection(path: test.path)
        let snapshot = try client.call("status.subscribe", ["parts": ["player"]])
        #expect(snapshot == ["seq": 0, "parts": ["player": ["state": "paused"]]])
        test.status.set(.player, ["state": "playing"])
        test.server.publish(.player)
        let event = try #require(try client.nextChange())
        #expect(event.sequence == 1 && event.part == .player && event.value == ["state": "playing"])
    }

    @Test func onlyWatchedPartsAreSent() throws {
        let test = try TestServer()
        let client = try ControlConnection(path: test.path)
        _ = try client.call("status.subscribe", ["parts": ["queue", "feeds"]])
        _ = try client.call("status.unsubscribe", ["parts": ["feeds"]])
        test.server.publish(.player)
        test.server.publish(.feeds)
        test.server.publish(.queue)
        #expect(try client.nextChange()?.part == .queue)
    }

    @Test func changesCloseTogetherAreSentOnce() throws {
        // Longer than the test runs: the first change is sent at once, the others wait.
        let test = try TestServer(eventInterval: .seconds(3600))
        let client = try ControlConnection(path: test.path)
        _ = try client.call("status.subscribe", ["parts": ["player", "queue"]])
        test.server.publish(.player)
        #expect(try client.nextChange()?.sequence == 1)
        for _ in 0..<1000 { test.server.publish(.player) }
        test.server.publish(.queue)
        #expect(try client.nextChange()?.part == .queue)
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
            #expect(event.changes == [RowChange(.update, Int64(revision))])
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
        #expect(try early.nextChange()?.changes.map(\.id) == [1, 2, 3, 4])
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
        #expect(try quick.nextChange()?.part == .player)
        for revision in 1...changes {
            changeFeeds(test)
            #expect(try quick.nextChange()?.revision == UInt64(revision))
        }
        var revision: UInt64 = 0
        var missed: [RowChange] = []
        var isReloaded = false
        while revision < UInt64(changes) {
            let line = try slow.json()
            guard let params = line["params"], let event = EventReply(json: params), event.part == .feeds else {
                continue
            }
            #expect(event.since == revision)
            revision = try #require(event.revision)
            missed += event.changes
            isReloaded = isReloaded || event.needsReload == true
        }
        #expect(isReloaded == (changes > 10))
        if !isReloaded { #expect(missed.compactMap(\.id) == (1...changes).map { Int64($0) }) }
    }

    @Test func valuesAreNotReadWithoutWatchers() throws {
        let test = try TestServer()
        let client = try ControlConnection(path: test.path)
        for part in StatusPart.allCases { test.server.publish(part) }
        _ = try client.call("playback.pause")
        #expect(test.status.readings.load(ordering: .relaxed) == 0)
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
        for client in clients { #expect(try client.nextChange()?.value == 1) }
    }
}

@Suite(.ownThread) struct ListenerTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lst-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    @Test func theSocketIsForOwnerAndGroup() throws {
        try withFolder { folder in
            let listener = try LineListener(path: folder + "/sub/control")
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/sub/control")
            #expect(attributes[.posixPermissions] as? Int == 0o660)
            _ = listener
        }
    }

    @Test func aSocketWithoutAServerIsReplaced() throws {
        try withFolder { folder in
            let path = folder + "/control"
            // A listener that went without removing its path, as after kill -9.
            _ = try LocalSocket.listen(at: path, mode: 0o600)
            let listener = try LineListener(path: path)
            _ = try LocalSocket.connect(to: path)
            _ = listener
        }
    }

    @Test func aSocketWithAServerIsKeptAndReported() throws {
        try withFolder { folder in
            let path = folder + "/control"
            let listener = try LineListener(path: path)
            #expect(throws: LineListener.BindError.alreadyServed(path)) { try LineListener(path: path) }
            _ = try LocalSocket.connect(to: path)
            _ = listener
        }
    }

    @Test func anotherFileIsNeverRemoved() throws {
        try withFolder { folder in
            let path = folder + "/control"
            try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
            #expect(throws: LineListener.BindError.notASocket(path)) { try LineListener(path: path) }
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func aPathThatIsTooLongIsAnError() {
        #expect(throws: LineListener.BindError.self) {
            try LineListener(path: "/tmp/" + String(repeating: "x", count: 200))
        }
    }

    @Test func anInheritedSocketIsServed() throws {
        try withFolder { folder in
            let path = folder + "/control"
            let inherited = try LocalSocket.listen(at: path, mode: 0o600)
            let server = try ControlServer(
                dispatcher: CommandDispatcher(handlers: [], version: "1"), status: StubStatus(), policy: StubPolicy())
            try server.start(on: [try LineListener(adopting: inherited)])
            #expect(try ControlConnection(path: path).call("server.version")["version"] == "1")
            server.stop()
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func aClientIsToldThatNoDaemonRuns() throws {
        try withFolder { folder in
            #expect(throws: ClientFailure.notRunning(path: folder + "/none")) {
                try ControlConnection(path: folder + "/none")
            }
        }
    }

    @Test func thePeerIsIdentifiedByTheKernel() throws {
        try withFolder { folder in
            let listener = try LocalSocket.listen(at: folder + "/s", mode: 0o600)
            let client = try LocalSocket.connect(to: folder + "/s")
            guard let accepted = try LocalSocket.accept(listener.raw) else {
                Issue.record("nobody is waiting to be accepted")
                return
            }
            let peer = try LocalSocket.credentials(of: accepted.raw)
            #expect(peer.user == geteuid() && peer.group == getegid() && peer.process == getpid())
            #expect(Set(LocalSocket.groups(of: accepted.raw)).isSubset(of: Set(ownGroups())))
            _ = client.raw
        }
    }

    private func ownGroups() -> [UInt32] {
        var groups = [gid_t](repeating: 0, count: 1024)
        let count = getgroups(1024, &groups)
        return Array(groups.prefix(Int(max(0, count)))) + [getegid()]
    }
}
