import CommandLineTool
import TestSupport
import Testing

@testable import TerminalTool

@Suite struct CanvasTests {
    private func line(_ columns: Int, _ body: (inout Canvas) -> Void) -> String {
        var canvas = Canvas(size: Size(columns: columns, lines: 1))
        body(&canvas)
        return canvas.text
    }

    @Test func textThatDoesNotFitIsCutWithAnEllipsis() {
        expectEqual(line(8) { $0.put("Long title", column: 0, line: 0) }, "Long ti…")
    }

    @Test func wideCharactersTakeTwoColumns() {
        expectEqual(TextLayout.width(of: "日本語"), 6)
        expectEqual(line(6) { $0.put("日本語の", column: 0, line: 0) }, "日本…")
        expectEqual(line(5) { $0.put("日本語の", column: 0, line: 0) }, "日本…")
    }

    @Test func combiningMarksStayWithTheirLetter() {
        expectEqual(line(3) { $0.put("e\u{301}e\u{301}e\u{301}e\u{301}", column: 0, line: 0) }, "e\u{301}e\u{301}…")
    }

    @Test(arguments: [
        ("a\u{1B}[31mb", "a[31mb"), ("one\ntwo", "one two"), ("x\u{202E}y", "xy"), ("z\u{200B}z", "zz"),
        ("\u{9B}1m", "1m"), ("tab\there", "tab here"),
    ]) func whatCouldControlATerminalIsLeftOut(_ given: String, _ shown: String) {
        expectEqual(line(20) { $0.put(given, column: 0, line: 0) }, shown)
    }

    @Test func aTitleOfTenThousandCharactersIsCut() {
        expectEqual(line(10) { $0.put(String(repeating: "a", count: 10_000), column: 0, line: 0) }, "aaaaaaaaa…")
    }

    @Test func laterTextCoversEarlierText() {
        expectEqual(
            line(10) { canvas in
                canvas.put("0123456789", column: 0, line: 0)
                canvas.put("ab", column: 4, line: 0)
            }, "0123ab6789")
        expectEqual(
            line(6) { canvas in
                canvas.put("日本語", column: 0, line: 0)
                canvas.put("x", column: 1, line: 0)
            }, " x本語")
    }

    @Test func nothingIsDrawnOutside() {
        var canvas = Canvas(size: Size(columns: 4, lines: 2))
        canvas.put("a", column: 9, line: 0)
        canvas.put("a", column: 0, line: 7)
        canvas.put("a", column: -1, line: 0)
        expectEqual(canvas.text, "\n")
    }

    @Test func runningTextIsBrokenAtBlanksAndWithinLongWords() {
        expectEqual(TextLayout.wrapped("the quick brown", width: 9, breaksWords: true), ["the quick", "brown"])
        expectEqual(TextLayout.wrapped("abcdefgh", width: 3, breaksWords: true), ["abc", "def", "gh"])
        expectEqual(TextLayout.wrapped("a\n\nb", width: 5, breaksWords: true), ["a", "", "b"])
    }
}

@Suite struct TableRowTests {
    private func drawn(_ row: TableRow, columns: Int, glyphs: Glyphs = .unicode) -> String {
        struct OneRow: TableSection {
            var row: TableRow
            var rowCount: Int { 1 }
            func style(at index: Int) -> TableRow.Style { row.style }
            func fill(_ row: inout TableRow, at index: Int) { row = self.row }
        }
        var view = TableView(sections: [OneRow(row: row)])
        view.layOut(lines: row.style.height)
        var canvas = Canvas(size: Size(columns: columns, lines: row.style.height))
        view.draw(on: &canvas, line: 0, glyphs: glyphs)
        return canvas.text
    }

    private var media: TableRow {
        var row = TableRow(style: .media)
        (row.title, row.detail, row.subtitle) = ("The title of an episode", "1:02:03", "A feed")
        (row.isStarred, row.download, row.progress) = (true, .onDisk, 0.5)
        return row
    }

    @Test func anEpisodeShowsStarDownloadAndProgress() {
        expectEqual(drawn(media, columns: 40), "› ★↓ The title of an episode     1:02:03\n    ━━━━━───── A feed")
    }

    @Test func asciiTerminalsGetTheSameInASCII() {
        expectEqual(
            drawn(media, columns: 40, glyphs: .ascii), "> *v The title of an episode     1:02:03\n    =====----- A feed"
        )
    }

    @Test func aNarrowWindowKeepsTheTitle() {
        expectEqual(drawn(media, columns: 20), "› ★↓ The title of a…\n    ━━━── A feed")
    }

    private func picture() throws -> PixelPicture {
        try #require(PixelPicture(pixmap: Array("P6\n1 1\n255\nabc".utf8)))
    }

    @Test func aPictureStaysUntilTextIsPutOverIt() throws {
        var canvas = Canvas(size: Size(columns: 10, lines: 4))
        canvas.place(PlacedPicture(picture: try picture(), column: 6, line: 1, size: Size(columns: 4, lines: 2)))
        canvas.put("beside", column: 0, line: 1)
        canvas.put("above, over all", column: 0, line: 0)
        #expect(canvas.picture != nil)
        canvas.put("longer than", column: 0, line: 2)
        expectEqual(canvas.picture, nil)
    }

    @Test(arguments: [(7, 1), (-1, 1), (0, 3), (0, -1)])
    func aPictureBeyondTheEdgeIsLeftOut(_ column: Int, _ line: Int) throws {
        var canvas = Canvas(size: Size(columns: 10, lines: 4))
        canvas.place(
            PlacedPicture(picture: try picture(), column: column, line: line, size: Size(columns: 4, lines: 2)))
        expectEqual(canvas.picture, nil)
        expectEqual(canvas, Canvas(size: Size(columns: 10, lines: 4)))
    }
}
