import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import Testing
import TestSupport

@Suite(.ownThread, .timeLimit(.minutes(10)))
struct OutputTests {
    @Test func aWAVFileContainsEveryFrameInOrder() throws {
        let scratch = try Scratch()
        let audio = scratch.path + "/in.mp3"
        try Data(fixture("one-and-a-half-seconds.mp3")).write(to: URL(filePath: audio))
        let wave = scratch.path + "/out.wav"
        try expectOutcome(Programs.run("podcast-play", ["--output", "wav:\(wave)", "--unpaced", audio]), 0)
        let bytes = try Data(contentsOf: URL(filePath: wave))
        expectEqual(bytes.prefix(4), Data("RIFF".utf8))
        let seconds = Double(bytes.count - 44) / 2 / 44_100
        #expect(abs(seconds - 1.5) < 0.1, "\(seconds)")
    }

    @Test func aPipeReceivesTheSound() throws {
        let scratch = try Scratch()
        let audio = scratch.path + "/in.mp3"
        try Data(fixture("one-and-a-half-seconds.mp3")).write(to: URL(filePath: audio))
        try expectOutcome(
            Programs.run("podcast-play", ["--output", "pipe:cat >'\(scratch.path)/piped'", "--unpaced", audio]), 0)
        #expect(try Data(contentsOf: URL(filePath: scratch.path + "/piped")).count > 100_000)
    }

    @Test func withoutASoundDeviceTheDaemonReportsThatAndStaysUsable() throws {
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
        let daemon = try RunningDaemon(output: "alsa:no_such_device")
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try client.call(Play { $0.what = "Long" })
        let failed = try client.player { $0.error != nil }
        expectEqual(failed.error?.contains("no_such_device"), true)
        try expectEqual(client.call(Stop()).state, .stopped)
    }

    @Test(arguments: [("missing.mp3", 66), ("page.mp3", 65), ("empty.mp3", 65)])
    func podcastPlayReportsWhyItCannotPlay(name: String, status: Int32) throws {
        let scratch = try Scratch()
        _ = try scratch.file("page.mp3", "<!DOCTYPE html><html><body>Not here</body></html>")
        _ = try scratch.file("empty.mp3", "")
        let result = try Programs.run("podcast-play", ["--output", "null", "--unpaced", scratch.path + "/" + name])
        expectEqual(result.status, status, "\(result.errors)")
        #expect(!result.errors.isEmpty)
    }
}
