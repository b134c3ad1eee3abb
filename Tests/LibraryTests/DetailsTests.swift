@testable import Library
import PodcastModel
import Testing
import TestSupport

/// What publishers say beyond what is played.
struct DetailsTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore

    init() throws { (library, store) = try openLibrary() }

    private func rich(_ number: Int) -> Item {
        item(number) {
            $0.details.seasonName = "The  sea\u{7}"
            $0.details.episodeName = "Ch. 3"
            $0.details.persons = [Person(name: "Ada", role: "guest", href: "https://x.example/ada")]
            $0.details.soundbites = [
                Soundbite(start: MediaTime(milliseconds: 61_500), duration: MediaTime(seconds: 30), title: "Well said")
            ]
            var place = Location()
            place.name = "Ghent"
            (place.geo, place.openStreetMap, place.country, place.rel) = ("geo:51,3", "R1", "BE", "subject")
            $0.details.locations = [place]
        }
    }

    private func channel(live: String = "pending") -> FeedContents {
        var contents = document([rich(1), item(2)])
        contents.channel.details.medium = "podcast"
        contents.channel.details.funding = [Funding(url: "https://x.example/give", text: "Give")]
        contents.channel.details.persons = [Person(name: "Bo", role: "host")]
        var stream = LiveItem()
        (stream.status, stream.start, stream.end) = (live, day0, day0.adding(days: 1))
        stream.item.guid = "live-1"
        stream.item.title = "On the air"
        stream.item.enclosures = [Enclosure(url: "https://live.example/a", type: "audio/mpeg")]
        contents.channel.details.liveItems = [stream]
        return contents
    }

    @Test func detailsAreKeptAsTheyWereSaid() throws {
        let feed = try store.addFeed(items: [])
        let added = try store.refreshes.merge(channel(), into: feed, fetched()).added
        var expected = rich(1).details
        expected.seasonName = "The sea"
        try expectEqual(store.episodes.details(of: added[0]), expected)
        try expectEqual(store.episodes.details(of: added[1]), EpisodeDetails())
        try expectEqual(store.feeds.details(of: feed), channel().channel.details)
        // A stream is not an episode.
        try expectEqual(store.all().map(\.title), ["Episode 2", "Episode 1"])
    }

    @Test func onlyWhatHasDetailsHasARow() throws {
        let feed = try store.addFeed(items: (1...50).map { item($0) })
        try expectEqual(library.number("SELECT count(*) FROM episode_details"), 0)
        try expectEqual(library.number("SELECT count(*) FROM feed_details"), 0)
        _ = try store.refreshes.merge(channel(), into: feed, fetched())
        try expectEqual(library.number("SELECT count(*) FROM episode_details"), 1)
        try expectEqual(
            store.refreshes.merge(channel(), into: feed, fetched()), MergeResult(), "the same again writes nothing")
    }

    @Test func whatChangesIsWrittenAndWhatIsTakenBackGoes() throws {
        let feed = try store.addFeed(items: [])
        let id = try store.refreshes.merge(channel(), into: feed, fetched()).added[0]
        var contents = channel(live: "live")
        contents.items[0].details.soundbites[0].title = "Said better"
        try expectEqual(store.refreshes.merge(contents, into: feed, fetched()).changed, [id])
        try expectEqual(store.episodes.details(of: id).soundbites.first?.title, "Said better")
        try expectEqual(store.feeds.details(of: feed).liveItems.first?.status, "live")
        _ = try store.refreshes.merge(document([item(1), item(2)]), into: feed, fetched())
        try expectEqual(store.episodes.details(of: id), EpisodeDetails())
        try expectEqual(store.feeds.details(of: feed), FeedDetails())
        try expectEqual(library.number("SELECT count(*) FROM episode_details"), 0)
    }

    @Test func aPublisherWhoSaysTooMuchIsCutShort() throws {
        let feed = try store.addFeed(items: [])
        let chatty = item(1) {
            $0.details.soundbites = (0..<2000).map { Soundbite(start: MediaTime(seconds: Double($0)), duration: .zero) }
        }
        let id = try store.refreshes.merge(document([chatty]), into: feed, fetched()).added[0]
        try expectEqual(store.episodes.details(of: id).soundbites.count, 100)
    }
}
