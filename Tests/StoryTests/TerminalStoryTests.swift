import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// A listener at podcast-tui, in a real terminal with a real daemon.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct TerminalStoryTests {
    private let daemon: RunningDaemon
    private let client: DaemonConnection
    private let published: PublishedFeed

    init() throws {
        let audio = try minutesOfSpeech()
        published = try PublishedFeed(episodes: [("Alpha talk", audio), ("Beta talk", audio), ("Gamma talk", audio)])
        daemon = try RunningDaemon()
        client = try daemon.connect(watching: .player, .queue)
    }

    private func terminal(_ options: [String] = [], columns: Int = 90, lines: Int = 24) throws -> TmuxTerminal {
        try TmuxTerminal(
            [Programs.path("podcast-tui"), "--socket", daemon.socketPath] + options, columns: columns, lines: lines)
    }

    private func episode(_ title: String) throws -> EpisodeReply {
        try #require(try client.call(ListEpisodes()).episodes.first { $0.episode.title == title })
    }

    /// Runs podcast-tui in line mode with the lines of a file as its input.
    private func converse(_ script: String, _ environment: String...) throws -> Outcome<Int32?> {
        let command = "\"$1\" --socket \"$2\" --plain <\"$3\""
        let arguments = ["-c", command, "sh", Programs.path("podcast-tui"), daemon.socketPath, script]
        let variables = ["PATH=/usr/bin:/bin", "HOME=/nonexistent"] + environment
        return try Programs.run(Launch("/bin/sh", arguments, environment: variables))
    }

    /// Completes a line by Tab, again if the daemon did not answer within a second; a letter typed after Tab shows the outcome.
    private func complete(_ line: String, to completed: String, on screen: TmuxTerminal) throws {
        for letter in repeatElement(["x", "y"], count: 60).joined() {
            var isDone: Bool?
            try screen.press("Tab", letter)
            try screen.wait(for: completed) {
                isDone = $0.contains("\(completed) \(letter)") ? true : $0.contains(line + letter) ? false : nil
                return isDone != nil
            }
            try screen.press("BSpace")
            if isDone != false { return }
        }
    }

    @Test(arguments: [(100, 30, []), (40, 12, []), (24, 6, []), (80, 24, ["--ascii"])])
    func aListenerSubscribesSearchesQueuesPlaysAndQuits(_ columns: Int, _ lines: Int, _ options: [String]) throws {
        let screen = try terminal(options, columns: columns, lines: lines)
        try screen.wait(for: "Queue (0)")
        try screen.press("S")
        try screen.wait(for: "Subscribe")
        try screen.type(published.feed.url)
        try screen.press("C-s")
        try screen.wait(for: "subscribed to")
        try screen.press("3")
        try screen.wait(for: "Feeds (1)")
        try screen.press("4")
        try screen.wait(for: "Episodes (3)")
        try screen.press("/")
        try screen.type("beta")
        try screen.wait(for: "Episodes (1)")
        try screen.press("Enter", "a", "*")
        try client.queue { $0.length == 1 }
        try screen.press("Escape")
        try screen.wait(for: "Episodes (3)")
        try screen.press("/")
        try screen.type("gamma")
        try screen.wait(for: "Episodes (1)")
        try screen.press("Enter", "a")
        try client.queue { $0.length == 2 }
        try screen.press("t")
        try screen.type("hear it again")
        try screen.press("Enter")
        try screen.wait(for: "noted")
        try screen.press("2")
        try screen.wait(for: "Queue (2)")
        // The second entry is carried above the first.
        try screen.press("j", "m", "k", "m")
        try screen.wait(for: "[edit]", line: 0)
        try screen.wait(for: "Gamma", line: 1)
        try screen.press("g", "Enter")
        try expectEqual(client.player(.playing).episode?.title, "Gamma talk")
        try screen.press("Right")
        _ = try client.player { $0.position?.seconds ?? 0 >= 15 }
        try screen.press("]")
        _ = try client.player { $0.speed == 1.05 }
        try screen.press("0")
        try screen.wait(for: "Settings")
        try screen.press("Escape")
        try screen.wait(for: "Queue (2)")
        try screen.press("q")
        try screen.wait(for: "ended with 0")
        try expectEqual(episode("Gamma talk").episode.state.note, "hear it again")
        #expect(try episode("Beta talk").episode.state.isStarred)
    }

    @Test func theScreenFollowsItsSizeAndADaemonThatComesBack() throws {
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        let screen = try terminal(["--screen", "feeds"])
        try screen.wait(for: "Feeds (1)")
        try screen.resize(columns: 50, lines: 10)
        try screen.wait(for: "Feeds (1)")
        _ = daemon.stop()
        try screen.wait(for: "no daemon, connecting")
        try screen.press("j", "2", "3")
        try screen.wait(for: "Feeds (1)")
        try screen.press("q")
        try screen.wait(for: "ended with 0")
    }

    @Test(arguments: [(100, 40), (50, 10)])
    func aScreenWithoutEventsIsDrawnInItsNewSize(_ columns: Int, _ lines: Int) throws {
        let screen = try terminal()
        try screen.wait(for: "stopped", line: 23)
        for (columns, lines) in [(columns, lines), (90, 24)] {
            try screen.resize(columns: columns, lines: lines)
            // The volume ends at the right edge of the last line.
            try screen.wait(for: "the last line") { shown in
                let rows = shown.split(separator: "\n", omittingEmptySubsequences: false)
                return rows.count > lines - 1 && rows[lines - 1].hasPrefix("stopped")
                    && rows[lines - 1].count == columns
            }
        }
        try screen.press("q")
        try screen.wait(for: "ended with 0")
    }

    @Test func aTerminalThatCannotMoveItsCursorGetsLineMode() throws {
        try expectOutcome(
            Programs.run(
                "podcast-tui", ["--socket", daemon.socketPath, "--plain"], environment: ["TERM=dumb"]), 0)
    }

    @Test func lineModeIsAConversationThroughAPipe() throws {
        let script = try daemon.scratch.file(
            "conversation",
            """
            subscribe \(published.feed.url)
            episodes
            add "Beta talk"
            play 1
            ]
            pause
            seek 0:00
            where am i
            note "Beta talk" "hear it again"
            what is happening
            xyzzy
            quit
            queue
            """)
        let result = try converse(script)
        expectOutcome(result, 0, output: "subscribed to", "Beta talk, from", "speed 1.05", "unknown command 'xyzzy'")
        // The answers to `seek` and to `where am i`.
        let places = result.output.split(separator: "\n").filter { $0.hasPrefix("Beta talk, from Test feed, at 0:00") }
        expectEqual(places.map { $0.hasSuffix(", paused") }, [false, true], "\(result.output)")
        // The answers to `play` and `pause` are a line each.
        #expect(!result.output.contains("\nstate: "))
        expectContains(result.output, "\npaused, Beta talk, from Test feed, at 0:0")
        #expect(!result.output.contains("   "))
        #expect(!result.output.contains("\u{1B}") && !result.output.contains("\r"))
        // Nothing is done after `quit`.
        #expect(!result.output.hasSuffix("Beta talk\n"))
        try expectEqual(episode("Beta talk").episode.state.note, "hear it again")
    }

    @Test func anActIsOneSentenceInLineMode() throws {
        let script = try daemon.scratch.file(
            "acts",
            """
            subscribe \(published.feed.url)
            play "Beta talk"
            seek 0:10
            pause
            subscribe http://127.0.0.1:1/feed
            outputs
            S
            quit
            """)
        let lines = try converse(script, "LANG=C.UTF-8").output.split(separator: "\n").map(String.init)
        for beginning in ["playing, ", "Beta talk, from Test feed, at 0:10", "paused, ", "http://127.0.0.1:1/feed: "] {
            expectEqual(lines.count { $0.hasPrefix(beginning) }, 1, "\(lines)")
        }
        for word in ["finished", "ended", "Loading", "loaded", "uffer", "Seeking", "Subscribing", " 0 ms"] {
            #expect(!lines.contains { $0.contains(word) }, "\(word): \(lines)")
        }
        #expect(lines.contains { $0.contains(", ready, volume 100 %, ") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("'S' (Subscribe to a feed) needs the screen") }, "\(lines)")
    }

    @Test func aKeyWithoutADaemonSaysThatNoneRuns() throws {
        let screen = try TmuxTerminal(
            [Programs.path("podcast-tui"), "--socket", "/nonexistent/control"], columns: 90, lines: 24)
        try screen.wait(for: "no daemon, connecting", line: 0)
        try screen.press("Space")
        try screen.wait(for: "podcastd is not running at /nonexistent/control", line: 23)
        try screen.press("q")
        try screen.wait(for: "ended with 0")
    }

    @Test func aRowIsASentenceInLineMode() throws {
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        try client.call(AddToQueue { $0.what = ["Beta talk"] })
        try client.call(StarEpisodes { $0.what = ["Beta talk"] })
        let script = try daemon.scratch.file(
            "lists", "feeds\nepisodes\nqueue\nplaylists\nset\nhelp\nhelp queue\nstatus\nplay talk\nverbosity 0\n")
        let answer = try converse(script, "LC_ALL=C").output
        expectContains(answer, "f1, Test feed, 1 new, 3 in all, refreshed 2")
        expectContains(answer, ", unplayed, starred, 2")
        expectContains(answer, "#1, Beta talk, from Test feed\n")
        expectContains(answer, "upNext, 1 matching, Up next\ninProgress")
        expectContains(answer, "\nqueue: ")
        expectContains(answer, "\nstate: stopped\n")
        // Neither alignment nor characters that the locale does not have.
        for line in answer.split(separator: "\n") {
            #expect(!line.contains("  ") && line.utf8.allSatisfy { $0 < 0x80 }, "\(line)")
        }
    }

    /// The declared commands, as `podcastctl commands` lists them.
    @Test func lineModeKnowsEveryDeclaredCommand() throws {
        let listed = try Programs.run("podcastctl", ["commands", "--json"]).output
        let names = try #require(
            JSONValue(parsing: listed)["commands"]?.arrayValue?.compactMap { $0["name"]?.stringValue })
        #expect(names.count > 60)
        let script = try daemon.scratch.file(
            "helps", names.map { "help \($0)\n" }.joined() + names.map { "\($0) --no-such-option\n" }.joined())
        let result = try converse(script, "LANG=C.UTF-8")
        expectEqual(result.status, 0)
        for name in names {
            expectContains(result.output, "Usage: podcastctl [OPTION…] \(name)", "help of \(name)")
        }
        #expect(!result.output.contains("unknown command"))
    }

    @Test func outputsAreAddedSetAndPlayAlone() throws {
        let screen = try terminal()
        try screen.wait(for: "Queue (0)")
        try screen.press("9", "i")
        try screen.wait(for: "New output")
        try screen.type("shed")
        try screen.press("Tab")
        try screen.type("null")
        try screen.press("C-s")
        try screen.wait(for: "added output shed")
        try screen.press("G", "o")
        try screen.wait(for: "Output shed")
        try screen.press("Left", "Left", "Tab")
        for _ in 0..<8 { try screen.press("Right") }
        try screen.press("C-s")
        try screen.wait(for: "saved: ")
        try screen.press("Escape")
        try screen.wait(for: "volume 90 · 80 ms later")
        try screen.press("P")
        try screen.wait(for: "only shed plays")
        let outputs = try client.call(ListOutputs()).rows
        expectEqual(outputs.map(\.isEnabled), [false, true])
        #expect(outputs[1].volume == 90 && outputs[1].delay == 80)
        try screen.press("a")
        try screen.wait(for: "not available on this screen")
        try screen.press("u")
        try screen.wait(for: "undid ")
        try expectEqual(client.call(ListOutputs()).rows.map(\.isEnabled), [true, true])
        try screen.press("q")
        try screen.wait(for: "ended with 0")
    }

    @Test func tabCompletesTitlesAfterAColon() throws {
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        let screen = try terminal()
        try screen.wait(for: "Queue (0)")
        try screen.press(":")
        try screen.type("add bet")
        try complete(":add bet", to: ":add \"Beta talk\"", on: screen)
        try screen.wait(for: ":add \"Beta talk\"", line: 23)
        try screen.press("Enter")
        try screen.wait(for: "Queue (1)")
        try screen.press("q")
        try screen.wait(for: "ended with 0")
    }

    @Test func lineModeOnATerminalCompletesTitles() throws {
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        let screen = try terminal(["--plain"])
        try screen.wait(for: "\n>")
        try screen.type("show bet")
        try complete("show bet", to: "show \"Beta talk\"", on: screen)
        try screen.wait(for: "show \"Beta talk\"")
        try screen.press("Enter")
        try screen.wait(for: "state: unplayed")
        // An event goes above the line that is being typed.
        try screen.type("stat")
        try client.call(Play { $0.what = "Beta talk" })
        try screen.wait(for: "playing, Beta talk, from Test feed, at 0:0")
        try screen.wait(for: "> stat")
        try screen.press("C-u")
        try screen.type("quit")
        try screen.press("Enter")
        try screen.wait(for: "ended with 0")
    }
}
