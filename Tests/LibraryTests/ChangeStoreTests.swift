@testable import Library
import PodcastModel
import SQLite
import SystemCalls
import TestSupport
import Testing

/// Two libraries that share what the user set or chose.
@Suite struct ChangeStoreTests {
    private static let feed = "https://feeds.example/show"

    private let folders: [TemporaryLibrary]
    private let (here, there): (LibraryStore, LibraryStore)
    private let now = Timestamp.now

    init() throws {
        let (first, second) = (try openLibrary(), try openLibrary())
        folders = [first.0, second.0]
        (here, there) = (first.1, second.1)
        for store in [here, there] { _ = try store.addFeed(items: (1...3).map { item($0) }) }
        try send(from: here, to: there)
        try send(from: there, to: here)
    }

    /// Lets the time go on: what is done next is later on both sides.
    private func wait() throws {
        for folder in folders { try folder.connection().execute("UPDATE change_log SET revision = revision + 1000") }
    }

    /// The titles in the queue, or in a playlist by hand.
    private func queue(_ store: LibraryStore, _ playlist: String? = nil) throws -> [String] {
        let list = playlist.map(store.playlists.list) ?? store.queue
        return try list.queue().entries.map { try store.episodes.episode($0.episode).title }
    }

    private func contents(_ store: LibraryStore) throws -> [ChangeContent] {
        try store.changes.page(since: 0, limit: 1_000).changes.map(\.content).filter { !$0.isRemoval }.sorted {
            "\($0)" < "\($1)"
        }
    }

    /// Brings all changes after a revision from one library to the other.
    @discardableResult
    private func send(
        _ revision: Int64 = 0, from: LibraryStore, to: LibraryStore, isFirst: Bool = false, busy: EpisodeID? = nil
    ) throws -> AppliedChanges {
        let page = try from.changes.page(since: revision, limit: 1_000)
        return try to.changes.apply(page.changes, of: "other", isFirst: isFirst, except: busy, at: now)
    }

    /// The first episode, as other libraries name it.
    private let name = ChangedEpisode(
        feed: Self.feed, EpisodeIdentity(guid: "guid-1", url: item(1).enclosures[0].url))

    /// Applies changes of another device here.
    private func apply(_ changes: [LibraryChange]) throws -> AppliedChanges {
        try here.changes.apply(changes, of: "other", isFirst: false, except: nil, at: now)
    }

    @Test func noDeviceAddsFeedsOrUnknownEpisodesWithoutEnd() throws {
        let connection = try folders[0].connection()
        let feed = try #require(here.feeds.feeds().first)
        try connection.execute(
            """
            WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 20000)
            INSERT INTO feed(url, title, subscribed) SELECT 'https://feeds.example/' || i, i, 0 FROM number
            """)
        try connection.execute(
            """
            WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 199999)
            INSERT INTO imported_episode(feed, url, played, position, starred, is_current)
            SELECT \(feed.id.rawValue), 'https://media.example/' || i, 0, 0, 0, 0 FROM number
            """)
        func position(_ name: String) -> LibraryChange {
            let identity = EpisodeIdentity(guid: nil, url: "https://media.example/\(name)", title: nil)
            return LibraryChange(
                .playback(
                    .init(feed: feed.url, identity), .init(position: MediaTime(seconds: 60), isPlayed: false)),
                at: now, in: "phone")
        }
        let more = LibraryChange(.subscription(feed: "https://more.example/", isSet: true), at: now, in: "phone")
        let applied = try here.changes.apply(
            [more, position("last"), position("beyond")], of: "phone", isFirst: false, except: nil, at: now)
        expectEqual(applied.feedsAdded, [])
        expectEqual(applied.refused.count, 2, "\(applied.refused)")
        expectContains(applied.refused.joined(separator: "\n"), "20000 feeds are subscribed")
        expectContains(applied.refused.joined(separator: "\n"), "200000 episodes wait for a refresh of their feed")
    }

