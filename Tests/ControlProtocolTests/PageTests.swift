import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import Testing
import TestSupport

/// Pages of lists, which end by bytes as well as by rows.
@Suite struct PageTests {
    private static let longLink = "https://example.org/" + String(repeating: "x", count: 10_000)
    private static let picture = "data:image/png;base64," + String(repeating: "A", count: 900_000)

    private func episodes(_ count: Int, link: String?) -> [EpisodeReply] {
        var facts = EpisodeFacts()
        facts.link = link
        return (1...count).map { number in
            EpisodeReply(
                Episode(
                    id: EpisodeID(Int64(number)), feed: FeedID(1), feedTitle: "News", title: "Episode \(number)",
                    enclosure: Enclosure(url: "https://example.org/\(number).mp3"), published: Timestamp(seconds: 0),
                    facts: facts), key: "0.\(number)")
        }
    }

    private func list(_ count: Int, link: String?) -> EpisodeListReply {
        EpisodeListReply(
            episodes(count, link: link), hasBefore: false, hasAfter: false, count: RowCount.exactly(count))
    }

    @Test func aPageThatFitsIsLeftAsItIs() {
        expectEqual(list(1000, link: nil).answer, list(1000, link: nil).json)
    }

    @Test func aPageOfLongRowsEndsEarlierAndNamesTheNextOne() throws {
        let page = list(1000, link: Self.longLink).answer
        #expect(page.text.utf8.count < Outgoing.maximumLine)
        let reply = try #require(EpisodeListReply(json: page))
        let ids = reply.episodes.map(\.episode.id.rawValue)
        #expect(ids.count > 50 && ids == Array(1...Int64(ids.count)))
        #expect(reply.hasAfter && reply.next == reply.episodes.last?.key)
        #expect(reply.episodes.allSatisfy { $0.episode.link == Self.longLink })
    }

    @Test func aPageBeforeARowBeginsLater() throws {
        var list = list(1000, link: Self.longLink)
        list.isBackward = true
        let reply = try #require(EpisodeListReply(json: list.answer))
        expectEqual(reply.episodes.last?.episode.id, EpisodeID(1000))
        #expect(reply.hasBefore && !reply.hasAfter && reply.next == reply.episodes.first?.key)
    }

    @Test func aRowThatIsTooLongAloneHasItsTextsShortened() throws {
        let page = list(40, link: Self.picture).answer
        #expect(page.text.utf8.count < Outgoing.maximumLine)
        let reply = try #require(EpisodeListReply(json: page))
        #expect(reply.episodes.count >= 10)
        let first = try #require(reply.episodes.first?.episode)
        #expect(first.title == "Episode 1" && first.enclosure.url == "https://example.org/1.mp3")
        #expect(first.link?.hasPrefix("data:image/png") == true && first.link?.hasSuffix("…") == true)
    }

    @Test func everyRowIsFoundOnSomePage() throws {
        var rest = episodes(300, link: Self.longLink)
        var seen: [Int64] = []
        while !rest.isEmpty {
            let asked = EpisodeListReply(
                rest, hasBefore: false, hasAfter: false, count: RowCount.exactly(rest.count))
            let reply = try #require(EpisodeListReply(json: asked.answer))
            try #require(!reply.episodes.isEmpty)
            seen += reply.episodes.map(\.episode.id.rawValue)
            rest.removeFirst(reply.episodes.count)
            expectEqual(reply.hasAfter, !rest.isEmpty)
        }
        expectEqual(seen, Array(1...300))
    }

    @Test func queueFeedsTranscriptsAndPlaylistsEndByBytesToo() throws {
        let entries = episodes(1000, link: Self.longLink).enumerated().map { offset, episode in
            EntryReply(id: EntryID(Int64(offset)), index: offset + 1, isCurrent: false, episode: episode)
        }
        let queue = QueueListReply(entries, extent: QueueExtent(length: 1000, index: nil), hasAfter: false)
        let feeds = (1...1000).map { number in
            var feed = Feed(id: FeedID(Int64(number)), url: "u", title: "T", subscribed: Timestamp(seconds: 0))
            feed.image = Self.longLink
            return FeedReply(feed, key: "\(number)")
        }
        let cues = (0..<1000).map { CueReply(Cue(start: nil, end: nil, speaker: nil, text: Self.longLink), index: $0) }
        var transcript = TranscriptReply()
        transcript.cues = cues
        let playlist = PlaylistPageReply {
            ($0.name, $0.title, $0.list) = ("new", "New", list(1000, link: Self.longLink))
        }
        for page in [queue.answer, FeedListReply(feeds, hasAfter: false).answer, transcript.answer, playlist.answer] {
            #expect(page.text.utf8.count < Outgoing.maximumLine)
            expectEqual(page["hasAfter"], true)
        }
    }
}
