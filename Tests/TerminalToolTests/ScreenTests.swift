import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import PodcastModel
import TestSupport
import Testing

@testable import TerminalTool

@Suite struct ScreenTests {
    @Test(arguments: [
        ("queue", ScreenName.queue), ("feeds", .feeds), ("episodes", .episodes), ("playing", .nowPlaying),
        ("episode", .episode(EpisodeID(296))), ("playlists", .playlists), ("keys", .keys), ("subscribe", .subscribe),
    ]) func aScreenLooksAsRecorded(_ name: String, _ screen: ScreenName) {
        var text = ""
        for (columns, lines) in [(140, 8), (80, 16), (40, 10), (20, 5)] {
            text += "\(columns) x \(lines)\n" + SampleWindow(first: screen, columns: columns, lines: lines).text + "\n"
        }
        text += "80 x 8 in ASCII\n" + SampleWindow(first: screen, columns: 80, lines: 8, glyphs: .ascii).text + "\n"
        expectGolden(text, "\(name).txt")
    }

    @Test func aScreenOfMostSizesCanBeDrawn() {
        let window = SampleWindow()
        for (columns, lines) in [(0, 0), (1, 1), (2, 2), (3, 20), (500, 200), (20, 5)] {
            window.size = Size(columns: columns, lines: lines)
            for screen in "1234567890" {
                window.press(String(screen))
                _ = window.text
            }
        }
    }

    @Test func anEpisodeIsStarredAndQueuedByAKey() {
        let window = SampleWindow(first: .episodes)
        window.press("j * a")
        expectContains(window.daemon.asked, "episodes.star {\"what\":[\"e299\"]}")
        expectContains(window.daemon.asked, "queue.add {\"what\":[\"e299\"]}")
        expectEqual(window.lines.last, "queued: 1 episode; 5 in the queue")
    }

    @Test func anEntryIsRemovedAndTheMessageSaysHowItComesBack() {
        let window = SampleWindow()
        window.press("j d")
        expectContains(window.daemon.asked, "queue.remove {\"what\":[\"e299\"]}")
        expectEqual(window.lines.last?.contains("'u' undoes this"), true)
    }

    @Test func undoAndRedoSayWhatTheyDid() {
        let window = SampleWindow(columns: 90)
        window.press("u")
        expectEqual(window.lines.last, "undid star: Episode 300 and 2 other episodes without a star again")
        window.press("U")
        expectEqual(window.lines.last, "redid remove of Episode 300")
    }

    @Test func unsubscribingAsksFirst() {
        let window = SampleWindow(first: .feeds)
        window.press("d")
        expectEqual(window.lines.last, "Unsubscribe from Café Talk? (y/n)")
        window.press("n")
        #expect(!window.daemon.asked.contains { $0.hasPrefix("feeds.unsubscribe") })
        window.press("d y")
        expectContains(window.daemon.asked, "feeds.unsubscribe {\"feeds\":[\"f1\"]}")
    }

    @Test func showsWithOneTitleAreListedWithWhatTellsThemApart() {
        let daemon = SampleDaemon()
        daemon.feeds = ["one.example", "two.example"].enumerated().map { index, mark in
            var feed = Feed(id: FeedID(Int64(index) + 1), url: "", title: "Tides", subscribed: Timestamp(seconds: 0))
            feed.mark = mark
            return FeedReply(feed, key: "\(index)")
        }
        let window = SampleWindow(daemon, first: .feeds)
        expectContains(window.text, "Tides (one.example)")
        window.press("j d")
        expectEqual(window.lines.last, "Unsubscribe from Tides (two.example)? (y/n)")
    }

    @Test func aSearchFiltersAsOneTypesAndLeavesTheListWhereItWas() {
        let window = SampleWindow(first: .episodes)
        window.press("j j j j")
        let before = window.text
        window.press("/")
        window.type("episode 77")
        expectEqual(window.lines[0], "Episodes (1)  filter: episode 77, 1 found")
        window.press("escape")
        expectEqual(window.text, before)
    }

