import ControlLanguage
@testable import DaemonCore
import ControlProtocol
@testable import Library
import MediaPorts
import Playback
import PodcastModel
import Reporting
import TestSupport
import Testing

@Suite struct ReplyTests {
    @Test func aPlayerWithoutAnEntryNamesNoEpisode() {
        var status = PlayerStatus()
        status.title = "left over"
        let reply = PlayerReply(status)
        expectEqual(reply.episode, nil)
        expectEqual(reply.feed, nil)
        expectEqual(reply.state, .stopped)
    }

    @Test func thePlayerKeepsPositionInstantAndPaceTogether() {
        var status = PlayerStatus()
        status.state = .playing
        status.entry = QueueEntry(id: EntryID(3), episode: EpisodeID(4))
        (status.title, status.feedTitle) = ("Title", "Feed")
        (status.position, status.instant, status.pace) = (MediaTime(seconds: 12), Instant(nanoseconds: 34), 1.5)
        status.error = MediaFailure(.network, "no route")
        let reply = PlayerReply(status)
        expectEqual(
            reply.episode,
            PlayerReply.PlayingEpisode { ($0.id, $0.entry, $0.title) = (EpisodeID(4), EntryID(3), "Title") })
        expectEqual(reply.feed?.title, "Feed")
        expectEqual(reply.position, MediaTime(seconds: 12))
        expectEqual(reply.instant, Instant(nanoseconds: 34))
        expectEqual(reply.pace, 1.5)
        expectEqual(reply.error, "no route")
    }

    @Test func anUndoneSubscriptionOfSeveralFeedsCountsThem() {
        var step = UndoneStep(kind: .unsubscribed, title: "News")
        step.feeds = [FeedID(1)]
        expectEqual(UndoneReply(step).subject, "News")
        step.feeds = [FeedID(1), FeedID(2)]
        expectEqual(UndoneReply(step).subject, "News and 1 other feed")
    }

    @Test func anUndoneEditOfTheQueueHasNoPosition() {
        var episode = Episode(
            id: EpisodeID(1), feed: FeedID(1), feedTitle: "Feed", title: "Title",
            enclosure: Enclosure(url: "https://example.org/1.mp3"), published: Timestamp(seconds: 0))
        episode.state.position = MediaTime(seconds: 9)
        for kind in Act.allCases {
            let reply = UndoneReply(UndoneStep(kind: kind, episodes: [episode, episode]))
            expectEqual(reply.count, 2)
            expectEqual(reply.title, "Title")
            expectEqual(reply.position, kind.traits.isOfQueue ? nil : MediaTime(seconds: 9), "\(kind)")
        }
        expectEqual(UndoneReply(UndoneStep(kind: .shuffled, episodes: [])).title, nil)
    }
}
