import JSON
import Library
import PodcastModel
@testable import RefreshTool
import TestSupport
import Testing

struct StateTests {
    private var feed: PortableFeed {
        var feed = PortableFeed(
            url: "https://a.example/f", title: "A \"show\"", tags: ["News/World", "Talk"], settings: ["title": "Mine"])
        feed.subscribed = Timestamp(milliseconds: 1_700_000_000_250)
        feed.formerURLs = ["http://old.example/f"]
        return feed
    }

    private var episode: PortableEpisode {
        var episode = PortableEpisode(
            EpisodeIdentity(
                guid: "g-1", url: "https://a.example/1.mp3", title: "One", published: Timestamp(seconds: 1_600_000_000),
                duration: MediaTime(milliseconds: 61_500)))
        episode.feed = feed.url
        episode.position = MediaTime(milliseconds: 12_345)
        episode.lastPlayed = Timestamp(milliseconds: 1_700_000_100_001)
        episode.isStarred = true
        episode.note = "line one\nline two ☃"
        episode.bookmarks = [
            PortableBookmark(
                position: MediaTime(milliseconds: 12_345), text: "here ☃", created: Timestamp(milliseconds: 1_500)),
            PortableBookmark(
                position: .zero, skipEnd: MediaTime(seconds: 90), text: "", created: Timestamp(seconds: 7)),
        ]
        episode.queueIndex = 3
        episode.isCurrent = true
        episode.isDownloaded = true
        episode.history = [
            HistoryRecord(
                time: Timestamp(milliseconds: 1_700_000_100_001), event: .heard,
                position: MediaTime(milliseconds: 12_345)),
            HistoryRecord(time: Timestamp(seconds: 9), event: .unplayed, position: .zero),
        ]
        return episode
    }

    private let policies = [
        PortablePolicy(.rule, "title:\"a \\\"b\\\"\" then queue priority=3"),
        PortablePolicy(.rule, "then skip", of: "https://a.example/f"), PortablePolicy(.retention, "newest:10"),
        PortablePolicy(.retention, "all", of: "https://a.example/f"), PortablePolicy(.playlist, "", of: "All"),
        PortablePolicy(.playlist, "order:oldest longer:1h", of: "Long ☃"),
    ]

    private let day = HeardDay(
        day: CalendarDay(20_000), url: "https://a.example/f", title: "A",
        time: ListeningTime(heard: .milliseconds(61_001), savedBySpeed: .seconds(3)))

    private var records: [PortableRecord] {
        [.feed(feed)] + policies.map { .policy($0) } + [
            .listening(day), .episode(episode),
            .episode(PortableEpisode(EpisodeIdentity(url: "https://l.example/x.mp3"))),
        ]
    }

    private func document() -> [UInt8] {
        var writer = StateWriter()
        for record in records { writer.write(record) }
        writer.end()
        return writer.take()
    }

    private func read(_ bytes: [UInt8]) throws -> (records: [PortableRecord], reader: StateReader) {
        var reader = StateReader()
        var records: [PortableRecord] = []
        try reader.read(bytes) { record, _ in
            records.append(record)
            return true
        }
        return (records, reader)
    }

    @Test func aDocumentIsUnchangedByWritingAndReading() throws {
        try expectEqual(read(document()).records, records)
    }

    @Test func theDocumentIsOneJSONDocument() throws {
        let whole = try JSONValue(parsing: String(decoding: document(), as: UTF8.self))
        #expect(whole["format"] == "podcastd-state" && whole["version"] == 1)
        expectEqual(whole["episodes"]?.arrayValue?.count, 2)
        expectEqual(whole["episodes"]?.arrayValue?[0]["position"], 12.345)
    }

    @Test func membersMayHaveAnyOrderAndUnknownOnesAreReported() throws {
        let text = """
            { "episodes" : [ ] , "bookmarks":[{"a":[1,{"b":"]}"}]}], "feeds":[{"title":"no address"},{"url":"https://x.example/"}],
              "version":1, "other": {"x": "\\"}"}, "format":"podcastd-state" }
            """
        let (records, reader) = try read(Array(text.utf8))
        expectEqual(records, [.feed(PortableFeed(url: "https://x.example/"))])
        #expect(reader.unknown == ["bookmarks", "other"] && reader.refused == 1)
    }

    @Test func impossibleTimesAndEventsOfRulesAreLeftOut() throws {
        let text = """
            {"format":"podcastd-state","listening":[{"day":"2026-11-22","title":"A","heard":345601},{"day":"soon","heard":1},
            {"day":"2026-11-22","title":"A","heard":9e18}],
            "episodes":[{"url":"https://a.example/1","history":[{"time":1,"event":"queued","position":0},
            {"time":1,"event":"other","position":0},{"event":"heard","position":0},{"time":1,"event":"heard","position":-1}]}]}
            """
        let (records, reader) = try read(Array(text.utf8))
        expectEqual(
            records,
            [
                .listening(HeardDay(day: CalendarDay(20_779), url: nil, title: "A", time: ListeningTime())),
                .episode(PortableEpisode(EpisodeIdentity(url: "https://a.example/1"))),
            ])
        expectEqual(reader.refused, 2)
    }

    @Test(arguments: ["-9223372036854776.0", "9223372036854775.807", "-9223372036854775808", "1e308", "-1e308", "1e15"])
    func extremeNumbersBecomeTimesThatCanBeShown(number: String) throws {
        let text = """
            {"format":"podcastd-state","feeds":[{"url":"https://a.example/f","subscribed":\(number)}],
            "listening":[{"day":"9999-12-31","title":"A","heard":\(number)}],
            "episodes":[{"url":"https://a.example/1","published":\(number),"duration":\(number),"position":\(number),
            "lastPlayed":\(number),"marked":\(number),"queueIndex":\(number),
            "bookmarks":[{"position":\(number),"skipTo":\(number),"created":\(number)},{"position":1,"created":\(number)}],
            "history":[{"time":\(number),"event":"heard","position":\(number)},{"time":\(number),"event":"heard","position":1}]}]}
            """
        for record in try read(Array(text.utf8)).records {
            guard case .episode(let episode) = record else { continue }
            let times = episode.bookmarks.map(\.created) + episode.history.map(\.time)
            for time in times + [episode.lastPlayed, episode.marked].compactMap(\.self) {
                expectEqual(time.description.count, 20)
            }
            for mark in episode.bookmarks { #expect(mark.skipEnd != mark.position) }
        }
    }

    @Test func anIncompleteDocumentGivesItsRecordsAndAnError() throws {
        var reader = StateReader()
        var records = 0
        let bytes = Array(document().dropLast(30))
        #expect(throws: MovingError.self) {
            try reader.read(bytes) { _, _ in
                records += 1
                return true
            }
        }
        expectEqual(records, 9)
    }

    @Test(arguments: [
        "", "[]", "{}", "null", "{\"format\":\"other\"}", "{\"a\":tru}", "{\"format\":\"podcastd-state\",}", "{]}",
        "{\"format\":\"podcastd-state\",\"version\":2}",
    ])
    func documentsInOtherFormatsAreRejected(text: String) {
        #expect(throws: MovingError.self) { try read(Array(text.utf8)) }
    }

    @Test func aHugeValueIsRejectedBeforeItFillsTheMemory() {
        let text = "{\"format\":\"podcastd-state\",\"feeds\":[\"" + String(repeating: "x", count: 2 << 20)
        #expect(throws: MovingError.self) { try read(Array(text.utf8)) }
    }
}