    @Test func aSearchThatWasConfirmedStaysUntilEscape() {
        let window = SampleWindow(first: .feeds)
        window.press("/")
        window.type("science")
        window.press("enter")
        expectContains(window.lines[1], "Science")
        #expect(window.lines[3].isEmpty)
        // A filter begins empty, and the list with all its rows.
        window.press("/")
        expectEqual(window.lines[0], "Feeds (3)")
        window.type("cafe")
        expectEqual(window.lines[0], "Feeds (3)  filter: cafe, 0 found")
        window.press("escape")
        expectEqual(window.lines[0], "Feeds (3)")
    }

    @Test func theEndOfALongListIsAPageAwayFromItsBeginning() {
        let window = SampleWindow(SampleDaemon(episodes: 20_000), first: .episodes)
        window.press("G")
        expectContains(window.text, "Episode 1: of things")
        #expect(window.daemon.asked.filter { $0.hasPrefix("episodes.list") }.count <= 3)
        window.press("up up up page-up page-up")
        #expect(!window.text.contains("…\n"))
    }

    @Test func rowsThatAreNotHereYetAreAskedForAndKeysStayAlive() {
        let daemon = SampleDaemon()
        daemon.isSlow = true
        let window = SampleWindow(daemon, first: .episodes)
        expectEqual(window.lines[2], "  Loading…")
        window.press("j j 3 4")
        daemon.answer()
        expectContains(window.text, "Episode 300")
    }

    @Test func aNewEpisodeLeavesTheCursorOnItsRow() {
        let window = SampleWindow(first: .episodes)
        window.press("j j j")
        #expect(window.lines.contains { $0.hasPrefix("›") && $0.contains("Episode 297") })
        window.daemon.episodes.insert(SampleDaemon.episode(301, feed: 1), at: 0)
        window.change(.episodes)
        #expect(window.lines.contains { $0.hasPrefix("›") && $0.contains("Episode 297") })
    }

    @Test(arguments: [ScreenName.episode(EpisodeID(300)), .nowPlaying])
    func notesWithASignOfTagsAreShownWhole(_ screen: ScreenName) {
        let daemon = SampleDaemon()
        daemon.notes = "I <3 you &amp; a < b then List<String> [1]\n\nAfter.\n\n[1] https://example.org/a"
        let text = SampleWindow(daemon, first: screen, lines: 40).text
        for line in ["I <3 you &amp; a < b then List<String> [1]", "After.", "[1] https://example.org/a"] {
            expectContains(text, line)
        }
    }

    @Test func anEpisodeThatIsDeletedWhileItIsOpenStaysReadable() {
        let window = SampleWindow(first: .episode(EpisodeID(296)), lines: 30)
        window.daemon.episodes.removeAll { $0.episode.id == EpisodeID(296) }
        window.change(.episodes)
        expectEqual(window.lines.last, "this episode no longer exists")
        expectContains(window.text, "Second paragraph.")
    }

    @Test func aLostDaemonIsSaidAndNothingOldIsShown() {
        let window = SampleWindow()
        let before = window.lines[1...4]
        window.daemon.isGone = true
        window.window.receive(.lost(.closed))
        window.pass(.milliseconds(1))
        window.pass(.milliseconds(200))
        expectContains(window.lines[0], "no daemon, connecting")
        expectEqual(window.lines.last, "podcastd has closed the connection; trying again")
        expectContains(window.lines[2], "No connection to podcastd; start it with 'podcastd'.")
        #expect(!window.text.contains("Episode"))
        window.press("j")
        expectEqual(window.lines.last, "not connected")
        window.press("x")
        window.daemon.isGone = false
        window.connect()
        window.pass(.seconds(1))
        #expect(!window.lines[0].contains("no daemon"))
        expectEqual(window.lines[4], before[4])
        #expect(window.lines.last?.hasPrefix("playing") == true)
    }

    @Test func workIsShownAfterAMomentAndThePositionMovesEachSecond() {
        let window = SampleWindow()
        window.change(.activities, [["id": 1, "kind": "loading", "message": "Loading playlist"]])
        #expect(!window.lines[0].contains("Loading"))
        window.pass(.milliseconds(150))
        #expect(window.lines[0].hasSuffix("Loading playlist"))
        expectEqual(window.lines.last?.contains("10:01 / 1:00:00"), true)
        window.pass(.seconds(1))
        #expect(window.window.needsDrawing)
        expectEqual(window.lines.last?.contains("10:02 / 1:00:00"), true)
    }

