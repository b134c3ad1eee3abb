@testable import DaemonCore
@testable import Library
import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import PodcastModel
import TestSupport
import Testing

/// A test for each section of the protocol: what clients get from its commands, and that an act can be undone.
@Suite(.ownThread) struct HandlerTests {
    @Test func episodesAreListedMarkedAndRestored() async throws {
        try await HandledLibrary.run { daemon in
            try await expectEqual(daemon.column("title", of: "episodes", "episodes.list"), ["Sperm", "Grey", "Blue"])
            let marked = try await daemon.call("episodes.star", ["what": ["e1", "e3"]])
            expectEqual(marked["episodes"], [1, 3])
            try await expectEqual(
                daemon.column("title", of: "episodes", "episodes.list", ["filter": "is:starred"]), ["Sperm", "Blue"])
            try await daemon.call("playback.undo")
            try await expectEqual(
                daemon.column("title", of: "episodes", "episodes.list", ["filter": "is:starred"]), [])
            try await expectEqual(
                daemon.column("id", of: "episodes", "episodes.get", ["ids": [2, 99]]), [2])
        }
    }

    @Test func whatNamesNoEpisodeIsNamedInTheError() async throws {
        try await HandledLibrary.run { daemon in
            let error = await daemon.refusal("episodes.star", ["what": ["e77"]])
            expectEqual(error?.code, .notFound)
            #expect(error?.what.contains("e77") == true)
            for filter in ["filter:", "filter: "] {
                let error = await daemon.refusal("episodes.mark", ["as": "played", "what": [.string(filter)]])
                expectContains(error?.what ?? "", "has no conditions")
            }
            try await expectEqual(
                daemon.column("title", of: "episodes", "episodes.list", ["filter": "is:played"]), [])
        }
    }

    @Test func everyCommandOfTheManualIsAnswered() async throws {
        try await HandledLibrary.run { daemon in
            let names = try await daemon.column("name", of: "commands", ListCommands.name)
            expectEqual(names, CommandTable.all.map { .string($0.name) })
        }
    }

    @Test func aCommandNeedsItsPermission() async throws {
        try await HandledLibrary.run { daemon in
            let error = await daemon.refusal("feeds.unsubscribe", ["feeds": ["f1"]], as: .read)
            expectEqual(error?.code, .notPermitted)
            try await expectEqual(daemon.column("title", of: "feeds", "feeds.list"), ["Feed"])
        }
    }

