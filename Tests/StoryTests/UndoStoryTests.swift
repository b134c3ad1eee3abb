import ControlLanguage
import ControlProtocol
import LoopbackServer
import PodcastModel
import SQLite
import SystemCalls
import TestSupport
import Testing

/// What is undone, where it is said before: in podcast-tui and in a question on the terminal.
@Suite(.ownThread, .timeLimit(.minutes(10))) struct UndoStoryTests {
    private let published: PublishedFeed

    init() throws {
        let (audio, long) = (try fixture("forty-seconds.mp3"), try minutesOfSpeech())
        published = try PublishedFeed(episodes: [("Alpha talk", audio), ("Beta talk", audio), ("Gamma talk", long)])
    }

    @Test func theKeyThatIsPromisedBringsBackWhatWasRemovedAlsoAfterAnEpisodeEnded() throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect(watching: .player, .queue)
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        try client.call(AddToQueue { $0.what = ["Alpha talk", "Beta talk", "Gamma talk"] })
        let screen = try TmuxTerminal(
            [Programs.path("podcast-tui"), "--socket", daemon.socketPath], columns: 90, lines: 24)
        try screen.wait(for: "Queue (3)")
        try screen.press("j", "d")
        try screen.wait(for: "removed Beta talk; 'u' undoes this")
        try daemon.play("1", watchedBy: client)
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 39.5)) })
        try client.player { $0.state == .playing && $0.episode?.title == "Gamma talk" }
        try screen.wait(for: "Queue (1)")
        try screen.press("u")
        try screen.wait(for: "undid remove: 1 entry back in the queue")
        try screen.wait(for: "Queue (2)")
        try expectEqual(
            client.call(ListQueue()).entries.map { $0.episode?.episode.title }.sorted { $0 ?? "" < $1 ?? "" },
            ["Beta talk", "Gamma talk"])
        try screen.press("q")
        try screen.wait(for: "ended with 0")
    }

    @Test func programsThatUndoAtTheSameTimeUndoOneActEach() throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        for title in ["Alpha talk", "Beta talk", "Gamma talk"] { try client.call(StarEpisodes { $0.what = [title] }) }
        let programs = try (1...3).map { _ in
            try ObservedProgram(Programs.path("podcastctl"), ["--socket", daemon.socketPath, "undo"])
        }
        for program in programs { expectEqual(program.wait(), .exited(0)) }
        try expectEqual(client.call(ListUndoable()).acts.map(\.act), [.subscribed])
    }

    @Test(arguments: [("n\n", 64, "nothing was changed"), ("y\n", 0, "undid star: Alpha talk without a star again")])
    func theTerminalAsksBeforeAnActOfLongAgoIsUndone(_ answer: String, _ status: Int32, _ outcome: String) throws {
        let scratch = try Scratch()
        do {
            let daemon = try RunningDaemon(in: scratch)
            let client = try daemon.connect()
            try client.call(Subscribe { $0.urls = [published.feed.url] })
            try client.call(StarEpisodes { $0.what = ["Alpha talk"] })
            expectEqual(daemon.stop(), .exited(0))
            let library = try Connection(path: scratch.path + "/data/library.db", busyTimeout: .zero, cacheKiB: 256)
            try library.execute("UPDATE undo_step SET time = time - 22 * 60 * 1000")
        }
        let daemon = try RunningDaemon(in: scratch)
        let terminal = try PseudoTerminal()
        terminal.resize(columns: 80, lines: 24, cell: (8, 16))
        let process = try terminal.start(
            "podcastctl", ["--socket", daemon.socketPath, "undo"], ["TERM=xterm", "LANG=C.UTF-8"])
        expectContains(terminal.shown(until: "[y/N] "), "the last change is 'star Alpha talk' of ")
        terminal.press(answer.utf8)
        expectContains(terminal.shown(until: outcome), outcome)
        expectEqual(process.wait(), .exited(status))
        let episodes = try daemon.connect().call(ListEpisodes()).episodes.map(\.episode)
        expectEqual(episodes.first { $0.title == "Alpha talk" }?.state.isStarred, status != 0)
    }
}
