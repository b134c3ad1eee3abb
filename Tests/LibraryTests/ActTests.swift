@testable import Library
import PodcastModel
import SQLite
import TestSupport
import Testing

/// Every kind of act: undo restores the library's previous state, and redo the later one.
struct ActTests {
    /// What an act is done to: a feed of five episodes, of which some are queued, played and noted, and another feed.
    final class Scene {
        let library: TemporaryLibrary
        var store: LibraryStore
        let feed: FeedID
        let other: FeedID
        let ids: [EpisodeID]
        let entries: [QueueEntry]

        init() throws {
            library = try TemporaryLibrary()
            store = try library.open()
            feed = try store.addFeed(items: (1...5).map { item($0) }, title: "Example Show")
            other = try store.addFeed("other", items: [item(3), item(60)], title: "Other Show")
            ids = try store.all(EpisodeFilter(feed: feed), order: .oldestFirst).map(\.id)
            let second = try store.all(EpisodeFilter(feed: other), order: .oldestFirst).map(\.id)
            entries = try store.queue.insertEntries([ids[0], second[1], ids[1], ids[2]], at: 0)
            try store.queue.setCurrentEntry(entries[1].id)
            try store.episodes.savePosition(MediaTime(seconds: 61), of: ids[1], at: day0, isDurable: true)
            try store.episodes.savePosition(MediaTime(seconds: 5), of: second[0], at: day0, isDurable: true)
            try store.episodes.setStarred(true, [ids[2]])
            try store.episodes.setNote("remember", of: ids[3])
            try store.episodes.setPlayed(true, [ids[4]], at: day0)
            try store.setDownloaded([ids[3]])
            try store.feeds.setSetting("user_agent", to: "me", of: feed)
            try store.imports.setTags(["news"], of: feed)
            _ = try store.rules.addRule(RuleText(parsing: "title:a then queue"), feed: nil)
            _ = try store.rules.addRule(RuleText(parsing: "title:b then skip"), feed: feed)
            try store.retention.setRetention(RetentionPolicy(parsing: "newest:100"), of: feed)
            try store.playlists.savePlaylist(
                Playlist(name: "Mine", filter: try EpisodeExpression(parsing: "is:new")))
            try store.history.recordSettings(
                [.init(.key("playback.speed"), from: nil, to: "1.5")], as: .speed, title: "playback.speed", at: day0)
            try store.forgetSteps()
        }

        /// What users decided, and what is seen of it; without times of fetches and of downloads.
        func dump() throws -> [String] {
            let connection = try library.connection()
            let tables: [(table: String, columns: String, order: String)] = [
                ("feed", "id, kind, url, title, last_episode", "id"),
                ("former_url", "url, feed", "url"), ("feed_setting", "feed, name, value", "feed, name"),
                ("feed_tag", "feed, tag", "feed, tag"), ("feed_count", "*", "feed"), ("library_count", "*", "id"),
                ("episode", "id, feed, section, starred, downloaded, visibility, guid_key, url_key", "id"),
                ("playback", "*", "episode"), ("note", "*", "episode"),
                ("bookmark", "*", "id"), ("queue_entry", "*", "place, id"),
                ("queue_state", "*", "id"), ("client_setting", "*", "name"), ("download_request", "episode", "episode"),
                ("rule", "*", "id"),
                ("retention", "feed, policy", "feed"), ("smart_playlist", "*", "id"),
                ("imported_episode", "*", "id"),
                ("removed_feed", "feed, url, former_urls, last_episode", "feed"),
            ]
            var lines: [String] = []
            for (table, columns, order) in tables {
                let query = try connection.statement("SELECT \(columns) FROM \(table) ORDER BY \(order)")
                while try query.step() {
                    let values = (0..<Int32(12)).map { query.optionalText($0) ?? "" }
                    lines.append("\(table): \(values.joined(separator: "|"))")
                }
            }
            return lines
        }
    }

    struct TriedAct: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let kind: Act
        let run: @Sendable (Scene) throws -> Void

