@testable import TerminalTool

/// A section of rows with made-up titles.
struct SampleSection: TableSection {
    var rows: [String]
    var style = TableRow.Style.plain
    var header: String?
    var isMovable = false

    var rowCount: Int { rows.count }
    func style(at index: Int) -> TableRow.Style { style }
    func canMove(at index: Int) -> Bool { isMovable }
    func editingStyle(at index: Int) -> EditingStyle { isMovable ? .delete : .none }
    func fill(_ row: inout TableRow, at index: Int) {
        row.title = rows[index]
        row.subtitle = "second line"
    }
}

/// A million rows that are made when they are asked for.
final class LongSection: TableSection {
    var asked = 0
    var rowCount: Int { 1_000_000 }
    func style(at index: Int) -> TableRow.Style { index.isMultiple(of: 3) ? .media : .plain }
    func fill(_ row: inout TableRow, at index: Int) {
        asked += 1
        row.title = "row \(index)"
    }
}

func drawn(_ view: TableView<some TableSection>, columns: Int = 30) -> String {
    var canvas = Canvas(size: Size(columns: columns, lines: view.lines))
    view.draw(on: &canvas, line: 0, glyphs: .unicode)
    return canvas.text
}

func numbered(_ count: Int) -> [String] { (0..<count).map { "row \($0)" } }
