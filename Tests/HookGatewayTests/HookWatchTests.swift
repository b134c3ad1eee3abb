import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import TestSupport
import Testing

@testable import HookGateway

@Suite struct PlayerWatchTests {
    private func player(_ state: PlayerReply.State, _ entry: Int64? = 1, sleeps: Bool = false) -> PlayerReply {
        var player = PlayerReply()
        player.state = state
        player.episode = entry.map { entry in
            PlayerReply.PlayingEpisode { ($0.id, $0.entry, $0.title) = (EpisodeID(entry), EntryID(entry), "T") }
        }
        player.sleep = sleeps ? SleepTimerReply() : nil
        return player
    }

    private func events(_ states: PlayerReply...) -> [HookEvent] {
        var watch = PlayerWatch()
        return states.flatMap { watch.update($0) }
    }

    @Test func theFirstReportIsOnlyTheBeginning() {
        for state in PlayerReply.State.allCases { #expect(events(player(state)).isEmpty) }
        #expect(events(player(.playing), player(.playing)).isEmpty)
        #expect(events(player(.loading), player(.playing)).isEmpty)
        expectEqual(events(player(.paused), player(.playing)), [.resumed])
    }

    @Test func playingFromBeginningToEnd() {
        expectEqual(
            events(
                player(.stopped, nil), player(.loading), player(.playing), player(.buffering), player(.playing),
                player(.paused),
                player(.playing), player(.loading, 2), player(.playing, 2), player(.stopped, nil)),
            [.episodeStarted, .paused, .resumed, .episodeStarted, .stopped])
    }

    @Test func anAnnouncementIsNoEpisodeAndTheReturnFromItNoStart() {
        func message(_ state: PlayerReply.State) -> PlayerReply {
            var player = player(state, nil)
            player.announcement = "bell"
            return player
        }
        expectEqual(
            events(
                player(.playing), message(.loading), message(.playing), player(.loading), player(.playing),
                player(.paused), message(.playing), player(.paused), player(.playing)),
            [.paused, .resumed])
        expectEqual(events(message(.playing), player(.loading), player(.playing)), [])
        expectEqual(events(player(.playing), message(.playing), player(.stopped)), [.stopped])
    }

    @Test func aPlayerThatLooksForItsNextEpisodeIsPassedOver() {
        expectEqual(
            events(player(.playing), player(.loading, nil), player(.paused, nil), player(.paused, 2)), [.paused])
        var watch = PlayerWatch()
        _ = watch.update(player(.playing))
        _ = watch.update(player(.loading, nil))
        expectEqual(watch.episode?.id, EpisodeID(1))
    }

    @Test func theSameEpisodeStartsAgainAfterAStop() {
        expectEqual(
            events(player(.playing), player(.stopped), player(.loading), player(.playing)),
            [
                .stopped, .episodeStarted,
            ])
    }

    @Test func theEndOfTheSleepTimerIsNotItsRemoval() {
        expectEqual(events(player(.playing, sleeps: true), player(.paused)), [.sleepTimerEnded, .paused])
        expectEqual(events(player(.playing, sleeps: true), player(.playing), player(.paused)), [.paused])
        expectEqual(events(player(.playing, sleeps: true), player(.paused, sleeps: true), player(.paused)), [.paused])
        // At the end of an episode the next one is paused before its first sound.
        expectEqual(
            events(player(.playing, sleeps: true), player(.loading, 2, sleeps: true), player(.paused, 2)),
            [
                .sleepTimerEnded, .paused,
            ])
    }

    @Test func leavingAnEntryIsNoticed() {
        var watch = PlayerWatch()
        for (state, hasLeft) in [
            (player(.playing), false), (player(.paused), false), (player(.loading, 2), true),
            (player(.stopped, nil), true),
            (player(.loading), false),
        ] {
            _ = watch.update(state)
            expectEqual(watch.hasLeftEntry, hasLeft)
        }
    }
}

func row(_ id: Int64, feed: Int64 = 1, feedTitle: String = "Show", isHidden: Bool = false) -> EpisodeReply {
    var episode = Episode(
        id: EpisodeID(id), feed: FeedID(feed), feedTitle: feedTitle, title: "Episode \(id)",
        enclosure: Enclosure(url: "http://host/\(id).mp3"), published: Timestamp(seconds: id))
    if isHidden { episode.state.hiddenReason = .skipped }
    return EpisodeReply(episode)
}

@Suite struct ListWatchTests {
    private let start = Instant(nanoseconds: 0)

    private func line(_ key: String, _ event: HistoryRecord.Event, second: Int64) -> HeardReply {
        var line = HeardReply { $0.key = key }
        (line.record.time, line.record.event) = (Timestamp(seconds: second), event)
        (line.record.episode, line.record.title) = (EpisodeID(1), "T")
        return line
    }

    private func change(_ ids: [Int64], reload: Bool? = nil) -> EventReply {
        var event = EventReply(sequence: 1, part: .episodes, value: .null)
        event.changes = ids.map { RowChange(.update, $0) }
        event.needsReload = reload
        return event
    }

    @Test func onlyNewLinesOfTheHistoryCount() {
        var watch = HistoryWatch()
        #expect(watch.update([line("1", .played, second: 1)]).isEmpty)
        let later = watch.update([
            line("3", .played, second: 3), line("2", .heard, second: 2), line("1", .played, second: 1),
        ])
        expectEqual(later.map(\.key), ["3"])
        // Undone: an older line comes into view.
        #expect(
            watch.update([line("2", .heard, second: 2), line("1", .played, second: 1), line("0", .played, second: 0)])
                .isEmpty)
    }

