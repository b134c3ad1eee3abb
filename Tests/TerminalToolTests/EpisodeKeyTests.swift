import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import TestSupport
import Testing

@testable import TerminalTool

/// Keys that act on the one episode that a screen shows, and keys that are refused.
@Suite struct EpisodeKeyTests {
    private static let keys = [
        ("*", "episodes.star"), ("P", "playback.play"), ("a", "queue.add"), ("A", "queue.insert"),
        ("x", "episodes.mark"),
        ("D", "episodes.download"),
    ]

    @Test(arguments: keys) func aKeyActsOnTheEpisodeOfTheDetailsWhereverTheCursorIs(_ key: String, _ command: String) {
        let window = SampleWindow(first: .episode(EpisodeID(299)))
        window.press("G \(key)")
        #expect(window.daemon.asked.contains { $0.hasPrefix(command) && $0.contains("e299") }, "\(window.text)")
    }

    @Test(arguments: keys) func aKeyActsOnTheEpisodeThatPlaysWhereverTheCursorIs(_ key: String, _ command: String) {
        let daemon = SampleDaemon()
        daemon.episodes[0] = SampleDaemon.episode(301, feed: 1)
        daemon.episodes.append(SampleDaemon.episode(300, feed: 1))
        let window = SampleWindow(daemon, first: .nowPlaying)
        // Whether an episode is starred, played or downloaded already is not what this test is about.
        var episode = SampleDaemon.episode(300, feed: 1).episode
        (episode.state.isStarred, episode.state.isPlayed, episode.state.isDownloaded) = (false, false, false)
        daemon.episodes[daemon.episodes.count - 1] = EpisodeReply(episode, key: "k300")
        window.change(.episodes)
        for place in ["g", "G"] {
            daemon.asked = []
            window.press("\(place) \(key)")
            #expect(daemon.asked.contains { $0.hasPrefix(command) && $0.contains("e300") }, "\(window.text)")
        }
    }

    @Test(arguments: [ScreenName.nowPlaying, .episode(EpisodeID(300))])
    func aNoteIsWrittenWhereverTheCursorIs(_ screen: ScreenName) {
        let window = SampleWindow(first: screen)
        window.press("G t")
        window.type("again")
        window.press("enter")
        expectContains(window.daemon.asked, "episodes.note {\"episode\":\"e300\",\"text\":\"again\"}")
    }

    @Test(arguments: [ScreenName.feeds, .log, .outputs, .keys])
    func aTextForARefusedNoteRunsNoKeys(_ screen: ScreenName) {
        let window = SampleWindow(first: screen)
        let before = window.daemon.asked
        window.press("t")
        #expect(window.lines.last?.hasSuffix("(escape):") == true, "\(window.text)")
        window.type("quite nice: Next, SUPER *x")
        window.press("enter")
        expectEqual(window.daemon.asked, before)
        expectEqual(window.press("q"), .quit)
    }

    @Test func theLineOfKeysNamesOnlyKeysThatDoSomething() {
        let daemon = SampleDaemon()
        daemon.isSlow = true
        let window = SampleWindow(daemon, first: .episodes, columns: 100)
        #expect(!window.lines[10].contains("queue"), "\(window.text)")
        daemon.answer()
        #expect(window.lines[10].hasPrefix("enter details   P play   a queue   O oldest first"), "\(window.text)")
        window.change(.player, ["state": "stopped", "volume": 80])
        window.press("1")
        #expect(window.lines[10].hasPrefix("2 queue   4 episodes"), "\(window.text)")
        window.press("5 enter")
        #expect(!window.lines[10].contains("first"), "\(window.text)")
    }

    @Test func anotherPressOfItsKeyPutsTheCursorOnTheLineThatIsHeard() {
        let daemon = SampleDaemon()
        daemon.transcript = (550..<700).map { second in
            ["start": .integer(second), "end": .integer(second + 1), "text": .string("said at \(second)")]
        }
        let window = SampleWindow(daemon, first: .nowPlaying, columns: 100)
        #expect(window.lines[10].contains("1 line that is heard"), "\(window.text)")
        window.press("1")
        #expect(window.lines.contains { $0.contains("▶") && $0.contains("said at 600") }, "\(window.text)")
        for _ in 0..<30 {
            window.pass(.seconds(1))
            _ = window.lines
        }
        #expect(window.lines.contains { $0.contains("▶") && $0.contains("said at 630") }, "\(window.text)")
    }

    @Test func manyEpisodesAreQueuedOnlyAfterAQuestion() {
        let window = SampleWindow(first: .feeds, columns: 100)
        window.press("a")
        expectEqual(window.lines.last, "Queue 80 episodes? (y/n)")
        window.press("n A n")
        #expect(!window.daemon.asked.contains { $0.hasPrefix("queue.add") || $0.hasPrefix("queue.insert") })
        window.press("a y")
        expectContains(window.daemon.asked, "queue.add {\"what\":[\"f1\"]}")
    }

