import FeedDocuments
import Foundation
import PodcastModel
import TestSupport
import Testing

struct JSONFeedTests {
    private let text = """
        {"version": "https://jsonfeed.org/version/1.1", "title": "Talks", "home_page_url": "https://example.org/",
         "feed_url": "https://example.org/feed.json", "description": "A & B", "language": "en", "icon": "/icon.png",
         "authors": [{"name": "Ann"}], "next_url": "feed-2.json",
         "items": [
          {"id": "1", "url": "https://example.org/1", "title": "One", "content_html": "<p>Hi</p>", "summary": "a < b",
           "date_published": "2025-01-06T10:00:00+01:00", "image": "/1.png", "authors": [{"name": "Bob"}],
           "attachments": [{"url": "1.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 123, "duration_in_seconds": 61.5}]},
          {"id": 2, "external_url": "https://other.example/2", "content_text": "Plain",
           "attachments": [{"mime_type": "audio/mpeg"}, {"url": "https://media.example/2.m4a"}]}]}
        """

    @Test func aJSONFeedIsRead() throws {
        let document = try parse(text)
        #expect(document.format == "JSON Feed 1.1" && !document.isMalformed && document.isPodcast)
        let channel = document.contents.channel
        expectEqual([channel.title, channel.link, channel.author], ["Talks", "https://example.org/", "Ann"])
        expectEqual([channel.selfURL, channel.summary], ["https://example.org/feed.json", "A &amp; B"])
        expectEqual([channel.image, channel.language], ["https://example.com/icon.png", "en"])
        expectEqual(channel.nextPage, "https://example.com/show/feed-2.json")
        let items = document.contents.items
        try #require(items.map(\.guid) == ["1", "2"] && items.map(\.title) == ["One", nil])
        try #require(items.map(\.facts.link) == ["https://example.org/1", "https://other.example/2"])
        try #require(items.map(\.content) == ["<p>Hi</p>", "Plain"] && items[0].summary == "a &lt; b")
        expectEqual(items[0].published, Timestamp(year: 2025, month: 1, day: 6, second: 9 * 3600))
        #expect(items[0].duration == MediaTime(seconds: 61.5) && items[0].author == "Bob")
        expectEqual(
            items[0].enclosures, [Enclosure(url: "https://example.com/show/1.mp3", type: "audio/mpeg", length: 123)])
        expectEqual(items[1].enclosures, [Enclosure(url: "https://media.example/2.m4a")])
    }

    @Test func theResultIsTheSameHoweverTheBytesArrive() throws {
        let bytes = Array("\u{FEFF}\n \(text)".utf8)
        let whole = try parse(bytes)
        expectEqual(whole.contents.items.count, 2)
        for size in [1, 2, 3, 7, 64, 1000] { try expectEqual(parse(bytes, pieces: size), whole, "\(size)") }
    }

    @Test func theVersionMayFollowTheItems() throws {
        let late = #"{"items": [{"id": "1"}], "title": "Late", "version": "https://jsonfeed.org/version/1"}"#
        let document = try parse(late)
        #expect(document.format == "JSON Feed 1" && document.contents.items.map(\.guid) == ["1"])
    }

    @Test func aDocumentThatBreaksOffKeepsItsWholeItems() throws {
        let end = try #require(text.range(of: "{\"id\": 2")).upperBound
        let document = try parse(String(text[..<end]))
        #expect(document.isTruncated && document.isMalformed)
        expectEqual(document.contents.items.map(\.guid), ["1"])
    }

    @Test(arguments: ["{}", #"{"version": "1.0", "items": []}"#, #"{"error": "not found"}"#, "{\"a\""])
    func otherJSONIsNotAFeed(_ text: String) throws {
        #expect(throws: DocumentError.notAFeed(.other("JSON"))) { try parse(text) }
    }
}
