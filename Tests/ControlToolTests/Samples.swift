import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import Reporting

/// Answers as a daemon would give them.
enum Samples {
    static func episode(
        _ id: Int64, _ title: String, feed: String = "The Example Podcast", minutes: Int64 = 62,
        state: EpisodeState = EpisodeState()
    ) -> EpisodeReply {
        EpisodeReply(
            Episode(
                id: EpisodeID(id), feed: FeedID(1), feedTitle: feed, title: title,
                enclosure: Enclosure(url: "https://media.example.test/\(id).mp3", type: "audio/mpeg"),
                published: Timestamp(year: 2026, month: 11, day: 20),
                announcedDuration: MediaTime(seconds: Double(minutes * 60)),
                facts: facts(of: id), state: state), key: "\(id)")
    }

    private static func facts(of id: Int64) -> EpisodeFacts {
        var facts = EpisodeFacts()
        facts.link = "https://example.test/\(id)"
        if id == 812 { (facts.season, facts.number) = (2, 5) }
        return facts
    }

    static let begun = EpisodeState(position: MediaTime(milliseconds: 754_200), isStarred: true)
    static let episodes: [EpisodeReply] = [
        episode(812, "Episode 42: A title of ordinary length", state: begun),
        episode(9, "第四十二話 長いタイトルのエピソード", feed: "日本語のポッドキャスト", minutes: 7, state: EpisodeState(isPlayed: true)),
        episode(
            10, "Evil\u{1B}[2J\u{202E}\u{7}\nsecond line", feed: "F", minutes: 125,
            state: EpisodeState(isDownloaded: true)),
    ]

    static var list: JSONValue {
        EpisodeListReply(episodes, hasBefore: false, hasAfter: true, count: RowCount.atLeast(120)).json
    }

    static var queue: JSONValue {
        let entries = episodes.enumerated().map { index, episode in
            EntryReply(id: EntryID(Int64(index) + 40), index: index + 1, isCurrent: index == 1, episode: episode)
        }
        var reply = QueueListReply(entries, extent: QueueExtent(length: 3, index: 2), hasAfter: false)
        (reply.remaining.time, reply.remaining.isExact) = (MediaTime(seconds: 11_525), false)
        return reply.json
    }

    static var feeds: JSONValue {
        func feed(_ id: Int64, _ title: String, _ unplayed: Int, error: String? = nil) -> FeedReply {
            var feed = Feed(
                id: FeedID(id), url: "https://example.test/\(id)", title: title, subscribed: Timestamp(seconds: 0))
            feed.health.lastSuccess = error == nil ? Timestamp(year: 2026, month: 11, day: 19) : nil
            feed.health.error = error
            (feed.episodeCount, feed.unplayedCount, feed.newCount) = (240, 100 + unplayed, unplayed)
            return FeedReply(feed, key: "\(id)")
        }
        return FeedListReply(
            [
                feed(1, "The Example Podcast", 12), feed(2, "日本語のポッドキャスト", 0),
                feed(
                    3, "A feed that does not answer any more since last winter", 3,
                    error: "host example.test: name not known"),
            ], hasAfter: false
        ).json
    }

    static var player: PlayerReply {
        var player = PlayerReply()
        player.state = .playing
        player.episode = PlayerReply.PlayingEpisode {
            ($0.id, $0.entry, $0.title) = (EpisodeID(812), EntryID(40), "Episode 42: A title of ordinary length")
        }
        player.feed = PlayerReply.PlayingFeed { ($0.id, $0.title) = (FeedID(1), "The Example Podcast") }
        player.position = MediaTime(milliseconds: 754_200)
        player.duration = MediaTime(milliseconds: 3_723_500)
        player.volume = 80
        return player
    }

    static let buffering = Activity {
        ($0.id, $0.kind, $0.message, $0.subject) = (3, .buffering, "Buffering audio", "Episode 42")
        $0.progress = 0.4
    }

    static var status: StatusReply {
        StatusReply {
            ($0.player, $0.queue, $0.outputs, $0.activities) = (
                player, QueueExtent(length: 10, index: 2),
                [OutputReply(OutputSetup("default", "alsa:default"))], [buffering]
            )
        }
    }
}
