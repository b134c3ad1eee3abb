import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import Glibc
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

@Suite(
    .ownThread, .enabled(if: SmallDisk.isPossible, "a small disk can be mounted by root alone"),
    .timeLimit(.minutes(10)))
struct DiskFullTests {
    private struct Listening {
        let disk: SmallDisk
        let daemon: RunningDaemon
        let client: DaemonConnection
        let published: PublishedFeed

        init() throws {
            let scratch = try Scratch()
            disk = try SmallDisk(scratch.path + "/data", "2m")
            published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
            daemon = try RunningDaemon(in: scratch)
            client = try daemon.connect(watching: .player, subscribing: published.feed.url)
            try client.play("Long")
        }

        /// Edits until one is refused.
        func editUntilRefused() throws -> ClientFailure {
            for number in 0..<200 {
                do {
                    let text = String(repeating: "\(number) ", count: 10_000)
                    try client.call(NoteEpisode { ($0.episode, $0.text) = ("Long", text) })
                } catch let failure as ClientFailure {
                    return failure
                }
            }
            throw CocoaError(.fileWriteUnknown)
        }

        func refusal(_ command: some Command) throws -> ClientFailure? {
            do {
                try client.call(command)
                return nil
            } catch let failure as ClientFailure {
                return failure
            }
        }

        /// Waits until playback has continued for a number of seconds.
        func listen(_ seconds: Double) throws {
            func position() throws -> Double { try client.call(GetStatus()).player.position?.seconds ?? 0 }
            let end = try position() + seconds
            while try position() < end {
                try expectEqual(client.call(GetStatus()).player.state, .playing)
            }
        }
    }

    @Test func aFullDiskIsReportedWhilePlaybackContinuesAndUsedAgainWhenItHasRoom() throws {
        let listening = try Listening()
        let (disk, client) = (listening.disk, listening.client)
        disk.fill()
        let refusal = try listening.editUntilRefused()
        #expect(refusal.code == .storageFailed && refusal.what.contains("the disk is full"), "\(refusal)")
        #expect(throws: ClientFailure.self) { try client.call(BackUpLibrary()) }
        let other = try PublishedFeed(title: "Other", episodes: [("One", [UInt8](repeating: 0, count: 100))])
        try expectOutcome(listening.daemon.ctl("subscribe", other.feed.url), 74)
        let volume = try listening.daemon.ctl("volume", "40")
        #expect(volume.status == 74 && volume.errors.contains("volume 40, but only until podcastd ends"), "\(volume)")
        try expectEqual(client.call(GetStatus()).player.volume, 40)
        try listening.listen(2.5)
        let copies = (try? FileManager.default.contentsOfDirectory(atPath: disk.path + "/backups")) ?? []
        expectEqual(copies, [])

        disk.makeRoom()
        try client.call(NoteEpisode { ($0.episode, $0.text) = ("Long", "there is room again") })
        try client.call(AddToQueue { ($0.what, $0.again) = (["Long"], true) })
        try listening.listen(1.5)
        let heard = try #require(try client.call(GetStatus()).player.position?.seconds)
        while try client.call(ShowEpisode { $0.episode = "Long" }).episode.episode.state.position.seconds < heard {}
        listening.daemon.kill()
        let scratch = listening.daemon.scratch
        try expectOutcome(Programs.run("podcastd", RunningDaemon.places(scratch) + ["check"]), 0)
        let daemon = try RunningDaemon(in: scratch)
        let episode = try daemon.connect().call(ShowEpisode { $0.episode = "Long" })
        expectEqual(episode.episode.episode.state.note, "there is room again")
        #expect(episode.episode.episode.state.position.seconds >= heard)
        try expectEqual(daemon.connect().call(ListQueue()).extent.length, 2)
    }

