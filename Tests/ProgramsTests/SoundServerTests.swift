import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// ALSA's plugin for a sound server stands between the daemon and a device here: buffers that are not the kernel's, a
/// delay that somebody else reckons, and an end that comes without a word. `scripts/setup test` installs what it takes.
@Suite(.ownThread, .serialized, .timeLimit(.minutes(10)))
struct SoundServerTests {
    private let server: PulseAudio
    private let daemon: RunningDaemon
    private let client: DaemonConnection
    // Kept for as long as its server is needed.
    private let published: PublishedFeed

    init() throws {
        server = try PulseAudio()
        daemon = try RunningDaemon(output: "alsa:pulse", environment: server.environment)
        client = try daemon.connect()
        published = try PublishedFeed(episodes: [
            ("Long", try fixture("forty-seconds.mp3"))
        ])
        try client.watch([.player])
        try client.call(Subscribe { $0.urls = [published.feed.url] })
    }

    private func position() throws -> (media: Double, instant: Double) {
        let player = try client.call(GetStatus()).player
        return (try #require(player.position?.seconds), Double(player.instant.nanoseconds) / 1e9)
    }

    private func letPass(milliseconds: Int32) throws {
        var entries = [PollEntry(-1)]
        try waitForAny(&entries, until: .now + .milliseconds(milliseconds))
    }

    @Test func thePositionIsWhatIsHeardNotWhatTheServerHasReceived() throws {
        let asked = Double(Instant.now.nanoseconds) / 1e9
        try client.play("Long")
        // The server begins late, after the silence that it had rendered ahead; its library takes two seconds to say so.
        try letPass(milliseconds: 2500)
        let first = try position()
        // What was handed over is a second or two ahead of this.
        #expect(first.media < first.instant - asked, "\(first)")
        #expect(first.media > 0.1, "\(first)")
        try letPass(milliseconds: 2000)
        let second = try position()
        let drift = (second.media - first.media) - (second.instant - first.instant)
        #expect(abs(drift) < 0.1, "\(drift) s of drift")
    }

    @Test func aPauseKeepsThePositionAndASeekContinuesFromThere() throws {
        try client.play("Long")
        try client.call(Pause())
        let held = try position()
        try letPass(milliseconds: 300)
        try expectEqual(position().media, held.media)
        try client.call(Seek { $0.time = TimeArgument(parsing: "0:20") })
        let asked = Double(Instant.now.nanoseconds) / 1e9
        try client.call(TogglePlayback())
        try client.player(.playing)
        let began = try position()
        // No sound can be ahead of the time that has passed.
        #expect((20...20 + began.instant - asked).contains(began.media), "\(began), asked at \(asked)")
    }

    @Test func playbackEndsWhenTheLastFrameWasHeard() throws {
        let asked = Instant.now
        try client.call(Play { ($0.what, $0.position) = ("Long", TimeArgument(parsing: "0:30")) })
        try client.player(.stopped)
        #expect(Instant.now - asked >= .seconds(9.8))
    }

    @Test func aSoundServerThatDiesIsReportedAndItsSuccessorUsed() throws {
        try client.play("Long")
        try letPass(milliseconds: 500)
        let before = try position()
        let work = try processorTime()
        server.kill()
        let killed = Double(Instant.now.nanoseconds) / 1e9
        let waiting = try client.player(.buffering)
        let reason = try #require(waiting.reason)
        #expect(reason.contains("alsa:pulse") && reason.contains(";"), "\(reason)")
        try letPass(milliseconds: 1500)
        try expectEqual(client.call(GetStatus()).player.state, .buffering)
        let spent = try processorTime() - work
        #expect(spent < 0.5, "\(spent) s of processor time in 1.5 s without a server")
        let again = Double(Instant.now.nanoseconds) / 1e9
        try server.startAgain()
        try client.player(.playing)
        let after = try position()
        let heard = before.media + (killed - before.instant) + (after.instant - again)
        #expect((before.media - 0.1..<heard + 2).contains(after.media), "\(before) \(after)")
        expectEqual(daemon.stop(), .exited(0))
    }

    @Test func aMissingSoundServerIsReportedAndAStopIsObeyed() throws {
        server.kill()
        try client.call(Play { $0.what = "Long" })
        let failed = try client.player {
            $0.error != nil || $0.reason?.contains("alsa:pulse") == true
        }
        let told = failed.error ?? failed.reason ?? ""
        expectContains(told, ";")
        try expectEqual(client.call(Stop()).state, .stopped)
        try server.startAgain()
        try client.play("Long")
    }

    @Test func theVolumeOfTheCardIsThatOfTheOutput() throws {
        try server.control("set-sink-volume", "room", "73%")
        try client.call(AddOutput { ($0.name, $0.specification) = ("card", "alsa:pulse?mixer=Master") })
        try client.play("Long")
        func awaitVolume(_ percent: Int) throws {
            while try client.call(ListOutputs()).rows.last?.volume != percent {}
        }
        try awaitVolume(73)
        try client.call(SetOutputVolume { ($0.name, $0.volume) = ("card", 40) })
        while try !server.control("list", "sinks").contains("/  40% /") {}
        try server.control("set-sink-volume", "room", "55%")
        try awaitVolume(55)
        server.kill()
        try server.startAgain()
        while try !server.control("list", "sinks").contains("/  55% /") {}
    }

    @Test func aWrongElementIsReportedWithThoseOfTheCard() throws {
        try client.call(AddOutput { ($0.name, $0.specification) = ("card", "alsa:pulse?mixer=PCM") })
        expectContains(try daemon.ctl("doctor").output, "no playback volume PCM; use one of Master")
    }

    /// Seconds of processor time that the daemon used until now.
    private func processorTime() throws -> Double {
        let stat = try String(contentsOfFile: "/proc/\(daemon.process.processID)/stat", encoding: .utf8)
        let fields = try #require(stat.split(separator: ")").last).split(separator: " ")
        return (try #require(Double(fields[11])) + #require(Double(fields[12]))) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
