import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// An episode that plays is handed over to another podcastd.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct HandOverStoryTests {
    private static let rate = 44_100
    /// Frames of one step of the episode: 10 ms.
    private static let step = 441
    /// A sample is eight times the number of its step, from 1: each place of the episode has another value.
    private static let unit = 8

    /// Both daemons play to one sound server, which is recorded.
    @Test func aHandOverCostsNoWordAndLittleSilence() throws {
        let room = try PulseAudio(rate: Self.rate)
        let samples = (0..<Self.rate * 30).map { Int16(($0 / Self.step + 1) * Self.unit) }
        let published = try PublishedFeed(episodes: [("Steps", SpokenWave(samples, rate: Self.rate).bytes)])
        let laptop = try RunningDaemon(output: "pulse", environment: room.environment)
        let client = try laptop.connect(watching: .player, .sync)
        let home = try SyncHome(sound: room)
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        let program = try syncing(laptop, with: [home.account("podcastd")])
        while try client.call(ListSyncAccounts()).rows.first?.state != .idle { try client.change(of: .sync) }
        try room.record()
        try laptop.play("Steps", watchedBy: client)
        try wait(until: 2, areHeardIn: room)
        try expectOutcome(laptop.ctl("hand-over", "home"), 0, output: "home plays on")
        try home.client.player { $0.state == .playing }
        try wait(until: 6, areHeardIn: room)
        expectEqual(program.stop(), .exited(0))

        let runs = Array(heard(in: room).drop { $0.step == 0 })
        let silence = runs.filter { $0.step == 0 }.reduce(0) { $0 + $1.frames }
        // Tenths of a second on an idle machine; more on a busy one, where the other podcastd starts later.
        #expect(silence <= Self.rate * 5, "\(silence) frames")
        let steps = runs.map(\.step).filter { $0 != 0 }
        let turns = zip(steps, steps.dropFirst()).filter { $0.1 != $0.0 + 1 }
        // One place of the episode is heard twice, for at most half a second; no sound is left out.
        #expect(turns.count <= 1 && turns.allSatisfy { ($0.0 - 50...$0.0).contains($0.1) }, "\(turns)")
    }

    @Test func whatPlaysIsHandedOverAtTheSameWord() throws {
        let published = try PublishedFeed(episodes: [("Alpha talk", try fixture("forty-seconds.mp3"))])
        let laptop = try RunningDaemon()
        let client = try laptop.connect(watching: .player, .sync)
        let home = try SyncHome()
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        let program = try syncing(
            laptop, with: [home.account("podcastd"), "phone = gpodder \(home.web.url) anna open sesame"])
        while try client.call(ListSyncAccounts()).rows.count(where: { $0.state == .idle }) < 2 {
            try client.change(of: .sync)
        }
        try expectOutcome(laptop.ctl("hand-over", "home"), 65, errors: "nothing is playing")
        try expectOutcome(laptop.ctl("hand-over", "cellar"), 66, errors: "podcast-sync has home, phone")
        try laptop.play("Alpha talk", watchedBy: client)
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 10)) })
        try expectOutcome(laptop.ctl("hand-over", "phone"), 75, errors: "is not an account of another podcastd")
        while try client.call(ListSyncAccounts()).rows.contains(where: { $0.state != .idle || $0.message != nil }) {
            try client.change(of: .sync)
        }
        let begin = Instant.now
        try expectOutcome(laptop.ctl("hand-over", "home"), 0, output: "home plays on")
        let here = try client.call(GetStatus()).player
        let there = try home.client.player { $0.state == .playing }
        #expect(here.state == .paused && there.episode?.title == "Alpha talk")
        // Playback began there where it paused here, and has played for no longer than this test has waited.
        let (left, begun) = (try #require(here.position), try #require(there.position))
        #expect(begun >= left && begun.seconds - left.seconds <= (Instant.now - begin).inSeconds, "\(left) \(begun)")
        expectEqual(program.stop(), .exited(0))
        try expectOutcome(laptop.ctl("hand-over", "home"), 75, errors: "podcast-sync does not run")
    }

    /// The other podcastd does what it is told, and its answer does not arrive.
    @Test func aHandOverWhoseAnswerIsLostPlaysOnOneSide() throws {
        let published = try PublishedFeed(episodes: [("Alpha talk", try minutesOfSpeech())])
        let laptop = try RunningDaemon()
        let client = try laptop.connect(watching: .player, .sync)
        let home = try SyncHome()
        let relay = try ObservedProgram("/usr/bin/python3", [RequiredPython.script("relay.py"), home.web.url])
        try #require(try relay.wait { $0.contains("\n") })
        let url = relay.text.trimmingCharacters(in: .newlines)
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        let program = try syncing(laptop, with: ["home = podcastd \(url) \(pairedLogin)"])
        while try client.call(ListSyncAccounts()).rows.first?.state != .idle { try client.change(of: .sync) }
        try laptop.play("Alpha talk", watchedBy: client)
        try expectOutcome(laptop.ctl("hand-over", "home"), 0, output: "home plays on")
        #expect(try relay.wait(for: "cut"))
        try expectEqual(client.call(GetStatus()).player.state, .paused)
        #expect(try home.client.call(GetStatus()).player.state.isPlaying)
        expectEqual(program.stop(), .exited(0))
    }

    /// Orders come faster than podcast-sync begins them.
    @Test func aHandOverAmongOtherOrdersMovesPlaybackOrFails() throws {
        let published = try PublishedFeed(episodes: [("Alpha talk", try minutesOfSpeech())])
        let laptop = try RunningDaemon()
        let client = try laptop.connect(watching: .player, .sync)
        let home = try SyncHome()
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        let program = try syncing(laptop, with: [home.account("podcastd")])
        while try client.call(ListSyncAccounts()).rows.first?.state != .idle { try client.change(of: .sync) }
        try laptop.play("Alpha talk", watchedBy: client)
        for round in 0..<5 {
            let others = try [["sync", "now"], ["sync", "try"], ["sync", "now"]].map { words in
                try ObservedProgram(Programs.path("podcastctl"), ["--socket", laptop.socketPath] + words)
            }
            try expectOutcome(laptop.ctl("hand-over", "home"), 0, output: "home plays on")
            for other in others { expectEqual(other.wait(), .exited(0)) }
            let (here, there) = (try client.call(GetStatus()).player, try home.client.call(GetStatus()).player)
            #expect(here.state == .paused && there.state.isPlaying, "round \(round): \(here.state), \(there.state)")
            try home.client.call(Pause())
            try client.call(Play())
            try client.player { $0.state == .playing }
        }
        expectEqual(program.stop(), .exited(0))
    }

    /// Another program reports an account of podcast-sync, with revisions of its own.
    @Test func anAccountAndItsRevisionsBelongToOneConnection() throws {
        let laptop = try RunningDaemon()
        let client = try laptop.connect(watching: .player, .sync)
        let home = try SyncHome()
        let program = try syncing(laptop, with: [home.account("podcastd")])
        while try client.call(ListSyncAccounts()).rows.first?.state != .idle { try client.change(of: .sync) }
        let before = try client.call(ListSyncAccounts()).rows
        var account = try #require(before.first)
        account.server = "anna at http://other.example"
        account.serverRevision = 1
        #expect(throws: ClientFailure.self) { try client.call(ReportAccount { $0.account = account }) }
        try expectEqual(client.call(ListSyncAccounts()).rows, before)
        expectEqual(program.stop(), .exited(0))
        while try client.call(ListSyncAccounts()).rows.first?.state != .off { try client.change(of: .sync) }
        let kept = try client.call(ListSyncAccounts()).rows
        expectEqual(kept.map(\.serverRevision), before.map(\.serverRevision))
    }

    @Test func aHandOverAfterAFailureIsReportedByItsOwnOutcome() throws {
        let published = try PublishedFeed(episodes: [("Alpha talk", try fixture("forty-seconds.mp3"))])
        let (laptop, there) = (try RunningDaemon(trustsLoopback: true), try Scratch())
        let client = try laptop.connect(watching: .player, .sync)
        var home = try RunningDaemon(in: there, trustsLoopback: true)
        let web = try RunningGateway(
            daemon: home.socketPath, in: there, settings: pairing, hasPort: true)
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        let program = try syncing(laptop, with: ["home = podcastd \(web.url) \(pairedLogin)"])
        while try client.call(ListSyncAccounts()).rows.first?.state != .idle { try client.change(of: .sync) }
        expectEqual(home.stop(), .exited(0))
        try expectOutcome(laptop.ctl("sync", "now"), 75, output: "is not available")
        home = try RunningDaemon(in: there, trustsLoopback: true)
        let other = try home.connect(watching: .player)
        // podcast-web connects again in its own time.
        try laptop.play("Alpha talk", watchedBy: client)
        while try laptop.ctl("hand-over", "home").status != 0 { _ = try web.connect().ask("GET", "/api/v1/status") }
        try other.player { $0.state == .playing }
        try expectEqual(client.call(GetStatus()).player.state, .paused)
        // Acts that were done while the server was away are sent at once.
        while try client.call(ListSyncAccounts()).rows.first?.state != .idle { try client.change(of: .sync) }
        expectEqual(program.stop(), .exited(0))
    }

    private func wait(until seconds: Int, areHeardIn room: PulseAudio) throws {
        while true {
            let bytes = room.recording
            let frames = bytes.count / 4
            if frames > 0, step(at: frames - 1, of: bytes) >= seconds * Self.rate / Self.step { return }
            var entries = [PollEntry(-1)]
            try waitForAny(&entries, until: .now + .milliseconds(20))
        }
    }

    /// The step that is heard at a frame; 0 is silence.
    private func step(at frame: Int, of bytes: [UInt8]) -> Int {
        (Int(bytes[frame * 4]) | Int(bytes[frame * 4 + 1]) << 8) / Self.unit
    }

    /// The steps of the recording with how many frames of each came one after another; 0 is silence.
    private func heard(in room: PulseAudio) -> [(step: Int, frames: Int)] {
        let bytes = room.recording
        var runs: [(step: Int, frames: Int)] = []
        for frame in 0..<bytes.count / 4 {
            let step = step(at: frame, of: bytes)
            if runs.last?.step == step { runs[runs.count - 1].frames += 1 } else { runs.append((step, 1)) }
        }
        return runs
    }
}