    @Test func whatGoesOnIsListedOverTheScreenUntilTheNextKey() {
        let window = SampleWindow()
        _ = window.press("w")
        #expect(window.lines[1].hasSuffix("─┐"))
        #expect(window.lines[2].hasSuffix("│ nothing is in progress │"))
        #expect(window.lines[3].hasSuffix("─┘"))
        window.change(.activities, [["id": 1, "kind": "loading", "message": "Loading playlist"]])
        #expect(window.lines[2].hasSuffix("Loading playlist │"))
        #expect(window.lines[0].hasPrefix("Queue"))
        _ = window.press("w")
        #expect(!window.lines[2].contains("Loading playlist"))
        _ = window.press("w")
        _ = window.press("3")
        #expect(window.lines[0].hasPrefix("Feeds"))
        #expect(!window.lines[2].contains("Loading playlist"))
    }

    @Test(arguments: ["2", "3", "4", "6", "7"]) func withoutFeedsAListSaysHowToBegin(_ screen: String) {
        let daemon = SampleDaemon(episodes: 0)
        daemon.feeds = []
        let window = SampleWindow(daemon, columns: 140, lines: 24)
        window.change(.queue, ["length": 0, "revision": 2])
        window.press(screen)
        let text = window.text
        for hint in ["S subscribes", "W searches podcast directories", "I imports an OPML file"] {
            expectContains(text, hint)
        }
    }

    @Test func anImportSaysWhatItBrought() {
        let window = SampleWindow()
        window.press("I")
        window.type("~/feeds.opml")
        window.press("enter")
        expectEqual(window.commands.lines, ["import ~/feeds.opml"])
        window.commands.answer("3 feeds added, 0 already present")
        expectEqual(window.lines.last, "3 feeds added, 0 already present")
        // 'podcastctl import' fetches the new feeds by itself.
        #expect(!window.daemon.asked.contains { $0.hasPrefix("feeds.refresh") })
    }

    @Test func directoriesAreSearchedByAKey() {
        let window = SampleWindow()
        var show = FoundShow()
        (show.url, show.title) = ("https://example.test/w", "Whales")
        window.daemon.found = [show]
        window.press("W")
        window.type("whale")
        window.press("enter")
        expectEqual(window.lines[0], "Found for whale (1)  ‹ Queue (4)")
        window.press("enter y")
        #expect(window.daemon.asked.contains { $0.hasPrefix("feeds.subscribe") })
    }

    @Test func aLongMessageIsShownToItsEndAndReadAgainInTheLog() {
        let window = SampleWindow(columns: 40, lines: 16)
        let error = "the server of example.test answers with HTTP 404; refresh the feed with r and play it again"
        window.change(.player, ["state": "stopped", "volume": 80, "error": .string(error)])
        expectContains(window.lines.suffix(3).joined(separator: " "), error)
        window.press("L")
        expectContains(window.lines[1], "…  2026-11-25 00:00")
        window.press("enter")
        expectEqual(window.lines[0], "Message  ‹ Log")
        expectContains(
            window.lines[1...4].map { $0.drop { $0 == " " || $0 == "›" } }.joined(separator: " "), error)
    }

    @Test func nothingIsDrawnWhileNothingChanges() {
        let window = SampleWindow()
        window.change(.player, ["state": "paused", "position": 5, "instant": 1, "volume": 80])
        _ = window.text
        window.pass(.seconds(60))
        #expect(!window.window.needsDrawing)
        expectEqual(window.window.deadline, nil)
    }

    @Test func settingsAreAFormAndAChangeIsSent() {
        let daemon = SampleDaemon()
        var setting = SettingReply()
        (setting.key, setting.value, setting.help, setting.isClientSettable) = ("playback.mono", "no", "One ear.", true)
        setting.label = "Mono"
        setting.kind = .flag
        daemon.settings = [setting]
        let window = SampleWindow(daemon, first: .settings)
        expectContains(window.text, "One ear.")
        window.press("space ^S")
        expectContains(daemon.asked, "settings.set {\"key\":\"playback.mono\",\"value\":\"yes\"}")
    }

