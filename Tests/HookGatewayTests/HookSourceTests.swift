import ControlClient
import ControlLanguage
import ControlProtocol
import PodcastModel
import SystemCalls
import TestSupport
import Testing

@testable import HookGateway

/// What podcast-hooks reports of a daemon whose answers the test makes up.
@Suite(.ownThread) struct HookSourceTests {
    private final class Reported { var documents: [HookDocument] = [] }

    private let served: ServedDaemon
    private let source: HookSource
    private let reported = Reported()

    init() throws {
        served = try ServedDaemon()
        served.daemon.set(.player, PlayerReply().json)
        served.daemon.reply(to: "feeds.list", FeedListReply().json)
        source = HookSource(connection: ControlConnection(reconnectingTo: served.socket)) { [reported] in
            reported.documents.append($0)
        }
        follow { source.isSettled && served.daemon.calls(of: ListHistory.self).count == 1 }
    }

    private func follow(until isDone: () -> Bool) {
        while !isDone() {
            let connection = source.connection
            waitForDescriptors(
                readable: connection.descriptor, writable: connection.wantsWriting ? connection.descriptor : -1,
                until: connection.deadline ?? .distantFuture)
            source.process()
        }
    }

    private func rows(_ rows: [EpisodeReply]) {
        var reply = EpisodeRowsReply()
        reply.rows = rows
        served.daemon.reply(to: "episodes.get", reply.json)
    }

    private func play() {
        var player = PlayerReply()
        player.state = .playing
        player.episode = .init { ($0.id, $0.entry, $0.title) = (EpisodeID(7), EntryID(1), "Short") }
        served.publish(.player, player.json)
    }

    private var events: [HookEvent] { reported.documents.map(\.event) }

    @Test func whatWasThereBeforeIsNotReportedAndTheConnectionMayOnlyRead() {
        expectEqual(events, [])
        #expect(served.daemon.calls.allSatisfy { type(of: $0).declaration.permission == .read })
    }

    @Test func anEpisodeThatStartsIsReportedWithItsRow() throws {
        rows([row(7)])
        play()
        follow { !events.isEmpty }
        expectEqual(events, [.episodeStarted])
        let text = try #require(reported.documents.first.map { String(decoding: $0.bytes, as: UTF8.self) })
        expectContains(text, "\"title\":\"Episode 7\"")
    }

    @Test func episodesOfANewSubscriptionAreNotReported() {
        served.daemon.reply(
            to: "episodes.list",
            EpisodeListReply([row(8), row(7)], hasBefore: false, hasAfter: false, count: RowCount()).json)
        served.change(.episodes)
        follow { source.isSettled && served.daemon.calls(of: ListEpisodes.self).count == 2 }
        expectEqual(events, [])
    }

    @Test func aDownloadThatFailsIsReportedOnce() {
        var download = DownloadReply()
        (download.episode, download.state) = (EpisodeID(7), .failed)
        rows([row(7)])
        served.daemon.reply(to: "episodes.downloads", DownloadListReply([download], hasAfter: false).json)
        for reads in 2...3 {
            served.change(.downloads)
            follow { source.isSettled && served.daemon.calls(of: ListDownloads.self).count == reads }
        }
        expectEqual(events, [.downloadFailed])
    }

    @Test func theEndOfTheDaemonIsNoEvent() {
        play()
        follow { events == [.episodeStarted] }
        served.stop()
        follow { if case .waiting = source.connection.state { true } else { false } }
        #expect(source.isSettled)
        expectEqual(events, [.episodeStarted])
    }
}