    private func expectSame() throws {
        try expectEqual(contents(here), contents(there))
        try expectEqual(queue(here), queue(there))
    }

    /// Sets or removes one of each.
    private func change(_ store: LibraryStore, isSet: Bool) throws {
        let (feed, ids) = (try #require(try store.feeds.feeds().first), try store.all().map(\.id))
        try store.episodes.setStarred(isSet, [ids[0]])
        try store.episodes.setNote(isSet ? "a note" : nil, of: ids[1])
        try store.imports.setTags(isSet ? ["News", "a/b"] : [], of: feed.id)
        try store.feeds.setSetting("speed", to: isSet ? "1.5" : nil, of: feed.id)
        try store.feeds.setSetting("title", to: isSet ? "My title" : nil, of: feed.id)
        for target in [feed.id, nil] {
            try store.retention.setRetention(isSet ? try RetentionPolicy(parsing: "newest:5") : nil, of: target)
        }
        try store.history.recordSettings(
            [SettingChange(.key("playback.speed"), from: isSet ? nil : "1.2", to: isSet ? "1.2" : nil)], as: .speed,
            title: "all feeds", at: now)
        if isSet {
            _ = try store.bookmarks.addBookmark(
                PortableBookmark(
                    position: MediaTime(seconds: 7), skipEnd: MediaTime(seconds: 9), text: "mark", created: now),
                to: ids[2])
            _ = try store.queue.insertEntries([0, 1, 0, 0, 2, 1].map { ids[$0] }, at: 0)
            for text in ["longer:1h then queue", "feed:\(feed.id.rawValue) then played"] {
                _ = try store.rules.addRule(try RuleText(parsing: text), feed: nil)
            }
            _ = try store.rules.addRule(try RuleText(parsing: "then next"), feed: feed.id)
            try store.playlists.savePlaylist(
                Playlist(name: "Mine", filter: try EpisodeExpression(parsing: "is:new"), order: .oldestFirst))
            try store.playlists.savePlaylist(Playlist(name: "By hand", .entries(keepsHeard: false)))
            _ = try store.playlists.list("By hand").insertEntries([1, 0, 1].map { ids[$0] }, at: 0)
            try store.playlists.rename("By hand", to: "Picked")
        } else {
            try store.bookmarks.removeBookmarks(try store.bookmarks.bookmarks(after: nil, limit: 9).map(\.id))
            try store.queue.clearEntries()
            for rule in try store.rules.rules(for: nil) { try store.rules.removeRule(rule.id) }
            try store.playlists.removePlaylist(named: "Mine")
            try store.playlists.removePlaylist(named: "Picked")
        }
    }

    @Test func whateverIsSetOrRemovedHereIsSoThere() throws {
        try change(here, isSet: true)
        let revision = try here.changes.page(since: 0, limit: 1_000).latest
        var applied = try send(from: here, to: there)
        // The subscription, and the former name of a playlist with its three entries.
        #expect(applied.refused.isEmpty && applied.unchanged == 5 && applied.speed?.value?.text == "1.2", "\(applied)")
        try expectEqual(contents(there).count, contents(here).count)
        try expectEqual(contents(there).filter { $0.episode != nil }, contents(here).filter { $0.episode != nil })
        try expectEqual(there.rules.rules(for: nil).map(\.text), here.rules.rules(for: nil).map(\.text))
        try expectEqual(queue(there), queue(here))

        try change(here, isSet: false)
        applied = try send(revision, from: here, to: there)
        #expect(applied.refused.isEmpty, "\(applied)")
        for store in [here, there] {
            try expectEqual(contents(store), [.subscription(feed: Self.feed, isSet: true)])
        }
        try expectEqual(there.feeds.feeds().first?.title, here.feeds.feeds().first?.title)
    }

    @Test func whatIsTheSameIsNotAChange() throws {
        try change(here, isSet: true)
        try send(from: here, to: there)
        let revision = try there.changes.page(since: 0, limit: 1).latest
        let applied = try send(from: here, to: there)
        #expect(applied.changed == 0, "\(applied)")
        #expect(applied.before == revision && applied.revision == revision)
        try #expect(send(from: there, to: here).changed == 0)
    }

    @Test(arguments: [true, false]) func theLaterOfTwoChangesStaysWhoeverTellsFirst(isHereFirst: Bool) throws {
        let (mine, other) = (try here.all()[0].id, try there.all()[0].id)
        try here.episodes.setNote("earlier", of: mine)
        try there.episodes.setStarred(true, [other])
        try wait()
        try there.episodes.setNote("later", of: other)
        try here.episodes.setStarred(true, [mine])
        try here.episodes.setStarred(false, [mine])
        for isFromHere in [isHereFirst, !isHereFirst] {
            let (from, to) = isFromHere ? (here, there) : (there, here)
            try send(from: from, to: to)
        }
        try expectSame()
        let state = try here.episodes.episode(mine).state
        #expect(state.note == "later" && !state.isStarred)
    }

    @Test func whatIsDoneAfterALaterClockCountsAllTheSame() throws {
        let (mine, other) = (try here.all()[0].id, try there.all()[0].id)
        // The clock there is a day ahead.
        try folders[1].connection().execute("UPDATE change_log SET revision = revision + 86400000")
        try there.episodes.setNote("of tomorrow", of: other)
        try send(from: there, to: here)
        try here.episodes.setNote("of today", of: mine)
        try send(from: here, to: there)
        try expectEqual(there.episodes.episode(other).state.note, "of today")
    }

    @Test func anEpisodeIsTheSameAlthoughOneSideHasAnotherGUID() throws {
        let id = try here.all()[0].id
        try here.episodes.setStarred(true, [id])
        try here.episodes.setNote("first", of: id)
        _ = try here.queue.insertEntries([id], at: 0)
        try send(from: here, to: there)
        try folders[1].connection().execute("UPDATE episode SET guid = 'new-' || guid")
        try here.episodes.setStarred(false, [id])
        try here.episodes.setNote("second", of: id)
        try here.queue.clearEntries()
        try send(from: here, to: there)
        try #expect(send(from: there, to: here).changed == 0)
        let episode = try there.all().first { $0.state.note == "second" }
        #expect(episode?.state.isStarred == false)
        try #expect(queue(there).isEmpty)
    }

    @Test func anUndoIsALaterChange() throws {
        let id = try here.all()[0].id
        _ = try here.queue.insertEntries(here.all().map(\.id), at: 0)
        try here.episodes.setNote("a note", of: id)
        try send(from: here, to: there)
        let before = try queue(there)
        #expect(!before.isEmpty)
        _ = try there.history.undoLast()
        try #expect(queue(there).isEmpty)
        try #expect(send(from: here, to: there).changed == 0)
        try send(from: there, to: here)
        try expectSame()
        try #expect(here.episodes.episode(id).state.note == nil)
    }

    @Test func twoOrdersOfAQueueBecomeOne() throws {
        let ids = try here.all().map(\.id)
        let entries = try here.queue.insertEntries(ids, at: 0)
        try send(from: here, to: there)
        try wait()
        try here.queue.moveEntries([entries[2].id], to: 0)
        let others = try there.queue.queue().entries
        try wait()
        try there.queue.removeEntries([others[0].id])
        _ = try there.queue.insertEntries([others[1].episode], at: 0)
        try send(from: here, to: there)
        try send(from: there, to: here)
        try expectSame()
        try #expect(queue(here).count == 3)
    }

    /// Those of both keep the order here, and the others follow.
    @Test(arguments: [([0], [1, 2]), ([0, 1, 2], [2, 0])])
    func queuesThatMeetForTheFirstTimeFollowOneAnother(own: [Int], others: [Int]) throws {
        let (mine, theirs) = (try here.all().map(\.id), try there.all().map(\.id))
        _ = try here.queue.insertEntries(own.map { mine[$0] }, at: 0)
        try wait()
        _ = try there.queue.insertEntries(others.map { theirs[$0] }, at: 0)
        let wanted = try queue(here)
        let added = try queue(there).filter { !wanted.contains($0) }
        try send(0, from: there, to: here, isFirst: true)
        try expectEqual(queue(here), wanted + added)
        try send(from: here, to: there)
        try expectSame()
    }

    @Test func aSingleFileThatIsNewIsQueuedAndStarred() throws {
        for number in 1...2 {
            let file = try here.episodes.looseEpisode(
                url: "https://files.example/\(number).mp3", title: "File \(number)", at: now)
            _ = try here.queue.insertEntries([file], at: 0)
            try here.episodes.setStarred(true, [file])
        }
        let applied = try send(from: here, to: there)
        #expect(applied.changed == 4, "\(applied)")
        try expectSame()
    }

    @Test(arguments: [true, false])
    func whatBelongsToAFeedIsToldAgainAtAnotherAddressOrWhenItIsBack(isMoved: Bool) throws {
        let (feed, ids) = (try #require(try here.feeds.feeds().first).id, try here.all().map(\.id))
        try here.episodes.setStarred(true, [ids[0]])
        try here.imports.setTags(["News"], of: feed)
        let revision = try here.changes.page(since: 0, limit: 9).latest
        if isMoved {
            try here.feeds.moveFeed(feed, to: "https://feeds.example/moved")
        } else {
            try here.feeds.removeFeed(feed, at: now)
            _ = try here.history.undoLast()
        }
        let again = try here.changes.page(since: revision, limit: 9).changes.map(\.content)
        let stars = again.filter { $0.kind == .star && !$0.isRemoval }
        #expect(stars.count == 1 && again.count >= 2, "\(again)")
    }

    @Test func aPlaylistThatIsWrittenOtherwiseIsSoThere() throws {
        let filter = try EpisodeExpression(parsing: "is:new")
        try here.playlists.savePlaylist(Playlist(name: "Long", filter: filter))
        try send(from: here, to: there)
        try here.playlists.savePlaylist(Playlist(name: "LONG", filter: filter))
        try send(from: here, to: there)
        try expectEqual(there.playlists.all().map(\.name), ["LONG"])
    }

    @Test func rulesThatWereAddedOnBothSidesHaveOneOrder() throws {
        _ = try here.rules.addRule(try RuleText(parsing: "title:aaa then queue"), feed: nil)
        _ = try there.rules.addRule(try RuleText(parsing: "title:bbb then skip"), feed: nil)
        try send(from: here, to: there)
        try send(from: there, to: here)
        let rules = try here.rules.rules(for: nil)
        try expectEqual(there.rules.rules(for: nil).map(\.text), rules.map(\.text))
        #expect(throws: LibraryError.self) { try here.rules.changeRule(rules[1].id, to: rules[0].text) }
    }

    @Test func anEpisodeThatPlaysStaysInTheQueue() throws {
        let ids = try here.all().map(\.id)
        _ = try here.queue.insertEntries(ids, at: 0)
        try send(from: here, to: there)
        try here.queue.clearEntries()
        let playing = try #require(try there.queue.queue().entries.first?.episode)
        let applied = try send(from: here, to: there, busy: playing)
        // The library that brought the removal is told.
        let acts = try there.changes.page(since: applied.revision, limit: 9).changes
        #expect(acts.count == 1)
        try expectEqual(there.queue.queue().entries.map(\.episode), [playing])
        try send(from: there, to: here)
        try expectSame()
    }

    @Test func whatConcernsAnEpisodeThatNoRefreshHasBroughtWaitsForIt() throws {
        let (folder, third) = try openLibrary()
        defer { withExtendedLifetime(folder) {} }
        let feed = try third.addFeed(items: [item(1)])
        try change(here, isSet: true)
        let episode = try #require(here.all().first { $0.title == "Episode 3" }).id
        for (second, text) in ["removed", "kept"].enumerated() {
            _ = try here.bookmarks.addBookmark(
                PortableBookmark(
                    position: MediaTime(seconds: 7), text: text, created: now.adding(seconds: Int64(second))),
                to: episode)
        }
        try send(from: here, to: third)
        let removed = try here.bookmarks.bookmarks(after: nil, limit: 9).filter { $0.text != "kept" }
        try here.bookmarks.removeBookmarks(removed.map(\.id))
        try here.episodes.setStarred(true, [here.all()[1].id])
        try send(from: here, to: third)
        _ = try third.refreshes.merge(document((1...3).map { item($0) }), into: feed, fetched())
        let states = try third.all().map(\.state)
        #expect(states.filter(\.isStarred).count == 2 && states.contains { $0.note == "a note" })
        try expectEqual(third.bookmarks.bookmarks(after: nil, limit: 9).map(\.text), ["kept"])
        for list in [nil, "Picked"] { try expectEqual(Set(queue(third, list)), Set(queue(here, list))) }
    }

    /// The library there adds the episodes of the feed after the changes here.
    private func later(_ rule: String?, _ changes: () throws -> Void) throws -> (TemporaryLibrary, LibraryStore) {
        let (folder, third) = try openLibrary()
        let feed = try third.addFeed(items: [item(1)])
        if let rule { _ = try third.rules.addRule(try RuleText(parsing: rule), feed: nil) }
        try changes()
        try send(from: here, to: third)
        _ = try third.refreshes.merge(document((1...3).map { item($0) }), into: feed, fetched())
        while try third.rules.applyToNewEpisodes(nextIndex: nil, at: now).hasMore {}
        return (folder, third)
    }

    @Test func anEntryThatWasRemovedHereDoesNotComeBackByARuleThere() throws {
        let (folder, third) = try later("title:\"Episode 3\" then queue") {
            _ = try here.queue.insertEntries(here.all().filter { $0.title == "Episode 3" }.map(\.id), at: 0)
            try here.queue.clearEntries()
        }
        defer { withExtendedLifetime(folder) {} }
        try expectEqual(queue(third), ["Episode 3"])
        try send(from: third, to: here)
        try expectEqual(queue(here), [])
        // The removal is sent again, because it was before the episode came there.
        try send(from: here, to: third)
        try expectEqual(queue(third), [])
        try expectEqual(send(from: third, to: here).changed, 0)
    }

    @Test func anEntryThatARuleAddsIsALaterChangeIfTheUserHasChangedTheEpisode() throws {
        let id = try #require(here.all().first).id
        try here.episodes.setStarred(true, [id])
        try here.changes.withoutTime([id]) { _ = try here.queue.insertEntries([id], at: 0) }
        let entry = try here.changes.page(since: 0, kinds: [.queueEntry], limit: 9).changes
        #expect(entry.count == 1 && entry[0].time.milliseconds > 0)
    }

    @Test func anEarlierStarThatWaitedForARefreshDoesNotReplaceALaterChange() throws {
        let id = try #require(here.all().first { $0.title == "Episode 3" }).id
        let (folder, third) = try later(nil) { try here.episodes.setStarred(true, [id]) }
        defer { withExtendedLifetime(folder) {} }
        try here.episodes.setStarred(false, [id])
        try #expect(third.all().contains { $0.state.isStarred })
        try send(from: third, to: here)
        try #expect(!here.episodes.episode(id).state.isStarred)
        try send(from: here, to: third)
        try #expect(!third.all().contains { $0.state.isStarred })
    }

    @Test func aSecondEntryOfAnEpisodeThatWaitsIsRefusedUntilARefreshFindsTheEpisode() throws {
        let (folder, third) = try openLibrary()
        defer { withExtendedLifetime(folder) {} }
        let feed = try third.addFeed(items: [item(1)])
        let id = try #require(here.all().first { $0.title == "Episode 3" }).id
        _ = try here.queue.insertEntries([id, id], at: 0)
        let applied = try send(from: here, to: third)
        expectContains(applied.refused.joined(separator: "\n"), "Episode 3 is in the queue more than once")
        _ = try third.refreshes.merge(document((1...3).map { item($0) }), into: feed, fetched())
        try expectEqual(queue(third), ["Episode 3"])
        try send(from: here, to: third)
        try expectEqual(queue(third), ["Episode 3", "Episode 3"])
        try send(from: third, to: here)
        try expectEqual(queue(here), ["Episode 3", "Episode 3"])
    }

    @Test func aDryRunCountsEpisodesOfFeedsThatItWouldAdd() throws {
        let url = "https://other.example/feed"
        let episode = ChangedEpisode(feed: url, EpisodeIdentity(url: "https://other.example/1.mp3", title: "One"))
        let playback = LibraryChange(.playback(episode, .init(position: .zero, isPlayed: true)), at: now, in: "phone")
        func applied(after feeds: [String]) throws -> AppliedChanges {
            try here.trying { () throws(LibraryError) in
                try here.changes.apply([playback], of: "phone", isFirst: false, after: feeds, except: nil, at: now)
            }
        }
        try expectEqual(applied(after: []).refused, ["\(url) is not here"])
        let known = try applied(after: [url])
        #expect(known.episodes == 1 && known.feeds == 0 && known.refused.isEmpty, "\(known)")
        expectEqual(known.details, ["One: 0:00 becomes played"])
        try #expect(here.feeds.feed(url: url) == nil)
    }

    @Test func whatCannotBeUsedHereIsNamedAndTheRestIsDone() throws {
        let unknown = ChangedEpisode(
            feed: "https://other.example/feed", EpisodeIdentity(url: "https://other.example/1.mp3"))
        // No refresh has added this one.
        let later = ChangedEpisode(
            feed: Self.feed, EpisodeIdentity(guid: "later", url: "https://cdn.example/later.mp3"))
        let long = String(repeating: "a", count: 70_000)
        let wrong: [ChangeContent] = [
            .star(unknown, true), .tag("x", feed: "https://other.example/feed", isSet: true),
            .rule("feed:\"https://other.example/feed\" then queue", feed: nil, place: 1),
            .rule("nonsense", feed: nil, place: 1),
            .feedSetting(.password, feed: Self.feed, "secret"), .feedSetting(.speed, feed: Self.feed, "-7"),
            .note(name, long), .tag("", feed: Self.feed, isSet: true),
            .queueEntry(name, copy: .max, place: 1),
            .bookmark(name, created: now, LibraryChange.Value(text: long, position: .zero)),
            .retention(feed: nil, "what"), .playlist("a\nb", filter: "is:new"),
            .listEntry(name, "0 a\nb", place: 1), .listEntry(name, "1000000 a", place: 1),
            .note(later, long), .bookmark(later, created: now, LibraryChange.Value(text: long, position: .zero)),
            .star(name, true),
        ]
        let changes = wrong.map { LibraryChange($0, at: now, in: "other") }
        let applied = try apply(changes)
        #expect(applied.changed == 1 && applied.refused.count == wrong.count - 1, "\(applied)")
        try #expect(here.imports.waitingCount() == 0)
        try #expect(contents(here).count == 2)
    }

    /// Whatever is stored for others is listed to others, too.
    @Test func whatOthersNameIsBoundedAndARefusedChangeCreatesNothing() throws {
        let long = String(repeating: "a", count: 10_000)
        func single(_ url: String) -> ChangeContent {
            .star(.init(feed: nil, EpisodeIdentity(url: "https://media.example/\(url)")), true)
        }
        let late = LibraryChange(single("late.mp3"), at: now.adding(days: 8), in: "phone")
        let changes = [
            LibraryChange(single("1.mp3"), at: now, in: long), LibraryChange(single(long), at: now, in: "phone"), late,
            LibraryChange(.subscription(feed: "https://feeds.example/\(long)", isSet: false), at: now, in: "phone"),
            LibraryChange(.subscription(feed: "file:///etc/passwd", isSet: false), at: now, in: "phone"),
            LibraryChange(.playlist(long, filter: nil), at: now, in: "phone"),
        ]
        let applied = try apply(changes)
        #expect(applied.changed == 0 && applied.refused.count == changes.count, "\(applied.refused)")
        expectContains(applied.refused.joined(separator: "\n"), "phone has a clock that is more than a week ahead")
        try expectEqual(here.changes.page(since: 0, limit: 9).changes.count, 1)
        try #expect(here.episodes.stored(url: "https://media.example/late.mp3", limit: 1).isEmpty)
    }

    @Test func removalsOfWhatWasNeverHereComeToAnEnd() throws {
        try folders[0].connection().execute("UPDATE change_log SET removals = 199999")
        let removals = (1...3).map {
            LibraryChange(.subscription(feed: "https://gone.example/\($0)", isSet: false), at: now, in: "phone")
        }
        let applied = try apply(removals)
        #expect(applied.refused.count == 2, "\(applied.refused)")
        // A removal of a feed that is here is no such.
        let feed = try #require(here.feeds.feeds().first)
        let removal = LibraryChange(
            .subscription(feed: feed.url, isSet: false), at: now.adding(seconds: 5), in: "phone")
        try expectEqual(
            apply([removal]).feedsRemoved, [feed.id])
    }

    @Test func anEpisodeIsInTheQueueAHundredTimesAtMost() throws {
        let entries = (0..<102).map { LibraryChange(.queueEntry(name, copy: $0, place: $0), at: now, in: "laptop") }
        let applied = try apply(entries)
        expectEqual(applied.refused, Array(repeating: "an episode is in the queue too often", count: 2))
        try expectEqual(queue(here).count, 100)
    }

    @Test func theTriggersLogExactlyTheSharedSettingsOfAFeed() throws {
        let feed = try #require(try here.feeds.feeds().first).id
        for setting in FeedSetting.allCases { try here.feeds.setSetting(setting.rawValue, to: "off", of: feed) }
        let names = try here.changes.page(since: 0, limit: 99).changes.compactMap {
            $0.subject.kind == .feedSetting ? FeedSetting(rawValue: $0.subject.name) : nil
        }
        expectEqual(Set(names), Set(FeedSetting.shared))
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func aBookmarkWithExtremeTimesDoesNoHarm(number: Int64) throws {
        let times = [(0, nil), (number, nil), (5, number), (number, number), (.max - 1, number)] as [(Int64, Int64?)]
        let changes = times.enumerated().map { index, times in
            let part = LibraryChange.Value(
                text: "t", position: MediaTime(milliseconds: times.0),
                skipTo: times.1.map { MediaTime(milliseconds: $0) })
            let created = Timestamp(milliseconds: number.addingReportingOverflow(Int64(index)).partialValue)
            return LibraryChange(.bookmark(name, created: created, part), at: now, in: "other")
        }
        _ = try there.changes.apply(changes, of: "here", isFirst: false, except: nil, at: now)
        let kept = try there.bookmarks.bookmarks(after: nil, limit: 99)
        #expect(!kept.isEmpty)
        for bookmark in kept { #expect(!bookmark.created.description.isEmpty && bookmark.skipTo != bookmark.position) }
        _ = try there.changes.page(since: 0, limit: 99)
    }

    @Test func aLibraryFromABackupDoesNotKnowWhatItHasToldSince() throws {
        let ids = try here.all().map(\.id)
        try #expect(here.changes.recordReader("laptop", since: 0, through: 10) == .known)
        let backup = try folders[0].copyFiles()
        try #expect(here.changes.recordReader("laptop", since: 10, through: 20) == .known)
        try #expect(here.changes.recordReader("laptop", since: 20, through: 20) == .known)
        let restored = try backup.open()
        try restored.episodes.setStarred(true, [ids[0]])
        try #expect(restored.changes.recordReader("laptop", since: 20, through: 30) == .restored)
        try #expect(restored.changes.recordReader("laptop", since: 0, through: 30) == .known)
        try #expect(restored.changes.recordReader("laptop", since: 30, through: 30) == .known)
    }
}
