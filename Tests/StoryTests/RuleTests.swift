import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Rules, retention and saved playlists, in the programs as they are installed.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct RuleTests {
    private static let old = [(title: "Old news", audio: [UInt8](repeating: 0, count: 100))]
    private static let new = [
        (title: "Trailer", audio: [UInt8](repeating: 0, count: 100)),
        (title: "Breaking news", audio: [UInt8](repeating: 0, count: 100)),
    ]

    /// A daemon with a feed of one episode; two more are published afterwards, with earlier dates.
    private func daemonWithNews(rules: [String]) throws -> (daemon: RunningDaemon, client: DaemonConnection) {
        let server = try LoopbackServer()
        let first = try PublishedFeed(episodes: Self.old, on: server)
        let daemon = try RunningDaemon()
        let client = try daemon.connect(subscribing: first.feed.url)
        for rule in rules { try client.call(AddRule { $0.rule = rule }) }
        daemon.companions = [try PublishedFeed(episodes: Self.old + Self.new, on: server)]
        return (daemon, client)
    }

    private func titles(_ list: EpisodeListReply) -> [String] { list.episodes.map(\.episode.title) }

    /// Waits until the daemon's queue has a number of entries.
    private func waitForQueue(_ length: Int, _ client: DaemonConnection) throws {
        try client.watch([.queue])
        if try client.call(GetStatus()).queue.length == length { return }
        try client.queue { $0.length == length }
    }

    @Test func rulesApplyToARefreshThatTheDaemonDidNotStart() throws {
        let (daemon, client) = try daemonWithNews(rules: ["title:trailer then skip", "title:news then queue"])
        try daemon.refreshByCron()
        try waitForQueue(1, client)
        let entry = try #require(try client.call(ListQueue()).entries.first)
        expectEqual(entry.episode?.episode.title, "Breaking news")
        expectEqual(titles(try client.call(ListEpisodes { $0.filter = "is:skipped" })), ["Trailer"])
        expectEqual(titles(try client.call(ListEpisodes { $0.filter = "is:unplayed" })), ["Old news", "Breaking news"])
        let found = try client.call(ListEpisodes { ($0.filter, $0.search) = ("is:unplayed", "breaking") })
        #expect(titles(found) == ["Breaking news"] && found.count.count == 1)
        let rest = try client.call(ListEpisodes { $0.filter = "is:unplayed not title:breaking" })
        expectEqual(titles(rest), ["Old news"])
        expectEqual(titles(try client.call(ShowPlaylist { ($0.name, $0.search) = ("upNext", "old") }).list), [])
        let shown = try client.call(ShowEpisode { $0.episode = "Trailer" })
        expectEqual(shown.episode.episode.state.hiddenReason, .skipped)
        expectEqual(shown.ruleAct?.action, "skip")
    }

    @Test func rulesAreTriedAndPlaylistsSavedOverTheSocket() throws {
        let client = try daemonWithNews(rules: ["title:news then queue priority=2"]).client
        let trial = try client.call(TryRules()).rows.first
        expectEqual(trial?.action, "queue priority=2")
        expectEqual(trial?.why, "rule 1: title:\"news\"")
        try expectEqual(client.call(ApplyRules()).changed, 1)
        try expectEqual(client.call(ApplyRules()), RulesAppliedReply())
        try expectEqual(client.call(GetStatus()).queue.length, 1)
        let saved = try client.call(SavePlaylist { ($0.name, $0.filter) = ("News", "title:news feed:\"Test feed\"") })
        expectEqual(saved.filter, "title:\"news\" feed:f1")
        expectEqual(saved.isReplacing, nil)
        let again = try client.call(SavePlaylist { ($0.name, $0.filter) = ("news", "title:news feed:\"Test feed\"") })
        expectEqual(again.isReplacing, true)
        expectEqual(titles(try client.call(ShowPlaylist { $0.name = "news" }).list), ["Old news"])
        let addition = try client.call(AddToQueue { $0.what = ["playlist:news"] })
        #expect((addition.length, addition.skipped) == (1, 1))
        let failure = #expect(throws: ClientFailure.self) {
            try client.call(SavePlaylist { ($0.name, $0.filter) = ("x", "titel:news") })
        }
        expectEqual(failure?.what, "unknown condition 'titel' (at character 1)")
        #expect(throws: ClientFailure.self) {
            try client.call(SavePlaylist { ($0.name, $0.filter) = ("new", "title:news") })
        }
    }

    @Test func rulesApplyAtStartToEpisodesThatArrivedWithoutADaemon() throws {
        let (daemon, _) = try daemonWithNews(rules: ["title:news then queue"])
        daemon.kill()
        // While a process holds the daemon's lock, podcast-refresh leaves the rules to the daemon.
        let lock = try #require(try LockFile.take(daemon.scratch.path + "/data/library.lock"))
        try daemon.refreshByCron(socket: daemon.scratch.path + "/none")
        lock.unlock()
        let next = try RunningDaemon(in: daemon.scratch)
        try expectEqual(next.connect().call(GetStatus()).queue.length, 1)
    }

    @Test func changesByRulesAreListedAndUndone() throws {
        let client = try daemonWithNews(rules: ["title:trailer then skip", "title:news then queue"]).client
        try client.call(RefreshFeeds { $0.isForced = true })
        try waitForQueue(1, client)
        let line = try client.call(ListHistory()).rows.first?.record
        #expect(line?.event == .queued && line?.title == "Breaking news")
        expectEqual(line?.reason, "rule 2: title:\"news\" then queue")
        let undone = try client.call(Undo())
        #expect(undone.act == .ruled && undone.count == 2)
        try expectEqual(client.call(GetStatus()).queue.length, 0)
        expectEqual(titles(try client.call(ListEpisodes { $0.filter = "is:skipped" })), [])
    }

    @Test func whatNeverTakesEffectIsReported() throws {
        let client = try daemonWithNews(rules: ["title:news then queue"]).client
        let covered = try client.call(AddRule { $0.rule = "longer:1h title:news then skip" })
        expectEqual(covered.coveredBy, RuleID(1))
        let moved = try client.call(MoveRule { ($0.rule, $0.to) = (covered.id, 1) }).rows
        expectEqual(moved.map(\.coveredBy), [nil, nil])
        try expectEqual(client.call(SetRetention { $0.keep = "newest:9" }).retention.map(\.isUnused), [false])
        let both = try client.call(SetRetention { ($0.keep, $0.feed) = ("all", "Test feed") })
        expectEqual(both.retention.map(\.isUnused), [true, false])
        try client.call(SavePlaylist { ($0.name, $0.filter) = ("News", "feed:\"Test feed\"") })
        #expect(try client.call(ShowPlaylist { $0.name = "News" }).missingFeeds.isEmpty)
        try client.call(Unsubscribe { $0.feeds = ["Test feed"] })
        let shown = try client.call(ShowPlaylist { $0.name = "News" })
        expectEqual(shown.missingFeeds, [MissingFeed(id: FeedID(1), title: "Test feed")])
    }

    @Test func rulesRetentionAndPlaylistsAreExportedAndImported() throws {
        let client = try daemonWithNews(rules: ["feed:\"Test feed\" title:trailer then skip"]).client
        try client.call(SetRetention { ($0.keep, $0.feed) = ("newest:7", "Test feed") })
        try client.call(
            SavePlaylist { ($0.name, $0.filter, $0.order) = ("News", "title:news feed:\"Test feed\"", .oldestFirst) })
        let state = try client.call(ExportDocument { $0.isState = true }).document
        let url = try #require(try client.call(ListFeeds()).rows.first?.feed.url)
        expectContains(state, "{\"rule\":\"feed:\\\"\(url)\\\" title:\\\"trailer\\\" then skip\"}")

        let other = try RunningDaemon()
        let second = try other.connect()
        try second.call(ImportDocument { $0.document = "https://other.example/feed\n" })
        let taken = try second.call(ImportDocument { $0.document = state })
        #expect(
            taken.rules == 1 && taken.retention == 1 && taken.playlists == 1 && taken.decidedBefore == 0)
        try expectEqual(second.call(ListRules()).rows.first?.rule, "feed:f2 title:\"trailer\" then skip")
        try expectEqual(second.call(ShowPlaylist { $0.name = "news" }).name, "News")
        try expectEqual(second.call(ImportDocument { $0.document = state }).decidedBefore, 3)
    }

    @Test func retentionIsAppliedWhenItIsSet() throws {
        let client = try daemonWithNews(rules: []).client
        try client.call(RefreshFeeds { $0.isForced = true })
        #expect(try client.call(TryRetention()).episodes.isEmpty)
        let set = try client.call(SetRetention { $0.keep = "newest:2" })
        expectEqual(set.retention.first?.keep, "newest:2")
        try client.watch([.episodes])
        while true {
            client.forgetEvents()
            if try client.call(ListEpisodes()).count.count == 2 { break }
            try client.change(of: .episodes)
        }
        expectEqual(titles(try client.call(ListEpisodes { $0.filter = "is:archived" })), ["Breaking news"])
        try client.call(SetRetention { $0.keep = "off" })
        while true {
            client.forgetEvents()
            if try client.call(ListEpisodes()).count.count == 3 { break }
            try client.change(of: .episodes)
        }
    }
}
