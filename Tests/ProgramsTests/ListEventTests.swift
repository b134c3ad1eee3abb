import LoopbackServer
import ControlClient
import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import Testing
import TestSupport

/// Events of lists, from a daemon as it is installed.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct ListEventTests {
    @Test func anEditOfTheQueueIsReportedWithItsChanges() throws {
        let published = try PublishedFeed(episodes: [
            ("One", [UInt8](repeating: 0, count: 100)), ("Two", [UInt8](repeating: 0, count: 100)),
        ])
        let daemon = try RunningDaemon()
        let client = try daemon.connect(subscribing: published.feed.url)
        try client.watch([.queue])
        let added = try client.call(AddToQueue { $0.what = ["One"] }).entries
        let insertion = try client.event(of: .queue)
        let episode = try #require(try client.call(ListQueue()).entries.first?.episode?.episode.id)
        expectEqual(insertion.changes, [RowChange(.insert, added[0].rawValue, episode: episode, index: 1)])
        try expectEqual(client.call(ListQueue()).extent.revision, insertion.revision)
        try client.call(ClearQueue())
        let removal = try client.event(of: .queue)
        expectEqual(removal.since, insertion.revision)
        expectEqual(removal.changes, [RowChange(.delete, added[0].rawValue, index: 1)])
    }

    @Test func aRefreshIsReportedWithItsFeedsAndEpisodes() throws {
        let server = try LoopbackServer()
        let audio = [UInt8](repeating: 0, count: 100)
        let first = try PublishedFeed(episodes: [("One", audio)], on: server)
        let daemon = try RunningDaemon()
        let client = try daemon.connect(watching: .feeds, .episodes, subscribing: first.feed.url)
        let inserted = try #require(client.event(of: .feeds).changes.first)
        #expect(inserted.kind == .insert && inserted.row?["title"] == "Test feed", "\(inserted)")
        let arrived = try #require(client.event(of: .episodes).changes.first)
        #expect(arrived.kind == .insert && arrived.row?["title"] == "One", "\(arrived)")
        let later = try PublishedFeed(episodes: [("New", audio), ("One, renamed", audio)], on: server)
        try expectEqual(client.call(RefreshFeeds { $0.isForced = true }).newEpisodes, 1)
        // The daemon may still report the rest of the first refresh.
        var (updated, event) = ([RowChange](), EventReply())
        while updated.first?.row?["episodes"] != 2 { updated = try client.event(of: .feeds).changes }
        while !event.changes.contains(where: { $0.id == 2 }) { event = try client.event(of: .episodes) }
        let isThere = event.changes.contains { $0.kind == .insert && $0.id == 2 && $0.row?["title"] == "One, renamed" }
        #expect(updated.map(\.kind) == [.update] && isThere && event.needsReload == nil, "\(updated) \(event)")
        withExtendedLifetime(later) {}
    }

    @Test func aMarkIsReportedWithItsEpisode() throws {
        let published = try PublishedFeed(episodes: [("One", [UInt8](repeating: 0, count: 100))])
        let daemon = try RunningDaemon()
        let client = try daemon.connect(subscribing: published.feed.url)
        try client.watch([.episodes])
        let starred = try client.call(StarEpisodes { $0.what = ["One"] }).episodes
        // What is left of the refresh may be reported before.
        var change: RowChange?
        while change?.aspects != [.mark] { change = try client.event(of: .episodes).changes.last }
        #expect(change?.id == starred[0].rawValue && change?.row?["starred"] == true, "\(change as Any)")
    }
}
