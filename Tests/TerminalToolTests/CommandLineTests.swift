import TestSupport
import Testing

@testable import TerminalTool

/// Command lines that are typed after a colon.
@Suite struct TypedCommandTests {
    private let window = SampleWindow()

    private func type(_ line: String) {
        _ = window.press(":")
        window.type(line)
        _ = window.press("enter")
    }

    @Test func aLineOfAnswerIsAMessage() {
        type("volume 50")
        expectEqual(window.commands.lines, ["volume 50"])
        window.commands.answer("volume 50 %")
        expectEqual(window.lines.last, "volume 50 %")
        expectEqual(window.lines.first?.hasPrefix("Queue"), true)
    }

    @Test(arguments: ["q", "quit", " exit "]) func aLineCanQuit(_ line: String) {
        _ = window.press(":")
        window.type(line)
        expectEqual(window.press("enter"), .quit)
        #expect(window.commands.lines.isEmpty)
    }

    @Test func aLongAnswerIsAScreenThatEscapeLeaves() {
        type("stats")
        window.commands.answer("heard 3 h", "saved 1 h")
        expectEqual(window.lines.first, "stats  ‹ Queue (4)")
        expectEqual(window.lines.dropFirst().first?.contains("heard 3 h"), true)
        type("history")
        window.commands.answer("one", "two", "three")
        expectEqual(window.lines.first, "history  ‹ Queue (4)")
        _ = window.press("escape")
        expectEqual(window.lines.first?.hasPrefix("Queue"), true)
    }

    private func completed(_ text: String, _ keys: String) -> String? {
        _ = window.press(":")
        window.type(text)
        _ = window.press(keys)
        return window.lines.last
    }

    @Test(arguments: [
        ("pl", "tab", ":play"), ("pl", "tab tab", ":playlists"), ("pl", "tab tab tab", ":play"),
        ("pl", "tab back-tab", ":playlists"), ("x", "tab", ":x"), ("pl", "tab s", ":plays"),
    ]) func tabOffersOneCandidateAfterTheOther(_ typed: String, _ keys: String, _ line: String) {
        expectEqual(completed(typed, keys), line)
    }

    @Test func upAndDownBringEarlierLinesBack() {
        for line in ["volume 50", "stop", "volume 50"] { type(line) }
        _ = window.press(":")
        window.type("ne")
        for (keys, line) in [("up", "volume 50"), ("up", "stop"), ("up", "stop"), ("down down", "ne"), ("down", "ne")] {
            _ = window.press(keys)
            expectEqual(window.lines.last, ":" + line)
        }
    }

    @Test func theOnlyCandidateIsFollowedByASpace() {
        _ = completed("play bet", "tab")
        window.type("now")
        expectEqual(window.lines.last, ":play \"Beta talk\" now")
    }

    @Test func whatFollowsTheCursorStays() {
        _ = window.press(":")
        window.type("pl --now")
        _ = window.press("left left left left left left tab")
        expectEqual(window.lines.last, ":play --now")
    }

    @Test func anEmptyLineAndEscapeRunNothing() {
        type("  ")
        _ = window.press(":")
        window.type("stop")
        _ = window.press("escape")
        #expect(window.commands.lines.isEmpty)
    }

    @Test func anAnswerWithoutTextSaysThatItIsDone() {
        type("pause")
        window.commands.answer()
        expectEqual(window.lines.last, "done")
        type("play nothing")
        window.commands.answer("no episode matches 'nothing'", hasFailed: true)
        expectEqual(window.lines.last, "no episode matches 'nothing'")
    }
}