    @Test func onAFullDiskPauseSeekAndStopReportThatThePositionWasNotSaved() throws {
        let listening = try Listening()
        let (disk, client) = (listening.disk, listening.client)
        disk.fill()
        _ = try listening.editUntilRefused()
        // A position changes few bytes, which may fit in a page that the library has already; not in every one.
        let moved = try #require(try listening.refusal(Seek { $0.time = .absolute(MediaTime(seconds: 20)) }))
        expectEqual(moved.code, .storageFailed)
        #expect(moved.what.hasPrefix("moved to 0:20"), "\(moved)")
        expectContains(moved.what, "the position could not be saved", "\(moved)")
        let paused = try #require(try listening.refusal(Pause()))
        #expect(
            paused.code == .storageFailed && paused.what.hasPrefix("paused; the position could not be saved: "),
            "\(paused)")
        expectContains(paused.what, "the disk is full")
        try expectEqual(client.call(GetStatus()).player.state, .paused)
        try expectOutcome(
            listening.daemon.ctl("stop"), 74, errors: "stopped; the position could not be saved: the disk is full",
            "make room")
        try expectEqual(client.call(GetStatus()).player.state, .stopped)
        disk.makeRoom()
        try client.play()
        try client.call(Pause())
    }

    /// - Parameter isContinued: whether the user continues at once, or waits.
    @Test(arguments: [true, false])
    func theShownPositionIsKeptUntilTheDiskHasRoom(isContinued: Bool) throws {
        let listening = try Listening()
        let (disk, client) = (listening.disk, listening.client)
        disk.fill()
        _ = try listening.editUntilRefused()
        let shown = MediaTime(seconds: 20)
        _ = try #require(try listening.refusal(Seek { $0.time = .absolute(shown) }))
        _ = try #require(try listening.refusal(Stop()))
        #expect(try client.call(GetStatus()).player.position ?? .zero >= shown)
        disk.makeRoom()
        // The status of the episode is read from the library again.
        try client.call(NoteEpisode { ($0.episode, $0.text) = ("Long", "there is room again") })
        try client.call(Pause())
        #expect(try client.call(GetStatus()).player.position ?? .zero >= shown)
        if isContinued {
            try client.play()
            #expect(try client.call(GetStatus()).player.position ?? .zero >= shown)
        } else {
            while try client.call(ShowEpisode { $0.episode = "Long" }).episode.episode.state.position < shown {}
        }
    }

    @Test func anEpisodeIsHeardToItsEndWithRoomForAPartOfIt() throws {
        let scratch = try Scratch()
        let disk = try SmallDisk(scratch.path + "/cache", "1m")
        let audio = try fixture("forty-seconds.mp3")
        let published = try PublishedFeed(episodes: [("Long", audio)])
        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect(subscribing: published.feed.url)
        try client.watch([.player, .episodes])
        // Room for some seconds of it. A piece of 16 KiB, as on a busy machine, must fit in addition to two indexes.
        disk.fill(leaving: 48 << 10)
        try client.call(Play { $0.what = "Long" })
        try client.player { $0.state == .playing }
        for (start, end) in [(0, 7), (25, 26), (3, 4), (37, 38)] as [(Double, Double)] {
            try client.call(Seek { $0.time = .absolute(MediaTime(seconds: start)) })
            while true {
                let player = try client.call(GetStatus()).player
                try #require(player.error == nil, "\(player)")
                if player.state == .playing, let heard = player.position?.seconds, heard >= end { break }
            }
        }
        let ended = try client.player { $0.state == .stopped }
        #expect(ended.error == nil, "\(ended)")
        while try !client.call(ShowEpisode { $0.episode = "Long" }).episode.episode.state.isPlayed {
            try client.change(of: .episodes)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: disk.path)
        #expect(!files.contains { $0.hasSuffix(".index") }, "\(files)")
    }

    @Test func aCacheWithoutAnyRoomIsReportedAndUsedOnceThereIsSome() throws {
        let scratch = try Scratch()
        let disk = try SmallDisk(scratch.path + "/cache", "1m")
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect(subscribing: published.feed.url)
        disk.fill()
        let refusal = "cannot use the episode cache in \(disk.path): No space left on device; free some space"
        try expectOutcome(daemon.ctl("play", "Long"), 74, errors: refusal + ", then try again")
        disk.makeRoom()
        try client.play("Long")
    }

    @Test func aSettingThatCannotBeSavedIsUnchanged() throws {
        let scratch = try Scratch()
        let disk = try SmallDisk(scratch.path + "/data", "2m")
        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect()
        try client.call(SetSetting { ($0.key, $0.value) = ("playback.rebuffer", "5") })
        disk.fill()
        let refusal = try #require(throws: ClientFailure.self) {
            try client.call(SetSetting { ($0.key, $0.value) = ("playback.rebuffer", "7") })
        }
        #expect(refusal.code == .storageFailed && refusal.what.contains("No space left"), "\(refusal)")
        try expectEqual(client.call(GetSetting { $0.key = "playback.rebuffer" }).value, "5")
        disk.makeRoom()
        try client.call(SetSetting { ($0.key, $0.value) = ("playback.rebuffer", "7") })
        daemon.kill()
        let next = try RunningDaemon(in: scratch)
        try expectEqual(next.connect().call(GetSetting { $0.key = "playback.rebuffer" }).value, "7")
    }

    @Test func aDaemonThatCannotCreateItsFilesReportsTheFullDisk() throws {
        let scratch = try Scratch()
        let disk = try SmallDisk(scratch.path + "/data", "64k")
        disk.fill()
        try expectOutcome(
            Programs.run(
                "podcastd", RunningDaemon.places(scratch) + ["--socket", scratch.path + "/s", "--output", "null"]), 74,
            errors: "the disk is full")
        disk.makeRoom()
    }

    @Test func aFolderThatIsReadOnlyIsNamed() throws {
        let scratch = try Scratch()
        let disk = try SmallDisk(scratch.path + "/data", "2m")
        expectEqual(mount("tmpfs", disk.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil), 0)
        try expectOutcome(
            Programs.run(
                "podcastd", RunningDaemon.places(scratch) + ["--socket", scratch.path + "/s", "--output", "null"]), 73,
            errors: "cannot write to \(disk.path)", "Read-only file system")
    }
}
