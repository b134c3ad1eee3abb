@testable import CommandLineTool
import SystemCalls
import Testing
import TestSupport

@Suite struct TerminalTests {
    @Test func widthsAreThoseOfTheTerminal() {
        expectEqual(TerminalText.width(of: "abc"), 3)
        expectEqual(TerminalText.width(of: "中文"), 4)
        expectEqual(TerminalText.width(of: "e\u{301}"), 1)
        expectEqual(TerminalText.width(of: "\u{1F600}"), 2)
        expectEqual(TerminalText.width(of: ""), 0)
    }

    @Test func coloursNeedATerminalThatSupportsThem() {
        func terminal(_ isTerminal: Bool, _ variables: [String: String]) -> Terminal {
            Terminal(isTerminal: isTerminal, columns: 100) { variables[$0] }
        }
        expectEqual(terminal(true, ["TERM": "xterm"]), Terminal(isInteractive: true, width: 100, usesStyle: true))
        expectEqual(terminal(true, ["TERM": "xterm", "NO_COLOR": "1"]).usesStyle, false)
        expectEqual(terminal(true, ["TERM": "dumb"]), Terminal(isInteractive: false, width: 100, usesStyle: false))
        expectEqual(terminal(true, [:]).isInteractive, false)
        expectEqual(terminal(false, ["TERM": "xterm"]), Terminal(isInteractive: false, width: nil, usesStyle: false))
    }

    @Test func theWidthMayComeFromTheEnvironment() {
        func width(_ variables: [String: String]) -> Int? {
            Terminal(isTerminal: true, columns: nil) { variables[$0] }.width
        }
        expectEqual(width(["COLUMNS": "132"]), 132)
        expectEqual(width(["COLUMNS": "many"]), 80)
        expectEqual(width(["COLUMNS": "-3"]), 80)
    }

    @Test func styleIsLeftOutWhereThereIsNone() {
        let plain = Terminal(isInteractive: false, width: nil, usesStyle: false)
        expectEqual(plain.styled("x", .bold), "x")
        expectEqual(Terminal(isInteractive: true, width: 80, usesStyle: true).styled("x", .bold), "\u{1B}[1mx\u{1B}[0m")
    }
}

@Suite struct ColumnLayoutTests {
    private let layout = ColumnLayout([.init("#", .right), .init("TITLE", minimum: 6), .init("TIME", .right)])

    @Test func columnsAreAlignedByWhatTheTerminalShows() {
        let lines = layout.lines([["1", "中文", "1:00"], ["12", "abcdefgh", "12:00"]], width: nil)
        expectEqual(lines, [" #  TITLE      TIME", " 1  中文       1:00", "12  abcdefgh  12:00"])
    }

    @Test func theWidestColumnIsCut() {
        let lines = layout.lines([["1", "a rather long title of an episode", "1:00"]], width: 24)
        #expect(
            lines == ["#  TITLE            TIME", "1  a rather long…   1:00"]
                || lines.allSatisfy { TerminalText.width(of: $0) <= 24 })
        #expect(lines[1] == "1  a rather long…  1:00" || TerminalText.width(of: lines[1]) == 24)
    }

    @Test func aWideCharacterIsNeverCutInHalf() {
        let lines = ColumnLayout([.init(minimum: 3)]).lines([["中文字"]], width: 4)
        expectEqual(lines, ["中…"])
    }

    @Test func noColumnIsNarrowerThanItsMinimum() {
        let lines = layout.lines([["1", "a rather long title", "1:00"]], width: 5)
        expectEqual(lines[1], "1  a rat…  1:00")
    }

    @Test func withoutAWidthNothingIsCut() {
        let long = String(repeating: "x", count: 500)
        expectEqual(layout.lines([["1", long, ""]], width: nil)[1], "1  " + long)
    }

    @Test func lineBreaksAndControlsInACellAreHarmless() {
        expectEqual(ColumnLayout([.init()]).lines([["a\nb\u{1B}c"]], width: nil), ["a bc"])
    }

    @Test func titlesAreFittedWithAnEllipsis() {
        expectEqual(TextLayout.fitted("abcdef", width: 6), "abcdef")
        expectEqual(TextLayout.fitted("abcdefg", width: 6), "abcde…")
        expectEqual(TextLayout.fitted("abc", width: 0), "")
    }
}
