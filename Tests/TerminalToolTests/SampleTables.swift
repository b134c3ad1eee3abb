@testable import TerminalTool

/// Sections of rows with made-up titles, which count how often they were asked.
final class SampleSource: TableDataSource {
    struct Section {
        var rows: [String]
        var style = TableRow.Style.plain
        var header: String?
        var isMovable = false
    }

    var sections: [Section]
    var asked = 0

    init(_ sections: [Section]) { self.sections = sections }

    var sectionCount: Int { sections.count }
    func rowCount(in section: Int) -> Int { sections[section].rows.count }
    func style(at path: IndexPath) -> TableRow.Style { sections[path.section].style }
    func header(of section: Int) -> String? { sections[section].header }
    func canMove(_ path: IndexPath) -> Bool { sections[path.section].isMovable }
    func editingStyle(at path: IndexPath) -> EditingStyle { sections[path.section].isMovable ? .delete : .none }
    func fill(_ row: inout TableRow, at path: IndexPath) {
        asked += 1
        row.title = sections[path.section].rows[path.row]
        row.subtitle = "second line"
    }
}

/// A million rows that are made when they are asked for.
final class LongSource: TableDataSource {
    var count = 1_000_000
    var asked = 0
    var sectionCount: Int { 1 }
    func rowCount(in section: Int) -> Int { count }
    func style(at path: IndexPath) -> TableRow.Style { path.row.isMultiple(of: 3) ? .media : .plain }
    func fill(_ row: inout TableRow, at path: IndexPath) {
        asked += 1
        row.title = "row \(path.row)"
    }
}

func drawn(_ view: TableView, _ source: some TableDataSource, columns: Int = 30) -> String {
    var canvas = Canvas(size: Size(columns: columns, lines: view.lines))
    view.draw(on: &canvas, line: 0, source, glyphs: .unicode)
    return canvas.text
}

func numbered(_ count: Int) -> [String] { (0..<count).map { "row \($0)" } }