    @Test func severalQueuedEpisodesComeWithTheKeyThatTakesThemBack() {
        let daemon = SampleDaemon()
        var feed = daemon.feeds[0].feed
        feed.unplayedCount = 2
        daemon.feeds[0] = FeedReply(feed, key: "1")
        daemon.added = 2
        let window = SampleWindow(daemon, first: .feeds, columns: 100)
        window.press("a")
        expectEqual(window.lines.last, "queued: 2 episodes; 6 in the queue; 'u' undoes this")
    }

    @Test func aNewOutputGetsTheCursor() {
        let window = SampleWindow(first: .outputs)
        let outputs: [JSONValue] = ["den", "hall", "shed"].map { name in
            OutputReply(OutputSetup(name, "null")).json
        }
        window.change(.outputs, .array([outputs[0], outputs[2]]))
        for isEarly in [true, false] {
            window.press("g i")
            window.type("hall")
            window.press("tab")
            window.type("null")
            if isEarly { window.change(.outputs, .array(outputs)) }
            window.press("^S")
            window.change(.outputs, .array(outputs))
            #expect(window.lines.contains { $0.hasPrefix("›") && $0.contains("hall") }, "\(window.text)")
        }
    }

    @Test(arguments: [(40, "Episodes (300)"), (80, "Episodes (300)"), (24, "Episodes (300)")])
    func anActivityLeavesTheNameOfTheScreenReadable(_ columns: Int, _ title: String) {
        let window = SampleWindow(first: .episodes, columns: columns)
        window.change(
            .activities,
            [["id": 1, "kind": "loading", "message": "Reading chapters", "subject": "Broken 4: a long title"]])
        window.pass(.milliseconds(150))
        #expect(window.lines[0].hasPrefix(title + " "), "\(window.lines[0])")
        #expect(window.lines[0].contains(" R"), "\(window.lines[0])")
    }

    @Test func seasonNumberAndKindAreShown() {
        let daemon = SampleDaemon()
        var episode = daemon.episodes[1].episode
        (episode.facts.season, episode.facts.number) = (2, 5)
        daemon.episodes[1] = EpisodeReply(episode, key: "k299")
        episode = daemon.episodes[2].episode
        (episode.facts.season, episode.facts.type) = (2, "trailer")
        daemon.episodes[2] = EpisodeReply(episode, key: "k298")
        for columns in [80, 140] {
            let text = SampleWindow(daemon, first: .episodes, columns: columns).text
            expectContains(text, "S2 E5")
            expectContains(text, "S2 trailer")
        }
    }

    @Test func aKeyTurnsTheOrderOfEpisodesAndTheChoiceStays() {
        let window = SampleWindow(first: .feeds)
        window.press("enter")
        expectContains(window.lines[1], "Episode 300")
        window.press("j j O")
        #expect(window.lines[0].hasPrefix("Café Talk (100), oldest first  ‹ Feeds (3)"), "\(window.text)")
        expectContains(window.lines[1], "Episode 3:")
        window.press("escape")
        window.press("enter")
        expectContains(window.lines[1], "Episode 3:")
        // Other lists have their own order.
        window.press("escape 4")
        expectContains(window.lines[1], "Episode 300")
        window.press("5 enter O")
        expectEqual(window.lines.last, "not available on this screen")
    }

    @Test(arguments: [
        ("0:20 Second", "20"), ("(1:30) Third", "90"), ("Topic [01:02:03] – more", "3723"),
        ("at 5:00, and 6:00", "300"),
    ]) func aTimeInTheNotesIsSoughtByEnter(_ line: String, _ seconds: String) {
        let daemon = SampleDaemon()
        daemon.notes = line
        let window = SampleWindow(daemon, first: .nowPlaying)
        window.press("G enter")
        expectContains(daemon.asked, "playback.seek {\"time\":\(seconds).0}")
        let details = SampleWindow(daemon, first: .episode(EpisodeID(299)))
        details.press("G enter")
        expectContains(daemon.asked, "playback.play {\"what\":\"e299\",\"position\":\(seconds).0}")
    }

    @Test func theQueueEndsWithItsTimeAsTheDaemonSaysIt() {
        let window = SampleWindow(SampleDaemon(), lines: 20)
        window.change(.player, ["state": "paused", "queueRemaining": ["time": 14_400, "exact": true]])
        expectContains(window.text, "  4:00:00 left")
        window.change(.player, ["state": "paused", "queueRemaining": ["time": 10_800, "exact": false]])
        expectContains(window.text, "at least 3:00:00 left")
    }

    @Test func theFeedOfSingleFilesIsNoShow() {
        let daemon = SampleDaemon()
        var feed = daemon.feeds[2].feed
        (feed.url, feed.title) = ("", Feed.singleFilesTitle)
        daemon.feeds[2] = FeedReply(feed, key: "3")
        expectEqual(SampleWindow(daemon, first: .feeds).lines[0], "Feeds (2)")
    }
}