    @Test func theQueueIsEditedAndEachEditUndone() async throws {
        try await HandledLibrary.run { daemon in
            let added = try await daemon.call("queue.add", ["what": ["e1", "e2", "e3"]])
            expectEqual(added["length"], 3)
            try await daemon.call("queue.move", ["from": 3, "to": 1])
            func order() async throws -> [JSONValue?] {
                try await daemon.call("queue.list")["entries"]?.arrayValue?.map { $0["episode"]?["id"] } ?? []
            }
            try await expectEqual(order(), [3, 1, 2])
            let removed = try await daemon.call("queue.remove", ["what": ["#2"]])
            expectContains(removed.text, #""title":"Blue""#)
            try await expectEqual(order(), [3, 2])
            try await daemon.call("queue.clear")
            try await expectEqual(order(), [])
            for expected: [JSONValue?] in [[3, 2], [3, 1, 2], [1, 2, 3]] {
                try await daemon.call("playback.undo")
                try await expectEqual(order(), expected)
            }
            try await daemon.call("playback.redo")
            try await expectEqual(order(), [3, 1, 2])
        }
    }

    @Test func theQueueSaysHowLongItPlaysAtTheSpeedsOfItsFeeds() async throws {
        let daemon = try await TestDaemon()
        let handled = HandledLibrary(daemon)
        let episodes = try await daemon.addEpisodes("Long", "Short", "Unknown")
        for (episode, seconds) in zip(episodes, [1200.0, 600]) {
            try await daemon.parts.library.perform {
                try $0.episodes.setMeasuredDuration(MediaTime(seconds: seconds), of: episode)
            }
        }
        func remaining() async throws -> JSONValue? { try await handled.call("queue.list")["remaining"] }
        try await expectEqual(remaining(), ["time": .number(0), "exact": true])
        try await handled.call("queue.add", ["what": ["e1", "e2"]])
        try await expectEqual(remaining(), ["time": .number(1800), "exact": true])
        try await handled.call("queue.add", ["what": ["e3"]])
        try await handled.call("feeds.set", ["feed": "f1", "key": "speed", "value": "1.5"])
        try await expectEqual(remaining(), ["time": .number(1200), "exact": false])
        try await handled.call("feeds.set", ["feed": "f1", "key": "speed"])
        try await handled.call("settings.set", ["key": "playback.speed", "value": "2"])
        try await expectEqual(remaining(), ["time": .number(900), "exact": false])
        await daemon.stop()
    }

    @Test func aFilterIsQueuedWithTheOldestFirst() async throws {
        try await HandledLibrary.run { daemon in
            func queued(_ arguments: JSONValue) async throws -> [JSONValue?] {
                try await daemon.call("queue.clear")
                try await daemon.call("queue.add", arguments)
                return try await daemon.call("queue.list")["entries"]?.arrayValue?.map { $0["episode"]?["id"] } ?? []
            }
            let filter: JSONValue = ["filter:is:unplayed"]
            try await expectEqual(queued(["what": filter]), [3, 2, 1])
            try await expectEqual(queued(["what": filter, "oldestFirst": true]), [1, 2, 3])
            try await expectEqual(queued(["what": filter, "oldestFirst": true, "limit": 2]), [1, 2])
        }
    }

    @Test func anEmptyQueueCannotPlayAndTheErrorSaysWhatToDo() async throws {
        try await HandledLibrary.run { daemon in
            let error = await daemon.refusal("playback.play")
            expectEqual(error?.code, .conflict)
            #expect(error?.hint?.contains("playlist:new") == true)
        }
    }

    @Test func volumeAndSleepTimerAreInTheStatus() async throws {
        try await HandledLibrary.run { daemon in
            try await daemon.call("playback.volume", ["level": 40])
            try await daemon.call("playback.volume", ["change": -15])
            try await expectEqual(daemon.call("status.get")["volume"], 25)
            try await expectEqual(daemon.call("status.get")["state"], "stopped")
            try await daemon.call("playback.sleep", ["when": "end-of-episode"])
            let none = await daemon.refusal("playback.sleep", ["when": "-5m"])
            expectEqual(none?.what, "no sleep timer with a time is set")
            try await daemon.call("playback.sleep", ["when": "10m"])
            let short = await daemon.refusal("playback.sleep", ["when": "-20m"])
            expectEqual(short?.what.hasPrefix("the sleep timer has only "), true)
        }
    }

    @Test func aFeedIsRemovedWithItsEpisodesAndComesBack() async throws {
        try await HandledLibrary.run { daemon in
            try await daemon.call("queue.add", ["what": ["e2"]])
            let removed = try await daemon.call("feeds.unsubscribe", ["feeds": ["Feed"]])
            expectEqual(removed["removed"], ["Feed"])
            try await expectEqual(daemon.column("title", of: "episodes", "episodes.list"), [])
            try await daemon.call("playback.undo")
            try await expectEqual(daemon.column("id", of: "feeds", "feeds.list"), [1])
            try await expectEqual(daemon.call("status.get")["queue"]?["length"], 1)
        }
    }

    @Test func aTagThatNoFeedHasIsNamedWithTheTagsThatExist() async throws {
        try await HandledLibrary.run { daemon in
            for hint in ["to tag a feed: podcastctl set FEED tags nope", "tags: news"] {
                let error = await daemon.refusal("feeds.list", ["tag": "nope"])
                #expect(error?.code == .notFound && error?.what == "no feed has the tag 'nope'")
                expectEqual(error?.hint, hint)
                try await daemon.call("feeds.set", ["feed": "f1", "key": "tags", "value": "news"])
            }
        }
    }

    @Test func aFeedsSettingIsCheckedStoredAndListed() async throws {
        try await HandledLibrary.run { daemon in
            let error = await daemon.refusal("feeds.set", ["feed": "f1", "key": "speed", "value": "fast"])
            expectEqual(error?.code, .invalidArgument)
            try await daemon.call("feeds.set", ["feed": "f1", "key": "speed", "value": "1.5"])
            let settings = try await daemon.call("feeds.settings", ["feed": "f1"])["settings"]?.arrayValue ?? []
            expectEqual(settings.first { $0["key"] == "speed" }?["value"], "1.5")
        }
    }

    @Test func aFeedThatMovedIsReportedThoughItsLoginCannotBeSaved() async throws {
        let daemon = try await TestDaemon()
        let logins = daemon.folder.appending(path: "data/\(LoginFile.name)")
        try FileManager.default.createDirectory(at: logins, withIntermediateDirectories: true)
        let before = daemon.parts.changes.update(of: .feeds, since: 0).revision ?? 0
        let error = await #expect(throws: ControlError.self) {
            try await daemon.parts.setFeed(
                SetFeed { ($0.feed, $0.key, $0.value) = ("f1", "url", "http://me:secret@host/moved") })
        }
        expectEqual(error?.code, .storageFailed)
        let after = daemon.parts.changes.update(of: .feeds, since: before)
        expectEqual(after.changes?.map(\.id), [1])
        await daemon.stop()
    }

