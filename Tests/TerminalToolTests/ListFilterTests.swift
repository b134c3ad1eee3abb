import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import TestSupport
import Testing

@testable import TerminalTool

/// What a filter finds, and where the cursor is after it.
@Suite struct ListFilterTests {
    /// The line of the cursor; the sign of the current episode or feed takes the place of its own.
    private func cursorLine(_ window: SampleWindow) -> String? {
        window.lines.first { $0.hasPrefix("›") } ?? window.lines.first { $0.hasPrefix("▶") }
    }

    @Test(arguments: [
        (ScreenName.feeds, "morning", "The Morning Show"), (.queue, "298", "Episode 298"),
        (.playlists, "long", "Long ones"),
        (.rules, "queue", "longer:1h then queue"), (.keys, "undo the last", "Undo the last change"),
        (.episodes, "episode 290", "Episode 290"),
    ]) func aFilterThatEndsLeavesTheCursorOnItsRow(_ screen: ScreenName, _ text: String, _ found: String) {
        let window = SampleWindow(first: screen)
        window.press("/")
        window.type(text)
        window.press("enter")
        let place = window.lines[0].contains("filter: ")
        #expect(place, "\(window.text)")
        window.press("escape")
        #expect(!window.lines[0].contains("filter"))
        #expect(cursorLine(window)?.contains(found) == true, "\(window.text)")
        // Another filter after the first does the same.
        window.press("/")
        #expect(cursorLine(window)?.contains(found) == true, "\(window.text)")
    }

    @Test(arguments: [77, 300, 4_000, 1]) func aRowFarDownALongListKeepsTheCursorAndItsNumber(_ number: Int) {
        let window = SampleWindow(SampleDaemon(episodes: 6_000), first: .episodes)
        window.press("/")
        window.type("episode \(number): of")
        window.press("enter escape")
        for _ in 0..<10 { _ = window.text }
        #expect(cursorLine(window)?.contains("Episode \(number): of") == true, "\(window.text)")
        #expect(window.lines[0].hasSuffix("\(6_001 - number) of 6000"), "\(window.lines[0])")
        window.press("down")
        if number > 1 { #expect(cursorLine(window)?.contains("Episode \(number - 1): of") == true, "\(window.text)") }
    }

    @Test func theTranscriptIsFollowedFromTheLineThatAFilterFound() {
        let daemon = SampleDaemon()
        daemon.transcript = (500..<900).map { second in
            [
                "start": .integer(second), "end": .integer(second + 1), "text": .string("A long interview \(second)"),
                "speaker": "Baker",
            ]
        }
        let window = SampleWindow(daemon, first: .nowPlaying)
        window.press("/")
        window.type("baker: a long interview 800")
        expectContains(window.text, "Baker: A long interview 800")
        window.press("enter enter")
        expectContains(daemon.asked, "playback.seek {\"time\":800.0}")
        var player = SampleWindow.playing
        if case .object(let members) = player {
            player = .object(members.filter { $0.name != "position" } + [.init("position", 800)])
        }
        window.change(.player, player)
        window.pass(.seconds(3))
        window.press("escape")
        for _ in 0..<20 {
            window.pass(.seconds(1))
            _ = window.lines
        }
        #expect(window.lines.contains { $0.hasPrefix("▶") && $0.contains("A long interview 82") }, "\(window.text)")
    }

    @Test func aFilterMatchesAllTextOfARow() {
        let window = SampleWindow(first: .feeds, columns: 100)
        window.press("/")
        window.type("refreshed 2026-11-19 1 new of 100")
        #expect(window.lines[0].contains("1 found"), "\(window.text)")
        expectContains(window.text, "Science")
    }

    @Test func conditionsOfPlaylistsAreUnderstoodInLists() {
        let window = SampleWindow(first: .episodes)
        window.press("/")
        window.type("is:unplayed talk")
        window.press("enter")
        _ = window.text
        #expect(window.daemon.asked.last?.contains("\"filter\":\"is:unplayed talk\"") == true)
        window.press("/")
        window.type("episode 29: of")
        #expect(window.lines[0].hasSuffix("1 found"), "\(window.text)")
        #expect(window.daemon.asked.last?.contains("\"search\":\"episode 29: of\"") == true)
    }

    @Test func aFilterThatIsCancelledWhileItIsTypedLeavesTheListWhereItWas() {
        let window = SampleWindow(first: .feeds)
        window.press("j /")
        window.type("morning")
        window.press("escape")
        #expect(cursorLine(window)?.contains("Science") == true, "\(window.text)")
        window.press("/")
        window.type("m")
        window.press("backspace enter")
        #expect(cursorLine(window)?.contains("Science") == true, "\(window.text)")
    }
}
