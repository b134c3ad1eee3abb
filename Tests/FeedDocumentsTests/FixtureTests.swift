import FeedDocuments
import Foundation
import PodcastModel
import TestSupport
import Testing

/// Whole feeds as hosts and blogs write them; the files' names say what they stand for.
struct FixtureTests {
    private func document(_ name: String) throws -> FeedDocument {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)")
        return try parse(Array(Data(contentsOf: file)), base: "https://feeds.example.com/\(name)")
    }

    @Test func aHostedPodcastIsReadWithoutRepairs() throws {
        let feed = try document("hosted-podcast.xml")
        #expect(!feed.isMalformed)
        #expect(feed.isPodcast)
        expectEqual([feed.format, feed.contents.channel.title], ["RSS 2.0", "Harbour & Hinterland"])
        expectEqual(feed.contents.items.count, 2)
        expectEqual(feed.contents.items[0].content?.contains("<li>12:30 – Nets</li>"), true)
        expectEqual(feed.contents.items[0].duration, MediaTime(seconds: 2730))
        expectEqual(feed.contents.items[1].facts.type, "trailer")
    }

    @Test func aBlogIsDistinguishedFromAPodcast() throws {
        let feed = try document("plain-blog.xml")
        #expect(!feed.isMalformed)
        #expect(!feed.isPodcast)
        expectEqual(feed.contents.items.map(\.title), ["Second post", "First post"])
    }

    @Test func aHandWrittenFeedIsReadDespiteItsErrors() throws {
        let feed = try document("hand-written-with-faults.xml")
        #expect(feed.isMalformed)
        expectEqual(feed.contents.items.map(\.title), ["Q&A – part 1", "x < y, and “so on”", "Salt & Pepper"])
        expectEqual(
            feed.contents.items.map { $0.enclosures.first?.url },
            [
                "https://feeds.example.com/audio/1.mp3?a=1&b=2", "https://feeds.example.com/audio/2.mp3",
                "https://feeds.example.com/audio/3.mp3",
            ])
        #expect(feed.diagnostics.allSatisfy { $0.line > 0 && $0.column > 0 })
    }
}