        init(_ name: String, _ kind: Act, _ run: @escaping @Sendable (Scene) throws -> Void) {
            (testDescription, self.kind, self.run) = (name, kind, run)
        }
    }

    static let acts: [TriedAct] = [
        TriedAct("seek", .seek) {
            try $0.store.history.recordSeek(of: $0.ids[1], from: MediaTime(seconds: 90), at: day0)
        },
        TriedAct("mark played", .markedPlayed) {
            try $0.store.episodes.setPlayed(true, [$0.ids[0], $0.ids[1]], at: day0)
        },
        TriedAct("mark unplayed", .markedUnplayed) { try $0.store.episodes.setPlayed(false, [$0.ids[4]], at: day0) },
        TriedAct("finish", .markedPlayed) {
            try $0.store.queue.finishEntry($0.entries[2], heard: nil, keepsEntry: false, at: day0)
        },
        TriedAct("remove entries", .removed) {
            try $0.store.queue.removeEntries([$0.entries[0].id, $0.entries[1].id])
        },
        TriedAct("clear", .cleared) { try $0.store.queue.clearEntries() },
        TriedAct("move", .moved) { try $0.store.queue.moveEntries([$0.entries[0].id], to: 2) },
        TriedAct("shuffle", .shuffled) { try $0.store.queue.reorderEntries($0.entries.map(\.id).reversed()) },
        TriedAct("add", .added) { _ = try $0.store.queue.insertEntries([$0.ids[3], $0.ids[4]], at: 1) },
        TriedAct("star", .starred) { try $0.store.episodes.setStarred(true, [$0.ids[0], $0.ids[1]]) },
        TriedAct("unstar", .unstarred) { try $0.store.episodes.setStarred(false, [$0.ids[2]]) },
        TriedAct("note", .noted) { try $0.store.episodes.setNote("new", of: $0.ids[0]) },
        TriedAct("remove a note", .noted) { try $0.store.episodes.setNote(nil, of: $0.ids[3]) },
        TriedAct("bookmark", .bookmarked) {
            _ = try $0.store.bookmarks.addBookmark(
                PortableBookmark(position: MediaTime(seconds: 5), text: "here", created: day0), to: $0.ids[0])
        },
        TriedAct("unsubscribe", .unsubscribed) { try $0.store.feeds.removeFeed($0.feed, at: day0) },
        TriedAct("subscribe", .subscribed) {
            _ = try $0.store.feeds.addFeed(url: "https://new.example/feed", title: "New Show", at: day0)
        },
        TriedAct("rename", .set) { try $0.store.feeds.setSetting("title", to: "My Show", of: $0.feed) },
        TriedAct("set a setting", .set) { try $0.store.feeds.setSetting("user_agent", to: "you", of: $0.feed) },
        TriedAct("remove a setting", .set) { try $0.store.feeds.setSetting("user_agent", to: nil, of: $0.feed) },
        TriedAct("set an interval", .set) { try $0.store.feeds.setSetting("refresh", to: "off", of: $0.feed) },
        TriedAct("tag", .set) { try $0.store.imports.setTags(["tech", "news/world"], of: $0.feed) },
        TriedAct("set the URL", .set) { try $0.store.feeds.moveFeed($0.feed, to: "https://new.example/moved") },
        TriedAct("set a setting of the daemon", .set) {
            try $0.store.history.recordSettings(
                [.init(.key("playback.mono"), from: nil, to: "yes")], as: .set, title: "playback.mono", at: day0)
        },
        TriedAct("change a setting of the daemon", .speed) {
            try $0.store.history.recordSettings(
                [.init(.key("playback.speed"), from: "1.5", to: "2")], as: .speed, title: "playback.speed", at: day0)
        },
        TriedAct("reset a setting of the daemon", .set) {
            try $0.store.history.recordSettings(
                [.init(.key("playback.speed"), from: "1.5", to: nil)], as: .set, title: "playback.speed", at: day0)
        },
        TriedAct("add a rule", .rule) {
            _ = try $0.store.rules.addRule(RuleText(parsing: "title:c then played"), feed: nil)
        },
        TriedAct("remove a rule", .rule) {
            try $0.store.rules.removeRule($0.store.rules.rules().first?.id ?? RuleID(0))
        },
        TriedAct("move a rule", .rule) {
            try $0.store.rules.moveRule($0.store.rules.rules().last?.id ?? RuleID(0), to: 0)
        },
        TriedAct("set retention", .retention) {
            try $0.store.retention.setRetention(RetentionPolicy(parsing: "until:played"), of: $0.feed)
        },
        TriedAct("remove retention", .retention) { try $0.store.retention.setRetention(nil, of: $0.feed) },
        TriedAct("save a playlist", .playlist) {
            try $0.store.playlists.savePlaylist(
                Playlist(name: "More", filter: try EpisodeExpression(parsing: "is:starred")))
        },
        TriedAct("change a playlist", .playlist) {
            try $0.store.playlists.savePlaylist(
                Playlist(name: "mine", filter: try EpisodeExpression(parsing: "is:starred"), order: .oldestFirst))
        },
        TriedAct("remove a playlist", .playlist) { try $0.store.playlists.removePlaylist(named: "Mine") },
        TriedAct("download", .downloaded) {
            try $0.store.downloads.requestDownloads(of: [$0.ids[0], $0.ids[3]], at: day0)
        },
        TriedAct("merge feeds", .feedsMerged) { _ = try $0.store.feeds.mergeFeed($0.other, into: $0.feed, at: day0) },
        TriedAct("import", .imported) { scene in
            let store = scene.store
            try store.history.act(.imported, title: "feeds.opml") {
                _ = try store.imports.importFeeds(
                    [
                        PortableFeed(
                            url: "https://new.example/feed", title: "New Show", tags: ["a"], settings: ["x": "y"]),
                        PortableFeed(url: "https://feeds.example/show", tags: ["b"]),
                    ], at: day0)
                var played = PortableEpisode(EpisodeIdentity(guid: "guid-1", url: "https://cdn.example/show/1.mp3"))
                (played.isPlayed, played.marked, played.isStarred) = (true, day0, true)
                var waiting = PortableEpisode(EpisodeIdentity(guid: "guid-9", url: "https://cdn.example/show/9.mp3"))
                (waiting.note, waiting.queueIndex) = ("wait", 0)
                _ = try store.imports.importEpisodes(
                    [played, waiting], of: scene.feed, queueStart: try store.imports.queueEnd())
                _ = try store.imports.importPolicies([PortablePolicy(.rule, "title:z then skip")])
            }
        },
    ]

    @Test(arguments: acts)
    func undoneTheLibraryIsAsBeforeAndDoneAgainAsAfter(act: TriedAct) throws {
        let scene = try Scene()
        let before = try scene.dump()
        try act.run(scene)
        let after = try scene.dump()
        try #require(before != after || act.kind == .seek)
        try expectEqual(scene.store.history.undoableSteps().map(\.act), [act.kind])
        // Another process undoes.
        scene.store = try scene.library.open()
        let undone = try #require(try scene.store.history.undoLast())
        #expect(undone.kind == act.kind && undone.obstacle == nil)
        // What a feed that was added has stays hidden.
        let isAdded = [.subscribed, .imported].contains(act.kind)
        func known(_ lines: [String]) -> [String] {
            let added = ["feed: 3|", "feed_count: 3|", "removed_feed: 3|"]
            // The files of a feed that is removed are deleted; what brings the feed back requests the downloads again.
            let deleted = ["feed_count: 1|", "library_count: ", "episode: 4|", "download_request: 4|"]
            let others = isAdded ? added : act.kind == .unsubscribed ? deleted : []
            return lines.filter { line in !others.contains(where: line.hasPrefix) }
        }
        if act.kind != .seek { expectEqual(known(try scene.dump()), known(before)) }
        try expectEqual(scene.store.feeds.feeds().count, 2)
        try expectEqual(scene.store.history.undoLast(), nil)
        scene.store = try scene.library.open()
        let redone = try #require(try scene.store.history.redoLast())
        expectEqual(redone.kind, act.kind)
        try expectEqual(scene.dump(), after)
        try expectEqual(scene.store.history.redoLast(), nil)
        try expectEqual(scene.store.history.undoLast()?.kind, act.kind)
        if act.kind != .seek { expectEqual(known(try scene.dump()), known(before)) }
        try expectEqual(scene.library.number("SELECT count(*) FROM pragma_foreign_key_check"), 0)
    }

    @Test func allActsAreUndoneInOrderWithRefreshesInBetweenAndDoneAgain() throws {
        let scene = try Scene()
        let last: [Act] = [.cleared, .unsubscribed]
        var count = 5
        func refresh() throws {
            count += 1
            _ = try scene.store.refreshes.merge(
                document((1...count).map { item($0) }, title: "Example Show"), into: scene.feed, fetched())
        }
        var done: [Act] = []
        let acts = Self.acts.filter { $0.kind != .feedsMerged }
        for act in acts.filter({ !last.contains($0.kind) }) + acts.filter({ last.contains($0.kind) }) {
            let steps = try scene.store.history.undoableSteps().count
            // An act fails if an earlier one removed its objects.
            do { try act.run(scene) } catch is LibraryError {}
            let kinds = try scene.store.history.undoableSteps().map(\.act)
            if kinds.count > steps { done.insert(kinds[0], at: 0) }
            if try !scene.store.refreshes.refreshTargets([scene.feed]).isEmpty, count < 9 { try refresh() }
        }
        #expect(done.count > 15)
        var undone: [Act] = []
        // Of some, nothing is left to undo after the others.
        while let step = try scene.store.history.undoLast() {
            if step.obstacle == nil { undone.append(step.kind) }
        }
        #expect(Set(undone).isSuperset(of: [.unsubscribed, .starred, .rule, .set, .playlist]))
        try expectEqual(scene.store.feeds.feeds().map(\.title), ["Example Show", "Other Show"])
        try expectEqual(scene.store.queue.queue().entries.map(\.id), scene.entries.map(\.id))
        #expect(try scene.store.episodes.episode(scene.ids[2]).state.isStarred)
        try expectEqual(scene.store.episodes.episode(scene.ids[3]).state.note, "remember")
        try expectEqual(scene.store.episodes.episode(scene.ids[1]).state.position, MediaTime(seconds: 90))
        try expectEqual(scene.store.rules.rules().count, 2)
        try expectEqual(scene.store.all(EpisodeFilter(feed: scene.feed)).count, count)
        var redone: [Act] = []
        while let step = try scene.store.history.redoLast() { redone.append(step.kind) }
        expectEqual(redone, undone.reversed())
        try expectEqual(scene.library.number("SELECT count(*) FROM pragma_foreign_key_check"), 0)
    }

    @Test func anotherActEndsWhatCanBeDoneAgain() throws {
        let scene = try Scene()
        try scene.store.episodes.setStarred(true, [scene.ids[0]])
        try expectEqual(scene.store.history.undoLast()?.kind, .starred)
        try scene.store.episodes.setNote("x", of: scene.ids[0])
        try expectEqual(scene.store.history.redoLast(), nil)
        try expectEqual(scene.store.history.undoableSteps().map(\.act), [.noted])
    }

    @Test func theDeletionOfAFileIsUndoneByFetchingItAgain() throws {
        let scene = try Scene()
        try scene.store.downloads.deleteDownloads(of: [scene.ids[3]])
        let undone = try #require(try scene.store.history.undoLast())
        #expect(undone.kind == .deleted && undone.requested == [scene.ids[3]])
        try expectEqual(scene.store.downloads.requestedDownloads(limit: 9), [scene.ids[3]])
        try expectEqual(scene.store.history.redoLast()?.dropped.contains(scene.ids[3]), true)
        #expect(try scene.store.downloads.requestedDownloads(limit: 9).isEmpty)
    }

    @Test func aDownloadThatCameIsDroppedWhenItsRequestIsUndone() throws {
        let scene = try Scene()
        try scene.store.downloads.requestDownloads(of: [scene.ids[0]], at: day0)
        #expect(try scene.store.downloadCame(for: scene.ids[0]))
        try expectEqual(scene.store.history.undoLast()?.dropped, [scene.ids[0]])
        try expectEqual(scene.store.downloads.downloadedEpisodes(), [scene.ids[3]])
    }

    @Test func whatSomebodyElseHasByNowIsNotTakenAwayAndIsToldOnce() throws {
        let scene = try Scene()
        try scene.store.episodes.setStarred(true, [scene.ids[0]])
        try scene.store.feeds.moveFeed(scene.feed, to: "https://new.example/moved")
        try scene.library.connection().execute(
            "DELETE FROM former_url; UPDATE feed SET url = 'https://feeds.example/show' WHERE id = \(scene.other)")
        let before = try scene.dump()
        let undone = try #require(try scene.store.history.undoLast())
        #expect(undone.kind == .set && undone.obstacle?.contains("has the URL") == true)
        try expectEqual(scene.dump(), before)
        try expectEqual(scene.store.history.undoLast()?.kind, .starred)
    }

    @Test func aStepThatIsTooLargeIsNotUndone() throws {
        let scene = try Scene()
        let id = scene.ids[0]
        try scene.store.history.act(.imported, title: "big.json") {
            for part in 0..<40 {
                try scene.store.episodes.setNote(String(repeating: "\(part % 10)", count: 500_000), of: id)
            }
        }
        try expectEqual(scene.store.history.undoLast()?.obstacle, "it changed too much")
        try expectEqual(scene.store.episodes.episode(id).state.note?.count, 500_000)
        try expectEqual(scene.library.number("SELECT count(*) FROM undo_change"), 0)
    }

    @Test func refreshesAndPlayingRecordNothing() throws {
        let scene = try Scene()
        _ = try scene.store.refreshes.merge(
            document((1...9).map { item($0) }, title: "Renamed"), into: scene.feed, fetched())
        try scene.store.episodes.savePosition(MediaTime(seconds: 7), of: scene.ids[0], at: day0, isDurable: true)
        try scene.store.refreshes.absorb(scene.other, into: scene.feed, at: day0)
        #expect(try scene.store.history.undoableSteps().isEmpty)
        try expectEqual(scene.library.number("SELECT count(*) FROM undo_change"), 0)
    }
}
