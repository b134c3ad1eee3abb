import CommandLineTool
import SystemCalls
import Testing

@Suite struct TerminalTests {
    @Test func widthsAreThoseOfTheTerminal() {
        #expect(TerminalText.width(of: "abc") == 3)
        #expect(TerminalText.width(of: "中文") == 4)
        #expect(TerminalText.width(of: "e\u{301}") == 1)
        #expect(TerminalText.width(of: "\u{1F600}") == 2)
        #expect(TerminalText.width(of: "") == 0)
    }

    @Test func coloursNeedATerminalThatSupportsThem() {
        func terminal(_ isTerminal: Bool, _ variables: [String: String]) -> Terminal {
            Terminal(isTerminal: isTerminal, columns: 100) { variables[$0] }
        }
        #expect(terminal(true, ["TERM": "xterm"]) == Terminal(isInteractive: true, width: 100, usesStyle: true))
        #expect(terminal(true, ["TERM": "xterm", "NO_COLOR": "1"]).usesStyle == false)
        #expect(terminal(true, ["TERM": "dumb"]) == Terminal(isInteractive: false, width: 100, usesStyle: false))
        #expect(terminal(true, [:]).isInteractive == false)
        #expect(terminal(false, ["TERM": "xterm"]) == Terminal(isInteractive: false, width: nil, usesStyle: false))
    }

    @Test func theWidthMayComeFromTheEnvironment() {
        func width(_ variables: [String: String]) -> Int? {
            Terminal(isTerminal: true, columns: nil) { variables[$0] }.width
        }
        #expect(width(["COLUMNS": "132"]) == 132)
        #expect(width(["COLUMNS": "many"]) == 80)
        #expect(width(["COLUMNS": "-3"]) == 80)
    }

    @Test func styleIsLeftOutWhereThereIsNone() {
        let plain = Terminal(isInteractive: false, width: nil, usesStyle: false)
        #expect(plain.styled("x", .bold) == "x")
        #expect(Terminal(isInteractive: true, width: 80, usesStyle: true).styled("x", .bold) == "\u{1B}[1mx\u{1B}[0m")
    }
}

@Suite struct ColumnLayoutTests {
    private let layout = ColumnLayout([.init("#", .right), .init("TITLE", minimum: 6), .init("TIME", .right)])

    @Test func columnsAreAlignedByWhatTheTerminalShows() {
        let lines = layout.lines([["1", "中文", "1:00"], ["12", "abcdefgh", "12:00"]], width: nil)
        #expect(lines == [" #  TITLE      TIME", " 1  中文       1:00", "12  abcdefgh  12:00"])
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
        #expect(lines == ["中…"])
    }

    @Test func noColumnIsNarrowerThanItsMinimum() {
        let lines = layout.lines([["1", "a rather long title", "1:00"]], width: 5)
        #expect(lines[1] == "1  a rat…  1:00")
    }

    @Test func withoutAWidthNothingIsCut() {
        let long = String(repeating: "x", count: 500)
        #expect(layout.lines([["1", long, ""]], width: nil)[1] == "1  " + long)
    }

    @Test func lineBreaksAndControlsInACellAreHarmless() {
        #expect(ColumnLayout([.init()]).lines([["a\nb\u{1B}c"]], width: nil) == ["a bc"])
    }

    @Test func titlesAreFittedWithAnEllipsis() {
        #expect(ColumnLayout.fitted("abcdef", width: 6) == "abcdef")
        #expect(ColumnLayout.fitted("abcdefg", width: 6) == "abcde…")
        #expect(ColumnLayout.fitted("abc", width: 0) == "")
    }
}
