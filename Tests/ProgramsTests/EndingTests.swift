import ControlClient
import ControlLanguage
import ControlProtocol
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// The end of a daemon whose outputs would keep it waiting.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct EndingTests {
    private func expectEnd(_ lines: String, _ published: PublishedFeed) throws {
        let scratch = try Scratch()
        let config = try scratch.file("rooms.conf", "[outputs]\n\(lines)\n")
        let daemon = try RunningDaemon(output: nil, in: scratch, arguments: ["--config", config])
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try daemon.play("Long", watchedBy: client)
        // Each output is asked to discard its sound, and then to close.
        try client.call(Pause())
        try client.player(.paused)
        try client.call(TogglePlayback())
        try client.player(.playing)
        let begin = Instant.now
        expectEqual(daemon.stop(), .exited(0))
        // Two seconds on an idle machine.
        #expect(.now - begin < .seconds(8))
    }

    @Test(arguments: [ScriptedSnapserver.Manner.honest, .flooding, .silent])
    func theDaemonEndsInTimeWhateverASnapserverDoes(_ manner: ScriptedSnapserver.Manner) throws {
        let published = try PublishedFeed(episodes: [("Long", try minutesOfSpeech())])
        let server = try ScriptedSnapserver(manner)
        try expectEnd("rooms = \(server.output)\ndesk = null", published)
        withExtendedLifetime(server) {}
    }

    @Test func theDaemonEndsInTimeAlthoughACommandDoesNot() throws {
        let published = try PublishedFeed(episodes: [("Long", try minutesOfSpeech())])
        try expectEnd("desk = pipe:trap '' TERM; cat >/dev/null; sleep 30", published)
    }
}
