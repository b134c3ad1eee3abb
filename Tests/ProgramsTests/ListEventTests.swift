import LoopbackServer
import ControlClient
import ControlLanguage
import ControlProtocol
import PodcastModel
import Testing

/// Events of lists, from a daemon as it is installed.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct ListEventTests {
    @Test func anEditOfTheQueueIsReportedWithItsChanges() throws {
        let published = try PublishedFeed(episodes: [
            ("One", [UInt8](repeating: 0, count: 100)), ("Two", [UInt8](repeating: 0, count: 100)),
        ])
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        try client.watch([.queue])
        let added = try client.call(AddToQueue { $0.what = ["One"] }).entries
        let insertion = try client.event(of: .queue)
        let episode = try #require(try client.call(ListQueue()).entries.first?.episode?.episode.id)
        #expect(insertion.changes == [RowChange(.insert, added[0].rawValue, episode: episode, index: 1)])
        #expect(try client.call(ListQueue()).extent.revision == insertion.revision)
        try client.call(ClearQueue())
        let removal = try client.event(of: .queue)
        #expect(removal.since == insertion.revision)
        #expect(removal.changes == [RowChange(.delete, added[0].rawValue, index: 1)])
    }

    @Test func aMarkIsReportedWithItsEpisode() throws {
        let published = try PublishedFeed(episodes: [("One", [UInt8](repeating: 0, count: 100))])
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        try client.watch([.episodes])
        let starred = try client.call(StarEpisodes { $0.what = ["One"] }).episodes
        // What is left of the refresh may be reported before.
        var events: [RowChange] = []
        while !events.contains(RowChange(.update, starred[0].rawValue)) {
            events += try client.event(of: .episodes).changes
        }
    }
}
