internal import TableUI

/// A section of a list screen.
protocol ListSection: SectionController {
    func subject(at index: Int) -> Subject
    /// What stays the same while the list changes; nil while a row is not known yet.
    func identity(at index: Int) -> Int64?
    /// Where the row with an identity is, near an index.
    func index(of identity: Int64, near index: Int) -> Int?
    /// Shows only rows that contain the text; nil for all.
    func search(_ text: String?)
    /// Rows, also those that are not here yet.
    var total: Int { get }
    /// Takes what has changed in the model.
    func update()
}

extension ListSection {
    func subject(at index: Int) -> Subject { .other }
    func identity(at index: Int) -> Int64? { nil }
    func index(of identity: Int64, near index: Int) -> Int? {
        if index < rowCount, self.identity(at: index) == identity { return index }
        return (0..<rowCount).first { self.identity(at: $0) == identity }
    }
    func search(_ text: String?) {}
    var total: Int { rowCount }
    func update() {}
}

/// A section over rows that are in memory. It keeps no rows: it asks for them, and for which of them a search matches.
final class RowSection<Row>: ListSection {
    private let rows: () -> [Row]
    private let content: (Row, inout TableRow) -> Void
    private let rowStyle: () -> TableRow.Style
    private var needle: String?
    private var matches: [Int]?

    var heading: (() -> String?)?
    var footing: (() -> String?)?
    var text: (Row) -> String = { _ in "" }
    var id: ((Row) -> Int64)?
    var subject: (Row) -> Subject = { _ in .other }
    var onSelect: ((Row) -> Void)?
    var onDelete: ((Row) -> Void)?
    /// From and to, in the whole list, from 0.
    var onMove: ((Int, Int) -> Void)?

    init(
        _ style: @escaping @autoclosure () -> TableRow.Style, _ rows: @escaping () -> [Row],
        _ content: @escaping (Row, inout TableRow) -> Void
    ) {
        self.rows = rows
        self.content = content
        rowStyle = style
    }

    private func row(_ index: Int) -> Row? {
        let rows = rows()
        let place = matches.map { $0.indices.contains(index) ? $0[index] : -1 } ?? index
        return rows.indices.contains(place) ? rows[place] : nil
    }

    var rowCount: Int { matches?.count ?? rows().count }
    func style(at index: Int) -> TableRow.Style { rowStyle() }
    func fill(_ row: inout TableRow, at index: Int) { if let value = self.row(index) { content(value, &row) } }
    var header: String? { heading?() }
    var footer: String? { footing?() }
    func editingStyle(at index: Int) -> EditingStyle { onDelete == nil ? .none : .delete }
    // A filtered list shows only some rows, so a row has no place to move to.
    func canMove(at index: Int) -> Bool { onMove != nil && matches == nil }
    func select(at index: Int) { if let row = row(index) { onSelect?(row) } }
    func delete(at index: Int) { if let row = row(index) { onDelete?(row) } }
    func move(_ index: Int, to target: Int) { onMove?(index, target) }
    func subject(at index: Int) -> Subject { row(index).map(subject) ?? .other }
    func identity(at index: Int) -> Int64? { row(index).flatMap { row in id.map { $0(row) } } }

    func search(_ text: String?) {
        needle = text.flatMap { $0.isEmpty ? nil : $0.lowercased() }
        update()
    }

    func update() {
        guard let needle else {
            matches = nil
            return
        }
        let words = needle.split(separator: " ")
        matches = rows().enumerated().filter { _, row in
            let text = text(row).lowercased()
            return words.allSatisfy { text.contains($0) }
        }.map(\.offset)
    }
}

/// Lines of text, wrapped to the screen's width.
final class TextSection: ListSection {
    private let title: String?
    private let context: ScreenContext
    private let text: () -> String
    private var wrapped: (text: String, columns: Int, lines: [String]) = ("", 0, [])

    init(_ title: String?, _ context: ScreenContext, _ text: @escaping () -> String) {
        self.title = title
        self.context = context
        self.text = text
    }

    private var lines: [String] {
        let (text, columns) = (text(), max(10, context.textColumns - 3))
        if wrapped.text != text || wrapped.columns != columns {
            let lines = TextColumns.wrapped(text, columns).drop { $0.isEmpty }
            wrapped = (text, columns, Array(lines))
        }
        return wrapped.lines
    }

    var rowCount: Int { lines.count }
    var header: String? { lines.isEmpty ? nil : title }
    func fill(_ row: inout TableRow, at index: Int) {
        let lines = lines
        if lines.indices.contains(index) { row.title = lines[index] }
    }
}
