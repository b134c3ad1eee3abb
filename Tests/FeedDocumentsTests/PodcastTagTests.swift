import FeedDocuments
import PodcastModel
import TestSupport
import Testing

/// The tags of the Podcasting 2.0 namespace that an item or channel has beside what other formats have too.
struct PodcastTagTests {
    @Test func soundbitesHaveATimeALengthAndAnOptionalTitle() throws {
        let item = try item(
            """
            <podcast:soundbite startTime="73.0" duration="60.5">A <b>part</b></podcast:soundbite>
            <podcast:soundbite startTime="1:02:03" duration="30"/>
            <podcast:soundbite startTime="x" duration="30">none</podcast:soundbite>
            <podcast:soundbite startTime="5" duration="0">none</podcast:soundbite>
            """)
        expectEqual(
            item.details.soundbites,
            [
                Soundbite(start: MediaTime(seconds: 73), duration: MediaTime(seconds: 60.5), title: "A part"),
                Soundbite(start: MediaTime(seconds: 3723), duration: MediaTime(seconds: 30)),
            ])
    }

    @Test func placesAreKeptAsWritten() throws {
        var place = Location()
        place.name = "Gitmo Nation"
        (place.geo, place.openStreetMap, place.country, place.rel) = (
            "geo:30.2672,97.7431", "R113314", "US", "creator"
        )
        let text = """
            <podcast:location rel="Creator" geo="geo:30.2672,97.7431" osm="R113314" country="US">Gitmo Nation\
            </podcast:location><podcast:location geo="geo:1,2"/>
            """
        try expectEqual(channel(text).details.locations, [place])
        try expectEqual(item(text).details.locations, [place])
    }

    @Test func seasonsAndEpisodesHaveNames() throws {
        let item = try item(
            """
            <podcast:season name="Egyptology: The 19th Century">1</podcast:season>
            <podcast:episode display="Ch.3">204</podcast:episode>
            """)
        #expect(item.facts.season == 1 && item.details.seasonName == "Egyptology: The 19th Century")
        #expect(item.facts.number == 204 && item.details.episodeName == "Ch.3")
    }

    @Test func personsOfAChannelAreNotThoseOfAnItem() throws {
        let contents = try parse(
            rss(
                item: "<podcast:person role=\"Guest\">Joe</podcast:person>",
                channel: "<podcast:person href=\"/jane\">Jane</podcast:person>")
        ).contents
        expectEqual(
            contents.channel.details.persons, [Person(name: "Jane", role: "host", href: "https://example.com/jane")])
        expectEqual(contents.items[0].details.persons, [Person(name: "Joe", role: "guest")])
    }

    @Test func aLiveItemIsNotAnEpisode() throws {
        let contents = try parse(
            rss(
                item: "<title>Episode</title>",
                channel: """
                    <podcast:liveItem status="LIVE" start="2021-09-26T07:30:00.000-0600" end="x"><title>Live</title>
                    <guid>l</guid><enclosure url="https://example.com/live" type="audio/mpeg"/>
                    <podcast:person>Jane</podcast:person></podcast:liveItem><podcast:liveItem><title>Unended</title>
                    """)
        ).contents
        expectEqual(contents.items.map(\.title), ["Episode"])
        expectEqual(contents.channel.details.liveItems.map(\.item.title), ["Live", "Unended"])
        let live = try #require(contents.channel.details.liveItems.first)
        #expect(live.status == "live" && live.start?.description == "2021-09-26T13:30:00Z" && live.end == nil)
        #expect(live.item.guid == "l" && live.item.enclosures.count == 1 && live.item.details.persons.count == 1)
        expectEqual(contents.channel.title, "Show")
    }

    @Test func pagesAndArchivesAreReported() throws {
        let page = try channel(
            """
            <atom:link rel="next" href="?page=2"/><atom:link rel="prev-archive" href="/2003/11.xml"/>
            <fh:archive xmlns:fh="http://purl.org/syndication/history/1.0"/>
            """)
        expectEqual(page.nextPage, "https://example.com/show/feed.xml?page=2")
        expectEqual(page.previousArchive, "https://example.com/2003/11.xml")
        #expect(page.isArchive && !page.holdsEverything)
        #expect(try channel("<fh:complete/>").holdsEverything)
    }
}
