import ControlClient
import ControlLanguage
import JSON
import PodcastModel
import TestSupport
import Testing

@testable import TerminalTool

/// What a screen says about its rows and about what happened.
@Suite struct NoticeTests {
    @Test func aFilterSaysHowManyRowsItFound() {
        let daemon = SampleDaemon()
        daemon.isSlow = true
        let window = SampleWindow(daemon, first: .episodes)
        window.press("/")
        window.type("episode 77")
        expectContains(window.lines[1] + window.lines[2], "Loading…")
        daemon.isSlow = false
        daemon.answer()
        expectContains(window.lines[0], "filter: episode 77, 1 found")
        expectContains(daemon.asked.last { $0.contains("episode 77") } ?? "", "\"feedTitles\":true")

        let feeds = SampleWindow(first: .feeds)
        feeds.press("/")
        feeds.type("science")
        feeds.press("enter")
        feeds.daemon.feeds.removeLast()
        feeds.change(.feeds)
        expectEqual(feeds.lines[0], "Feeds (2)  filter: science, 1 found")
    }

    @Test func aFilterInNowPlayingChoosesAmongAllRows() {
        let window = SampleWindow(first: .nowPlaying, lines: 30)
        window.press("/")
        window.type("second")
        expectContains(window.text, "Second paragraph.")
        #expect(!window.text.contains("Notes about this"))
        window.press("^U")
        window.type("zzz")
        expectContains(window.lines[0], "filter: zzz, 0 found")
    }

    @Test func aSearchThatFailsSaysSo() {
        let daemon = SampleDaemon()
        daemon.isGone = true
        let window = SampleWindow(daemon, first: .found("tea"))
        expectContains(window.text, "podcastd has closed the connection")
        #expect(!window.text.contains("Searching"))
    }

    @Test func aMessageMakesRoomForWhatPlays() {
        let window = SampleWindow()
        window.press("i")
        expectEqual(window.lines.last, "no row can be added to this list")
        window.pass(.seconds(59))
        expectEqual(window.lines.last, "no row can be added to this list")
        window.pass(.seconds(1))
        #expect(window.lines.last?.hasPrefix("playing") == true)
        window.press("i")
        window.pass(.seconds(6))
        window.change(.player, ["state": "playing", "volume": 80, "episode": ["id": 299, "title": "The next"]])
        #expect(window.lines.last?.hasPrefix("playing  The next") == true)
    }

    @Test func theLogSaysWhenAndOfWhichEpisode() {
        let window = SampleWindow(columns: 80)
        window.change(
            .player,
            [
                "state": "stopped", "volume": 80, "error": "cannot play text",
                "episode": ["id": 300, "title": "Sand 0"],
            ])
        expectEqual(window.lines.last, "'Sand 0': cannot play text")
        window.press("L")
        expectContains(window.lines[1], "'Sand 0': cannot play text")
        expectContains(window.lines[1], "2026-11-25 00:00")
    }

    @Test func inASCIITheCursorAndTheMarkOfWhatPlaysDiffer() {
        let window = SampleWindow(columns: 80, lines: 12, glyphs: .ascii)
        window.press("j")
        expectEqual(window.lines.filter { $0.hasPrefix(">") }.count, 1)
    }
}
