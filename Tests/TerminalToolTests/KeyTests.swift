import Testing
import PodcastModel
import TestSupport

@testable import TerminalTool

@Suite struct KeyTests {
    @Test(arguments: ["a", "A", "^R", "space", "page-down", "alt-x", "f5", "?", "ü"])
    func aKeyIsReadAsItIsSpelled(_ spelling: String) throws {
        try expectEqual(#require(Key(spelling: spelling)).spelling, spelling)
    }

    @Test func anyCaseNamesTheSameControlKey() { expectEqual(Key(spelling: "^r"), Key(spelling: "^R")) }

    @Test(arguments: ["", "xx", "f13", "alt-", "ctrl-x"])
    func whatIsNoKeyIsRefused(_ spelling: String) { expectEqual(Key(spelling: spelling), nil) }

    @Test func aBoundKeyLosesItsFormerAction() throws {
        var keys = KeyMap([("play", ["space", "p"]), ("quit", ["q", "^C"])])
        _ = (keys.bind("q", to: "play"), keys.bind("f1", to: "play"))
        expectEqual(keys[Key("q")], "play")
        expectEqual(keys.keys(of: "quit"), ["^C"])
        expectEqual(keys.keys(of: "play"), ["space", "p", "f1", "q"])
    }

    @Test func aKeyCanBeUnbound() throws {
        var keys = KeyMap([("play", ["space", "p"]), ("quit", ["q", "^C"])])
        expectEqual(keys.bind("p", to: ""), nil)
        expectEqual(keys[Key("p")], nil)
    }

    @Test func unknownKeysAndActionsAreNamed() {
        var keys = KeyMap([("play", ["space", "p"]), ("quit", ["q", "^C"])])
        expectEqual(keys.bind("xyz", to: "play")?.hasPrefix("no key is called 'xyz'"), true)
        expectEqual(keys.bind("p", to: "fly")?.hasPrefix("no action is called 'fly'"), true)
    }
}

@Suite struct TextFieldTests {
    private func typed(_ keys: [Key], into text: String = "") -> TextField {
        var field = TextField(text)
        for key in keys { _ = field.handle(key) }
        return field
    }

    @Test func charactersAreTypedAtTheCaret() {
        expectEqual(typed([Key("b"), Key(.left), Key("a"), Key(.space)]).text, "a b")
    }

    @Test func theKeysOfAShellEdit() {
        expectEqual(typed([Key(.character("W"), hasControl: true)], into: "one two").text, "one ")
        expectEqual(typed([Key(.character("U"), hasControl: true)], into: "one two").text, "")
        expectEqual(typed([Key(.home), Key(.delete), Key(.end), Key(.backspace)], into: "abcd").text, "bc")
    }

    @Test func enterAndEscapeEndIt() {
        var field = TextField("x")
        expectEqual(field.handle(Key(.enter)), .done)
        expectEqual(field.handle(Key(.escape)), .cancelled)
        expectEqual(field.handle(Key(.tab)), .unused)
    }

    @Test func theCaretStaysInViewOfLongText() {
        var canvas = Canvas(size: Size(columns: 6, lines: 1))
        TextField("a long line of text").draw(on: &canvas, column: 0, line: 0, width: 6)
        expectEqual(canvas.text, " text")
        expectEqual(canvas.caret?.column, 5)
    }
}

@Suite struct BusyIndicatorTests {
    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: 0) + .milliseconds(milliseconds) }

    @Test func shortWorkIsNeverShown() {
        var busy = BusyIndicator()
        busy.advance(isBusy: true, now: at(0))
        busy.advance(isBusy: true, now: at(140))
        #expect(!busy.isShown)
        busy.advance(isBusy: false, now: at(149))
        busy.advance(isBusy: true, now: at(151))
        #expect(!busy.isShown)
    }

    @Test func workOfSomeLengthIsShownAfterADelayAndLongEnoughToRead() {
        var busy = BusyIndicator()
        busy.advance(isBusy: true, now: at(0))
        expectEqual(busy.deadline, at(150))
        expectEqual(busy.advance(isBusy: true, now: at(150)), true)
        expectEqual(busy.advance(isBusy: false, now: at(160)), false)
        #expect(busy.isShown)
        expectEqual(busy.deadline, at(650))
        expectEqual(busy.advance(isBusy: false, now: at(650)), true)
        expectEqual(busy.state, .idle)
    }

    @Test func workThatBeginsAgainWhileItLingersDoesNotFlicker() {
        var busy = BusyIndicator()
        busy.advance(isBusy: true, now: at(0))
        busy.advance(isBusy: true, now: at(200))
        busy.advance(isBusy: false, now: at(250))
        expectEqual(busy.advance(isBusy: true, now: at(300)), false)
        #expect(busy.isShown)
    }
}