    @Test func newEpisodesOfKnownFeedsCount() {
        var watch = NewEpisodeWatch()
        expectEqual(watch.reading(after: change([9])), .nothing, "nothing is known yet")
        watch.learn([FeedID(1)], at: start)
        #expect(watch.update([row(7), row(5)], at: start).isEmpty)
        expectEqual(watch.reading(after: change([5, 7])), .nothing)
        expectEqual(watch.reading(after: change([7, 8])), .episodes([EpisodeID(8)]))
        expectEqual(watch.reading(after: change(Array(8...40))), .newest)
        expectEqual(watch.reading(after: change([], reload: true)), .newest)
        expectEqual(watch.update([row(9), row(8), row(7)], at: start).map(\.episode.id.rawValue), [8, 9])
        #expect(watch.update([row(9)], at: start).isEmpty)
        #expect(watch.update([row(10, isHidden: true), row(11, feedTitle: Feed.singleFilesTitle)], at: start).isEmpty)
    }

    @Test func episodesThatComeWithASubscriptionDoNotCount() {
        var watch = NewEpisodeWatch()
        watch.learn([FeedID(1)], at: start)
        _ = watch.update([], at: start)
        #expect(watch.update([row(1, feed: 2)], at: start).isEmpty)
        #expect(watch.update([row(2, feed: 2)], at: start + .seconds(5)).isEmpty)
        expectEqual(watch.update([row(3, feed: 2)], at: start + .seconds(500)).count, 1)
    }

    @Test func downloadsThatEndAreReportedOnce() {
        func row(_ id: Int64, _ state: DownloadReply.State) -> DownloadReply {
            var row = DownloadReply()
            (row.episode, row.state) = (EpisodeID(id), state)
            return row
        }
        var watch = DownloadWatch()
        func events(_ rows: [DownloadReply], _ changed: [Int64]?) -> [String] {
            watch.update(rows, changed: changed?.map { EpisodeID($0) }).map { "\($0.event.rawValue) \($0.row.episode)" }
        }
        #expect(events([row(1, .downloaded), row(2, .waiting)], nil).isEmpty)
        #expect(events([row(1, .downloaded), row(2, .downloading)], [2]).isEmpty)
        expectEqual(events([row(1, .downloaded), row(2, .failed)], [2]), ["download-failed 2"])
        #expect(events([row(1, .downloaded), row(2, .failed)], [2]).isEmpty)
        // Another attempt that fails is another event.
        #expect(events([row(2, .downloading)], [2]).isEmpty)
        expectEqual(
            events([row(1, .downloaded), row(2, .downloaded), row(3, .downloaded)], [2, 3, 1]),
            [
                "download-finished 2", "download-finished 3",
            ])
        // Deleted and downloaded again.
        #expect(events([row(2, .downloaded)], [3]).isEmpty)
        expectEqual(events([row(2, .downloaded), row(3, .downloaded)], nil), ["download-finished 3"])
    }

    @Test func outputsThatCanBeUsedOrNoLongerAreReportedOnce() {
        func output(_ name: String, _ phase: OutputPhase, isEnabled: Bool = true) -> OutputReply {
            var output = OutputReply(OutputSetup(name, "null", isEnabled: isEnabled))
            output.phase = phase
            return output
        }
        var watch = OutputWatch()
        func names(_ outputs: OutputReply...) -> [String] { watch.update(outputs).map(\.name) }
        expectEqual(names(output("bath", .failed), output("study", .idle)), ["bath"])
        #expect(names(output("bath", .failed), output("study", .ready)).isEmpty)
        expectEqual(names(output("bath", .ready), output("study", .ready)), ["bath"])
        expectEqual(names(output("bath", .ready), output("study", .idle, isEnabled: false)), ["study"])
        // An output that was added is not reported.
        #expect(names(output("bath", .ready), output("porch", .idle)).isEmpty)
    }

    @Test func documentsAreOneLineOfJSON() throws {
        var player = PlayerReply()
        (player.state, player.position) = (.paused, MediaTime(seconds: 12.5))
        let document = HookDocument(.paused, at: Timestamp(seconds: 0), player: player, episode: row(4))
        let text = String(decoding: document.bytes, as: UTF8.self)
        #expect(text.hasSuffix("}\n") && text.count { $0 == "\n" } == 1)
        let json = try JSONValue(parsing: text)
        #expect(json["event"] == "paused" && json["time"] == "1970-01-01T00:00:00Z" && json["position"] == 12.5)
        expectEqual(json["episode"]?["title"], "Episode 4")
        (player.state, player.position) = (.stopped, .zero)
        var left = row(4).episode
        left.state.position = MediaTime(seconds: 4.561)
        let stopped = HookDocument(.stopped, at: Timestamp(seconds: 0), player: player, episode: EpisodeReply(left))
        try expectEqual(JSONValue(parsing: String(decoding: stopped.bytes, as: UTF8.self))["position"], 4.561)
        let many = HookDocument(new: (1...60).map { row($0) }, at: Timestamp(seconds: 0))
        let list = try JSONValue(parsing: String(decoding: many.bytes, as: UTF8.self))
        #expect(list["count"] == 60 && list["episodes"]?.arrayValue?.count == HookDocument.mostEpisodes)
    }
}