    @Test func aKeyThatNoPageHasIsRefused() async throws {
        try await HandledLibrary.run { daemon in
            let error = await daemon.refusal("feeds.list", ["after": "first"])
            expectEqual(error?.what, "invalid key of a row")
            for (method, params) in [
                ("episodes.list", ["after": "1000.1", "before": "1000.1"]),
                ("playlists.show", ["name": "new", "after": "1000.1", "before": "1000.1"]),
            ] as [(String, JSONValue)] {
                let error = await daemon.refusal(method, params)
                expectEqual(error?.code, .invalidArgument)
            }
        }
    }

    @Test func whatIsQueuedAlreadyHasItsPresentIndex() async throws {
        try await HandledLibrary.run { daemon in
            try await daemon.call("queue.add", ["what": ["e3", "e2"]])
            let reply = try await daemon.call("queue.insert", ["what": ["e1", "e2"]])
            expectEqual(reply["already"]?.arrayValue?.map { $0["index"] }, [3])
        }
    }

    @Test func aPlaylistShowsWhatItsConditionsMatch() async throws {
        try await HandledLibrary.run { daemon in
            try await daemon.call("playlists.save", ["name": "deep", "filter": "title:sperm"])
            try await expectEqual(
                daemon.column("title", of: "episodes", "playlists.show", ["name": "deep"]), ["Sperm"])
            try await daemon.call("playlists.remove", ["name": "deep"])
            let names = try await daemon.column("name", of: "playlists", "playlists.list")
            #expect(!names.contains("deep"))
        }
    }