    @Test func theSubscribeFormSendsWhatWasTyped() {
        let window = SampleWindow(first: .feeds)
        window.press("S")
        window.type("https://example.test/feed")
        window.press("enter enter enter enter")
        #expect(
            window.daemon.asked.contains {
                $0.contains("feeds.subscribe {\"urls\":[\"https:\\/\\/example.test\\/feed\"]}")
                    || $0 == "feeds.subscribe {\"urls\":[\"https://example.test/feed\"]}"
            })
    }

    @Test func aFormThatIsAnsweredLateClosesItselfAndNoOtherScreen() {
        let window = SampleWindow(first: .feeds)
        window.press("S")
        window.type("https://example.test/feed")
        window.daemon.isSlow = true
        window.press("^S f1")
        window.daemon.answer()
        window.pass(.seconds(1))
        #expect(window.lines[0].hasPrefix("Keys"))
        window.press("escape")
        #expect(window.lines[0].hasPrefix("Feeds"))
    }

    @Test func escapeGoesBackAndQuitAsksTheProgram() {
        let window = SampleWindow()
        window.press("3 enter")
        #expect(window.lines[0].hasPrefix("Café Talk"))
        window.press("escape escape")
        #expect(window.lines[0].hasPrefix("Queue"))
        expectEqual(window.press("q"), .quit)
        expectEqual(window.press("^Z"), .suspend)
    }

    @Test func aTitleCannotControlTheTerminal() {
        let daemon = SampleDaemon()
        var episode = daemon.episodes[0].episode
        episode.title = "Evil\u{1B}[2J\u{202E}\u{7}\nsecond line\u{200B}" + String(repeating: "x", count: 10_000)
        daemon.episodes[0] = EpisodeReply(episode, key: "k300")
        let window = SampleWindow(daemon, first: .episodes)
        expectEqual(window.lines.count, 12)
        expectContains(window.lines[1], "Evil[2J second linexxx")
        #expect(!window.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
    }

    private static func number(_ variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
    }

    /// Keys, pointer, sizes and changes at random: nothing breaks, and the screen is always whole. `scripts/soak keys` has more of them.
    @Test func randomKeysBreakNothing() {
        var random = SeededNumbers(state: UInt64(clamping: Self.number("PODCASTD_SEED") ?? 7))
        let daemon = SampleDaemon(episodes: 250)
        daemon.cover = (100, 100)
        let window = SampleWindow(daemon, pictureCell: .usual)
        let keys: [Key] =
            Key.Name.allCases.map { Key($0) }
            + "abdefghijklmnoprstuvwxyzABDFGLNPRSU0123456789/?:*'[]{}<>=-+".map { Key($0) }
        for step in 0..<(Self.number("PODCASTD_KEYS") ?? 20_000) {
            switch Int.random(in: 0..<60, using: &random) {
            case 0:
                window.size = Size(
                    columns: .random(in: 0...150, using: &random), lines: .random(in: 0...30, using: &random))
            case 1: window.change(.episodes)
            case 2: window.change(.queue, ["length": 4, "index": 2, "revision": 3])
            case 3: window.daemon.isSlow.toggle()
            case 4: window.daemon.answer()
            case 5: window.pass(.milliseconds(.random(in: 0...2_000, using: &random)))
            case 6:
                window.window.handle(
                    PointerEvent(
                        kind: [.press, .drag, .release, .wheelUp, .wheelDown].randomElement(using: &random) ?? .press,
                        line: .random(in: -1...30, using: &random)))
            default: _ = window.window.handle(keys.randomElement(using: &random) ?? Key("j"))
            }
            if step % 3 == 0 {
                let canvas = window.window.draw(window.size)
                guard canvas.lines.count == window.size.lines else {
                    Issue.record("\(canvas.lines.count) lines instead of \(window.size.lines)")
                    return
                }
                if let picture = canvas.picture, picture.lines.upperBound >= window.size.lines {
                    Issue.record("the cover reaches the last line")
                    return
                }
                for line in canvas.lines {
                    for span in line where span.column + span.width > window.size.columns {
                        Issue.record("a span ends at \(span.column + span.width) of \(window.size.columns)")
                        return
                    }
                }
            }
        }
    }
}
