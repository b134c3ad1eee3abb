@testable import Library
import PodcastModel
import SQLite
import TestSupport
import Testing

/// Playlists whose episodes the user adds, and those of several filters.
struct PlaylistTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore
    private let episodes: [EpisodeID]
    private let now = day0.adding(days: 40)

    init() throws {
        (library, store) = try openLibrary()
        _ = try store.addFeed(items: (1...6).map { item($0) })
        episodes = try store.all(order: .oldestFirst).map(\.id)
    }

    private func make(_ name: String, _ indexes: [Int], _ content: PlaylistContent = .byHand) throws -> QueueStore {
        try store.playlists.savePlaylist(Playlist(name: name, content))
        let list = store.playlists.list(name)
        _ = try list.insertEntries(indexes.map { episodes[$0] }, at: 0)
        return list
    }

    /// The entries of all playlists by hand, and of the queue, as indexes of episodes.
    private func lists() throws -> [String: [Int]] {
        func indexes(_ list: QueueStore) throws -> [Int] {
            try list.queue().entries.compactMap { episodes.firstIndex(of: $0.episode) }
        }
        var lists = ["": try indexes(store.queue)]
        for playlist in try store.playlists.all() where playlist.content.isByHand {
            lists[playlist.name] = try indexes(store.playlists.list(playlist.name))
        }
        return lists
    }

    @Test func randomEditsLeaveTheOrderOfArraysInEachList() throws {
        let all = [store.queue, try make("one", []), try make("two", [])]
        var expected: [[QueueEntry]] = [[], [], []]
        var random = SeededNumbers(state: 11)
        for _ in 0..<400 {
            let which = Int.random(in: 0..<3, using: &random)
            let place = Int.random(in: 0...expected[which].count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let episode = episodes.randomElement(using: &random)!
                expected[which].insert(contentsOf: try all[which].insertEntries([episode], at: place), at: place)
            case 2 where place < expected[which].count:
                let entry = expected[which].remove(at: place)
                let target = Int.random(in: 0...expected[which].count, using: &random)
                expected[which].insert(entry, at: target)
                try all[which].moveEntries([entry.id], to: target)
            case 3 where place < expected[which].count:
                try all[which].removeEntries([expected[which].remove(at: place).id])
            default: break
            }
        }
        for (list, entries) in zip(all, expected) { try expectEqual(list.queue().entries, entries) }
    }

    @Test func eachEditIsUndoneAndRedone() throws {
        let list = try make("mine", [0, 1, 2])
        _ = try store.queue.insertEntries([episodes[4]], at: 0)
        let edits: [(String, () throws -> Void)] = [
            ("add", { _ = try list.insertEntries([episodes[3], episodes[0]], at: 1) }),
            ("move", { try list.moveEntries([try list.queue().entries[2].id], to: 0) }),
            ("remove", { try list.removeEntries([try list.queue().entries[1].id]) }),
            ("clear", { try list.clearEntries() }),
            ("rename", { try store.playlists.rename("MINE", to: "Yours") }),
            ("remove the playlist", { try store.playlists.removePlaylist(named: "Mine") }),
            (
                "replace by a filter",
                {
                    try store.playlists.savePlaylist(Playlist(name: "mine", filter: EpisodeExpression()))
                }
            ),
        ]
        let before = try lists()
        for (name, edit) in edits {
            try edit()
            let after = try lists()
            #expect(after != before, "\(name)")
            let undone = try store.history.turnLast(.undo, step: nil, at: now)
            #expect(undone?.kind == .playlist && undone?.obstacle == nil, "\(name): \(String(describing: undone))")
            try expectEqual(lists(), before, "\(name)")
            _ = try store.history.turnLast(.redo, step: nil, at: now)
            try expectEqual(lists(), after, "\(name)")
            _ = try store.history.turnLast(.undo, step: nil, at: now)
        }
    }

    @Test func heardEpisodesStayOrGoAsThePlaylistSays() throws {
        _ = try make("stay", [0, 1])
        _ = try make("leave", [0, 1, 0], .entries(keepsHeard: false))
        try store.episodes.setPlayed(true, [episodes[0]], at: now)
        try expectEqual(lists(), ["": [], "stay": [0, 1], "leave": [1]])
        _ = try store.history.turnLast(.undo, step: nil, at: now)
        try expectEqual(lists(), ["": [], "stay": [0, 1], "leave": [0, 1, 0]])
    }

    @Test func anEpisodeOfAPlaylistIsNotHidden() throws {
        _ = try make("mine", [0])
        try store.retention.setRetention(try RetentionPolicy(parsing: "newest:1"), of: nil)
        var round = RetentionRound(at: now)
        while try round.advance(in: store) != nil {}
        try expectEqual(store.all(order: .oldestFirst).map(\.id), [episodes[0], episodes[5]])
    }

    @Test func aPlaylistHasABoundedNumberOfEntries() throws {
        let list = try make("mine", [])
        let many = Array(repeating: episodes[0], count: QueueStore.maximumOfList)
        _ = try list.insertEntries(many, at: 0)
        #expect(throws: LibraryError.refused("a playlist has at most 10000 episodes")) {
            try list.insertEntries([episodes[1]], at: 0)
        }
        _ = try store.queue.insertEntries([episodes[1]], at: 0)
    }

    @Test func aRuleAddsToAPlaylistOnce() throws {
        _ = try store.rules.addRule(RuleText(parsing: "then add to playlist \"My news\" download"), feed: nil)
        try expectEqual(store.rules.rules().map(\.text.description), ["then add to playlist \"My news\" download"])
        for _ in 1...2 {
            _ = try store.rules.applyToStoredEpisodes(EpisodeFilter(), after: nil, nextIndex: nil, at: now)
        }
        try expectEqual(lists(), ["": [], "My news": [0, 1, 2, 3, 4, 5]])
        _ = try store.history.turnLast(.undo, step: nil, at: now)
        try expectEqual(lists(), ["": []])
        try expectEqual(
            RuleText(parsing: "then queue, add to playlist mine, and download").description,
            "then queue add to playlist \"mine\" download")
        for wrong in ["then playlist", "then playlist a playlist b", "then playlist a skip"] {
            #expect(throws: ExpressionError.self) { try RuleText(parsing: wrong) }
        }
    }

    @Test func filtersTakeTurnsAndEachEpisodeComesOnce() throws {
        let mix = Playlist(name: "mix", try PlaylistContent(parsing: "order:newest is:unplayed order:oldest"))
        try store.playlists.savePlaylist(mix)
        try expectEqual(store.playlists.playlist(named: "mix"), mix)
        let entries = try #require(try store.playlists.entries(of: mix, at: now))
        expectEqual(entries.map { episodes.firstIndex(of: $0.episode) }, [5, 0, 4, 1, 3, 2])
        try expectEqual(store.playlists.entries(of: Playlist(name: "x", filter: EpisodeExpression()), at: now), nil)
    }

    @Test func contentsAreWrittenAsTheyAreRead() throws {
        for text in [
            "", "is:unplayed", "order:oldest is:unplayed", "order:any", "by:hand", "by:hand heard:leave",
            "order:newest feed:f1 order:length feed:f2 \"or\"", "order:newest order:oldest is:starred",
        ] {
            try expectEqual(PlaylistContent(parsing: text).description, text)
        }
        try expectEqual(PlaylistContent(parsing: "is:unplayed order:oldest").description, "order:oldest is:unplayed")
        try expectEqual(PlaylistContent(parsing: " by:hand  heard:leave ").description, "by:hand heard:leave")
        for text in ["order:never", "order:oldest,newest", "(order:oldest is:new)", "by:foot", "is:new order:"] {
            #expect(throws: ExpressionError.self) { try PlaylistContent(parsing: text) }
        }
    }

    @Test func eachOrderHasPagesInBothDirections() throws {
        _ = try store.addFeed("another", items: (7...9).map { item($0) })
        let all = Set(try store.all().map(\.id))
        try store.episodes.savePosition(MediaTime(seconds: 200), of: episodes[2], at: now, isDurable: true)
        for order in EpisodeOrder.allCases where order != .lastHeardFirst {
            for filter in [
                EpisodeFilter(), EpisodeFilter(try EpisodeExpression(parsing: "not title:nothing"), at: now),
            ] {
                var found: [EpisodeID] = []
                var anchor = PageAnchor.first
                while true {
                    let page = try store.episodes.page(filter, order: order, at: anchor, limit: 2)
                    found += page.episodes.map(\.id)
                    guard page.hasAfter, let last = page.episodes.last else { break }
                    anchor = .after(EpisodeKey(of: last, order))
                }
                #expect(found.count == all.count && Set(found) == all, "\(order): \(found)")
                let end = try store.episodes.page(filter, order: order, at: .last, limit: 2).episodes.map(\.id)
                expectEqual(end, found.suffix(2).map(\.self), "\(order)")
                let last = try store.episodes.episode(found[8])
                let back = try store.episodes.page(
                    filter, order: order, at: .before(EpisodeKey(of: last, order)), limit: 3)
                expectEqual(back.episodes.map(\.id), found[5..<8].map(\.self), "\(order)")
            }
        }
        let furthest = try store.episodes.page(EpisodeFilter(), order: .furthestFirst, at: .first, limit: 1)
        expectEqual(furthest.episodes.map(\.id), [episodes[2]])
        let shows = try store.episodes.page(EpisodeFilter(), order: .byShow, at: .first, limit: 1)
        expectEqual(shows.episodes.first?.feedTitle, "another")
    }

    @Test func exportedPlaylistsAreImportedWithTheirOrderOnce() throws {
        let list = try make("mine", [3, 0, 5])
        try list.moveEntries([try list.queue().entries[2].id], to: 0)
        _ = try store.queue.insertEntries([episodes[3]], at: 0)
        let (folder, other) = try openLibrary()
        defer { withExtendedLifetime(folder) {} }
        let feed = try other.addFeed(items: [item(6), item(4)])
        for _ in 1...2 {
            _ = try other.imports.importPolicies(try store.imports.exportedPolicies { $0 })
            let exported = try store.imports.exportedEpisodes(try store.imports.exportedKeys()[...])
            _ = try other.imports.importEpisodes(
                exported, of: feed, queueStart: try other.imports.queueEnd())
        }
        func titles() throws -> [String] {
            try other.playlists.list("mine").queue().entries.map { try other.episodes.episode($0.episode).title }
        }
        let expected = try list.queue().entries.map { try store.episodes.episode($0.episode).title }
        try expectEqual(titles(), [expected[0], expected[1]])
        // The third one waits for a refresh.
        _ = try other.refreshes.merge(document((1...6).map { item($0) }), into: feed, fetched())
        try expectEqual(titles(), expected)
        try expectEqual(other.queue.queue().entries.count, 1)
    }

    @Test func aLibraryOfAnOlderVersionKeepsQueueAndPlaylists() throws {
        let folder = try TemporaryLibrary()
        func open(_ steps: Int) throws -> LibraryStore {
            try LibraryStore(
                path: folder.path, options: LibraryOptions(busyTimeout: .zero, cacheKiB: 1_024, checkpointPages: 1_000),
                clock: ClosureClock { start }, migrations: Array(Migration.all.prefix(steps)))
        }
        _ = try open(9)
        try folder.connection().execute(
            """
            INSERT INTO feed(id, url, title, subscribed, last_episode) VALUES (1, 'https://feeds.example/old', 'Old', 0, 0);
            INSERT INTO smart_playlist(name, filter, oldest_first) VALUES ('Old', 'is:unplayed', 1), ('New', 'is:new', 0);
            """)
        let store = try open(Migration.all.count)
        try expectEqual(
            store.playlists.all().map(\.content.description), ["is:new", "order:oldest is:unplayed"])
        try expectEqual(store.queue.queue().entries, [])
        let texts = try store.changes.page(since: 0, limit: 9).changes.compactMap(\.value?.text)
        expectEqual(texts.sorted(), ["is:new", "order:oldest is:unplayed"])
    }
}
