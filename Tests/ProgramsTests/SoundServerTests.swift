import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// A sound server stands between the daemon and a device here, behind ALSA's plugin or without one: buffers that are not the kernel's,
/// a delay that somebody else reckons, and an end that comes without a word. `scripts/setup test` installs what it takes.
private struct Desktop {
    static let outputs = ["alsa:pulse", "pulse"]

    let server: PulseAudio
    let daemon: RunningDaemon
    let client: DaemonConnection
    // Kept for as long as its server is needed.
    private let published: PublishedFeed

    init(_ output: String) throws {
        server = try PulseAudio()
        daemon = try RunningDaemon(output: output, environment: server.environment)
        client = try daemon.connect()
        published = try PublishedFeed(episodes: [
            ("Long", try fixture("forty-seconds.mp3"))
        ])
        try client.watch([.player])
        try client.call(Subscribe { $0.urls = [published.feed.url] })
    }

    func position() throws -> (media: Double, instant: Double) {
        let player = try client.call(GetStatus()).player
        return (try #require(player.position?.seconds), Double(player.instant.nanoseconds) / 1e9)
    }

    /// Seconds of processor time that the daemon used until now.
    func processorTime() throws -> Double {
        let stat = try String(contentsOfFile: "/proc/\(daemon.process.processID)/stat", encoding: .utf8)
        let fields = try #require(stat.split(separator: ")").last).split(separator: " ")
        return (try #require(Double(fields[11])) + #require(Double(fields[12]))) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}

private func letPass(milliseconds: Int32) throws {
    var entries = [PollEntry(-1)]
    try waitForAny(&entries, until: .now + .milliseconds(milliseconds))
}

@Suite(.ownThread, .serialized, .timeLimit(.minutes(10)))
struct SoundServerTests {
    @Test(arguments: Desktop.outputs) func thePositionIsWhatIsHeardNotWhatTheServerHasReceived(_ output: String) throws
    {
        let desktop = try Desktop(output)
        let asked = Double(Instant.now.nanoseconds) / 1e9
        try desktop.client.play("Long")
        // The server begins late, after the silence that it had rendered ahead; its library takes two seconds to say so.
        try letPass(milliseconds: 2500)
        let first = try desktop.position()
        // What was handed over is a second or two ahead of this.
        #expect(first.media < first.instant - asked, "\(first)")
        #expect(first.media > 0.1, "\(first)")
        try letPass(milliseconds: 2000)
        let second = try desktop.position()
        let drift = (second.media - first.media) - (second.instant - first.instant)
        // The program hands 0.9 s of sound over at once. On a busy machine the server itself may be some tenths of a second late.
        #expect(abs(drift) < 0.4, "\(drift) s of drift")
    }

    @Test(arguments: Desktop.outputs) func aPauseKeepsThePositionAndASeekContinuesFromThere(_ output: String) throws {
        let desktop = try Desktop(output)
        try desktop.client.play("Long")
        try desktop.client.call(Pause())
        let held = try desktop.position()
        try letPass(milliseconds: 300)
        try expectEqual(desktop.position().media, held.media)
        try desktop.client.call(Seek { $0.time = TimeArgument(parsing: "0:20") })
        let asked = Double(Instant.now.nanoseconds) / 1e9
        try desktop.client.call(TogglePlayback())
        try desktop.client.player(.playing)
        let began = try desktop.position()
        // No sound can be ahead of the time that has passed.
        #expect((20...20 + began.instant - asked).contains(began.media), "\(began), asked at \(asked)")
    }

    @Test(arguments: Desktop.outputs) func playbackEndsWhenTheLastFrameWasHeard(_ output: String) throws {
        let desktop = try Desktop(output)
        let asked = Instant.now
        try desktop.client.call(Play { ($0.what, $0.position) = ("Long", TimeArgument(parsing: "0:30")) })
        try desktop.client.player(.stopped)
        #expect(Instant.now - asked >= .seconds(9.8))
    }

    @Test(arguments: Desktop.outputs) func aSoundServerThatDiesIsReportedAndItsSuccessorUsed(_ output: String) throws {
        let desktop = try Desktop(output)
        try desktop.client.play("Long")
        try letPass(milliseconds: 500)
        let before = try desktop.position()
        let work = try desktop.processorTime()
        desktop.server.kill()
        let killed = Double(Instant.now.nanoseconds) / 1e9
        let waiting = try desktop.client.player(.buffering)
        let reason = try #require(waiting.reason)
        #expect(reason.contains(output) && reason.contains(";"), "\(reason)")
        try letPass(milliseconds: 1500)
        try expectEqual(desktop.client.call(GetStatus()).player.state, .buffering)
        let spent = try desktop.processorTime() - work
        #expect(spent < 0.5, "\(spent) s of processor time in 1.5 s without a server")
        let again = Double(Instant.now.nanoseconds) / 1e9
        try desktop.server.startAgain()
        try desktop.client.player(.playing)
        let after = try desktop.position()
        let heard = before.media + (killed - before.instant) + (after.instant - again)
        // The program repeats the sound that the server had played since its last report.
        #expect((before.media - 0.5..<heard + 2).contains(after.media), "\(before) \(after)")
        expectEqual(desktop.daemon.stop(), .exited(0))
    }

    @Test(arguments: Desktop.outputs) func aMissingSoundServerIsReportedAndAStopIsObeyed(_ output: String) throws {
        let desktop = try Desktop(output)
        desktop.server.kill()
        try desktop.client.call(Play { $0.what = "Long" })
        let failed = try desktop.client.player {
            $0.error != nil || $0.reason?.contains(output) == true
        }
        let told = failed.error ?? failed.reason ?? ""
        expectContains(told, ";")
        try expectEqual(desktop.client.call(Stop()).state, .stopped)
        try desktop.server.startAgain()
        try desktop.client.play("Long")
    }

    @Test func theVolumeOfTheCardIsThatOfTheOutput() throws {
        let desktop = try Desktop("alsa:pulse")
        try desktop.server.control("set-sink-volume", "room", "73%")
        try desktop.client.call(AddOutput { ($0.name, $0.specification) = ("card", "alsa:pulse?mixer=Master") })
        try desktop.client.play("Long")
        func awaitVolume(_ percent: Int) throws {
            while try desktop.client.call(ListOutputs()).rows.last?.volume != percent {}
        }
        try awaitVolume(73)
        try desktop.client.call(SetOutputVolume { ($0.name, $0.volume) = ("card", 40) })
        while try !desktop.server.control("list", "sinks").contains("/  40% /") {}
        try desktop.server.control("set-sink-volume", "room", "55%")
        try awaitVolume(55)
        desktop.server.kill()
        try desktop.server.startAgain()
        while try !desktop.server.control("list", "sinks").contains("/  55% /") {}
    }

    @Test func theSinksOfTheServerAreListedWithTheLineThatAddsThem() throws {
        let desktop = try Desktop("null")
        try desktop.server.control("load-module", "module-null-sink", "sink_name=attic")
        let listed = try desktop.daemon.ctl("output", "add")
        expectEqual(listed.status, 0, "\(listed)")
        let line = try #require(listed.output.split(separator: "\n").first { $0.hasSuffix("pulse:attic") })
        let words = try #require(line.split(separator: "\t").last).split(separator: " ").dropFirst().map(String.init)
        try expectOutcome(desktop.daemon.ctl(words), 0)
        try expectEqual(desktop.client.call(ListOutputs()).rows.last?.specification, "pulse:attic")
    }

    @Test func aWrongElementIsReportedWithThoseOfTheCard() throws {
        let desktop = try Desktop("alsa:pulse")
        try desktop.client.call(AddOutput { ($0.name, $0.specification) = ("card", "alsa:pulse?mixer=PCM") })
        expectContains(try desktop.daemon.ctl("doctor").output, "no playback volume PCM; use one of Master")
    }
}