    @Test func aRuleIsTriedBeforeItIsApplied() async throws {
        try await HandledLibrary.run { daemon in
            let rule: JSONValue = ["rule": "title:grey then queue"]
            try await daemon.call("rules.add", rule)
            try await expectEqual(daemon.column("rule", of: "rules", "rules.list"), [#"title:"grey" then queue"#])
            let tried = try await daemon.call("rules.try")["episodes"]?.arrayValue ?? []
            expectEqual(tried.first { $0["title"] == "Grey" }?["action"], "queue")
            try await expectEqual(daemon.call("status.get")["queue"]?["length"], 0)
            try await daemon.call("rules.remove", ["rule": 1])
            try await expectEqual(daemon.column("rule", of: "rules", "rules.list"), [])
        }
    }

    @Test func aBookmarkIsListedEditedAndRemoved() async throws {
        try await HandledLibrary.run { daemon in
            try await daemon.call("bookmarks.add", ["episode": "e1", "at": "1:01", "text": "song"])
            try await expectEqual(daemon.column("position", of: "bookmarks", "bookmarks.list"), [61.0])
            try await daemon.call("bookmarks.edit", ["bookmark": 1, "text": "whale song"])
            try await expectEqual(daemon.column("text", of: "bookmarks", "bookmarks.list"), ["whale song"])
            try await daemon.call("bookmarks.remove", ["bookmarks": [1]])
            try await expectEqual(daemon.column("text", of: "bookmarks", "bookmarks.list"), [])
        }
    }

    @Test func aRetentionPolicyIsTriedThenSetThenUndone() async throws {
        try await HandledLibrary.run { daemon in
            func titles() async throws -> [JSONValue?] {
                try await daemon.column("title", of: "episodes", "episodes.list")
            }
            let tried = try await daemon.call("retention.try", ["feed": "f1", "keep": "newest:1"])
            expectEqual(tried["count"], 2)
            try await expectEqual(titles(), ["Sperm", "Grey", "Blue"])
            let set = try await daemon.call("retention.set", ["feed": "f1", "keep": "newest:1"])
            expectEqual(set["hidden"], 2)
            try await expectEqual(daemon.column("keep", of: "retention", "retention.list"), ["newest:1"])
            try await expectEqual(daemon.call("retention.try", ["feed": "f1", "keep": "off"])["count"], 0)
            try await daemon.call("playback.undo")
            try await expectEqual(daemon.column("keep", of: "retention", "retention.list"), [])
        }
    }

    @Test func anOutputIsSwitchedOffAndOn() async throws {
        try await HandledLibrary.run { daemon in
            let name = try await #require(daemon.column("name", of: "outputs", "outputs.list").first ?? nil)
            for (method, isEnabled) in [("outputs.disable", false), ("outputs.enable", true)] {
                try await daemon.call(method, ["name": name])
                try await expectEqual(daemon.column("enabled", of: "outputs", "outputs.list"), [.bool(isEnabled)])
            }
            let error = await daemon.refusal("outputs.disable", ["name": "none"])
            #expect(error?.code == .notFound && error?.hint?.contains("podcastctl outputs lists them") == true)
        }
    }

    @Test func outputsAreAddedSetUpAndRemovedUntilUndo() async throws {
        try await HandledLibrary.run { daemon in
            func outputs(_ member: String) async throws -> [JSONValue?] {
                try await daemon.column(member, of: "outputs", "outputs.list")
            }
            try await daemon.call("outputs.add", ["name": "kitchen", "specification": "null?rate=48000"])
            try await expectEqual(outputs("name"), ["null", "kitchen"])
            try await daemon.call("outputs.volume", ["name": "kitchen", "volume": 60])
            try await daemon.call("outputs.delay", ["name": "kitchen", "delay": "80ms"])
            try await daemon.call("outputs.only", ["name": "kitchen"])
            try await expectEqual(outputs("enabled"), [false, true])
            try await expectEqual(outputs("volume"), [100, 60])
            try await expectEqual(outputs("delay"), [0, 80])
            try await daemon.call("playback.undo")
            try await expectEqual(outputs("enabled"), [true, true])
            try await daemon.call("playback.redo")
            try await expectEqual(outputs("enabled"), [false, true])
            try await daemon.call("playback.undo")
            try await daemon.call("outputs.remove", ["name": "kitchen"])
            try await expectEqual(outputs("name"), ["null"])
            try await daemon.call("playback.undo")
            try await expectEqual(outputs("delay"), [0, 80])
            for (name, params) in [
                ("outputs.remove", ["name": "null"]), ("outputs.enable", ["name": "cellar"]),
                ("outputs.add", ["name": "file", "specification": "wav:/tmp/x.wav"]),
                ("outputs.add", ["name": "kitchen", "specification": "null"]),
                ("outputs.delay", ["name": "kitchen", "delay": "5 s"]),
            ] as [(String, JSONValue)] {
                await #expect(throws: (any Error).self, "\(name) \(params)") { try await daemon.call(name, params) }
            }
        }
    }

    @Test func aSettingKeepsItsValueUntilItIsReset() async throws {
        try await HandledLibrary.run { daemon in
            try await daemon.call("settings.set", ["key": "queue.keep_played", "value": "yes"])
            try await expectEqual(daemon.call("settings.get", ["key": "queue.keep_played"])["active"], "yes")
            try await daemon.call("settings.reset", ["key": "queue.keep_played"])
            try await expectEqual(daemon.call("settings.get", ["key": "queue.keep_played"])["active"], "no")
            // A client does not start programs.
            let error = await daemon.refusal("settings.set", ["key": "output.sink", "value": "pipe:touch /tmp/owned"])
            expectEqual(error?.code, .notPermitted)
        }
    }

    @Test func anActivityIsListedUntilItsClientEndsIt() async throws {
        try await HandledLibrary.run { daemon in
            let begun = try await daemon.call(
                "activities.begin", ["kind": "subscribing", "message": "importing feeds"])
            let id = try #require(begun["id"])
            try await expectEqual(daemon.column("message", of: "activities", "activities.list"), ["importing feeds"])
            try await daemon.call("activities.end", ["id": id])
            try await expectEqual(daemon.column("message", of: "activities", "activities.list"), [])
        }
    }

    @Test func theLibraryIsBackedUpAndItsFiguresAreCounted() async throws {
        try await HandledLibrary.run { daemon in
            let backup = try await daemon.call("library.backup")
            #expect(backup["path"]?.stringValue?.isEmpty == false, "\(backup)")
            let names = try await daemon.column("name", of: "metrics", "metrics.get")
            #expect(names.contains("podcastd_queue_entries") && names.contains("podcastd_new_episodes"))
        }
    }
}
