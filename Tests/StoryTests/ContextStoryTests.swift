import ControlClient
import ControlLanguage
import ControlProtocol
import LoopbackServer
import PodcastModel
import SystemCalls
import Testing
import TestSupport

/// Play contexts and the volume of a feed, told through the programs as they are installed.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct ContextStoryTests: DaemonStory {
    let daemon: RunningDaemon
    private let client: DaemonConnection
    private let serial: PublishedFeed
    private let news: PublishedFeed

    init() throws {
        let audio = try minutesOfSpeech()
        serial = try PublishedFeed(
            title: "Serial", episodes: [("Part 3", audio), ("Part 2", audio), ("Part 1", audio)])
        news = try PublishedFeed(title: "News", episodes: [("Today", audio), ("Yesterday", audio)])
        daemon = try RunningDaemon()
        client = try daemon.connect(watching: .player, subscribing: serial.feed.url, news.feed.url)
    }

    /// Waits until a title plays and the next one is known.
    private func playing(_ title: String, next: String?, on client: DaemonConnection? = nil) throws -> PlayerReply {
        let client = client ?? self.client
        try client.watch([.player])
        let now = try client.call(GetStatus()).player
        let matches = { (player: PlayerReply) in
            player.state == .playing && player.episode?.title == title && player.upcoming.next?.title == next
        }
        return matches(now) ? now : try client.player(matches)
    }

    @Test func aFeedPlaysOldestFirstBeforeTheQueueAndSurvivesARestart() throws {
        try client.call(AddToQueue { $0.what = ["Today"] })
        try daemon.play("Serial", "--oldest-first")
        let first = try playing("Part 1", next: "Part 2")
        #expect(first.upcoming.next?.from == .feed && first.upcoming.context?.name == "Serial")
        let status = try ctl("status").output
        #expect(status.contains("next: Part 2 · Serial") && status.contains("plays: Serial, oldest first"))
        // The answer itself, not only a later status, shows what follows.
        try expectOutcome(ctl("next"), 0, output: "next: Part 3 · Serial")
        _ = try playing("Part 2", next: "Part 3")
        expectEqual(daemon.stop(), .exited(0))

        let again = try RunningDaemon(in: daemon.scratch)
        let client = try again.connect()
        _ = try playing("Part 2", next: "Part 3", on: client)
        try client.call(Seek { $0.time = TimeArgument(parsing: "13:20") })
        let last = try playing("Part 3", next: "Today", on: client)
        expectEqual(last.upcoming.next?.from, .queue)
        try client.call(PlayNext())
        try expectEqual(playing("Today", next: nil, on: client).upcoming.context, nil)
    }

    @Test func aPlaylistPlaysNewestFirstAndAnotherPlayEndsIt() throws {
        try daemon.play("playlist:new", "--newest-first")
        // Two episodes have the latest date.
        let matches = { (player: PlayerReply) in player.state == .playing && player.upcoming.next != nil }
        let now = try client.call(GetStatus()).player
        let first = matches(now) ? now : try client.player(matches)
        expectEqual(Set([first.episode?.title, first.upcoming.next?.title]), ["Part 3", "Today"])
        #expect(first.upcoming.context?.kind == .playlist && first.upcoming.context?.name == "playlist:new")
        try expectEqual(client.call(ListQueue()).extent.length, 1)
        try daemon.play("Yesterday")
        try expectEqual(playing("Yesterday", next: nil).upcoming.context, nil)
    }

    @Test func whatPlaysCanBeFollowedByItsFeedAndByTheQueueAgain() throws {
        try client.call(AddToQueue { $0.what = ["Part 2", "Today"] })
        try daemon.play("1")
        _ = try playing("Part 2", next: "Today")
        try daemon.play("--newest-first")
        _ = try playing("Part 2", next: "Part 1")
        try daemon.play("--then-queue")
        _ = try playing("Part 2", next: "Today")
        #expect(try ctl("play", "--then-queue", "--newest-first").status != 0)
    }

    @Test func whatIsInsertedPlaysNextAndTheContextContinuesAfterIt() throws {
        try daemon.play("Serial", "--oldest-first")
        _ = try playing("Part 1", next: "Part 2")
        try expectEqual(ctl("insert", "Today").status, 0)
        try expectEqual(playing("Part 1", next: "Today").upcoming.next?.from, .queue)
        try expectEqual(ctl("next").status, 0)
        try expectEqual(playing("Today", next: "Part 2").upcoming.context?.name, "Serial")
        try expectEqual(ctl("next").status, 0)
        _ = try playing("Part 2", next: "Part 3")
    }

    @Test func theSettingSaysWhatFollowsTheQueue() throws {
        #expect(try ctl("settings", "playback.after_queue", "sometimes").status != 0)
        let unknown = try ctl("settings", "playback.after_queue", "playlist:missing")
        #expect(unknown.status != 0 && unknown.errors.contains("missing"), "\(unknown.errors)")
        try expectEqual(ctl("playlist", "other", "save", "feed:News").status, 0)
        try expectEqual(ctl("settings", "playback.after_queue", "playlist:other").status, 0)
        try daemon.play("Part 2")
        _ = try playing("Part 2", next: "Today")
        try expectEqual(ctl("settings", "playback.after_queue", "oldest-first").status, 0)
        _ = try playing("Part 2", next: "Part 3")
        try expectEqual(ctl("seek", "13:20").status, 0)
        _ = try playing("Part 3", next: nil)
    }

    @Test func aFeedHasItsOwnVolumeWhoseUndoIsHeardAtOnceAndTheUsersStays() throws {
        try expectEqual(ctl("volume", "60").status, 0)
        #expect(try ctl("set", "Serial", "volume", "loud").status != 0)
        try expectEqual(ctl("set", "Serial", "volume", "50").status, 0)
        try client.call(AddToQueue { $0.what = ["Part 1", "Today"] })
        try daemon.play("1")
        let serial = try playing("Part 1", next: "Today")
        #expect(serial.volume == 60 && serial.feedVolume == 50)
        try expectContains(ctl("status").output, "volume 60 %, feed 50 %")
        try expectEqual(ctl("set", "Serial", "volume", "120").status, 0)
        try expectEqual(client.call(GetStatus()).player.feedVolume, 120)
        try expectEqual(ctl("undo").status, 0)
        try client.player { $0.feedVolume == 50 }
        try expectEqual(ctl("redo").status, 0)
        try client.player { $0.feedVolume == 120 }
        try expectEqual(ctl("next").status, 0)
        try expectEqual(playing("Today", next: nil).feedVolume, nil)
    }
}
