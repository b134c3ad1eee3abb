import ControlLanguage
import ControlProtocol
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// A hand-over as it sounds: both daemons play to one sound server, which is recorded.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct HandOverStoryTests {
    private static let rate = 44_100
    /// Frames of one step of the episode: 10 ms.
    private static let step = 441
    /// A sample is eight times the number of its step, from 1: each place of the episode has another value.
    private static let unit = 8

    private let room: PulseAudio

    init() throws { room = try PulseAudio(rate: Self.rate) }

    @Test func aHandOverCostsNoWordAndLittleSilence() throws {
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
        try waitUntilHeard(seconds: 2)
        try expectOutcome(laptop.ctl("hand-over", "home"), 0, output: "home plays on")
        try home.client.player { $0.state == .playing }
        try waitUntilHeard(seconds: 6)
        expectEqual(program.stop(), .exited(0))

        let runs = Array(heard.drop { $0.step == 0 })
        let silence = runs.filter { $0.step == 0 }.reduce(0) { $0 + $1.frames }
        #expect(Double(silence) / Double(Self.rate) <= 0.3, "\(silence) frames")
        let steps = runs.map(\.step).filter { $0 != 0 }
        let turns = zip(steps, steps.dropFirst()).filter { $0.1 != $0.0 + 1 }
        // One place is heard twice, for at most half a second; nothing is left out.
        #expect(turns.count <= 1 && turns.allSatisfy { ($0.0 - 50...$0.0).contains($0.1) }, "\(turns)")
    }

    private func waitUntilHeard(seconds: Int) throws {
        while heard.count < seconds * Self.rate / Self.step {
            var entries = [PollEntry(-1)]
            try waitForAny(&entries, until: .now + .milliseconds(20))
        }
    }

    /// The steps of the recording with how many frames of each came one after another; 0 is silence.
    private var heard: [(step: Int, frames: Int)] {
        let bytes = room.recording
        var runs: [(step: Int, frames: Int)] = []
        for frame in 0..<bytes.count / 4 {
            let step = (Int(bytes[frame * 4]) | Int(bytes[frame * 4 + 1]) << 8) / Self.unit
            if runs.last?.step == step { runs[runs.count - 1].frames += 1 } else { runs.append((step, 1)) }
        }
        return runs
    }
}
