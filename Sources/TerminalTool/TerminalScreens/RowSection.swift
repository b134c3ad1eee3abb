internal import CommandLineTool

/// A section over rows that are in memory. It keeps no rows: it asks for them, and for which of them a search matches.
final class RowSection<Row>: ListSection {
    private let rows: () -> [Row]
    private let content: (Row, inout TableRow) -> Void
    private let rowStyle: () -> TableRow.Style
    private var search: RowSearch?
    private var matches: [Int]?

    /// Shown if there are rows.
    var heading: String?
    var footing: (() -> String?)?
    var text: (Row) -> String = { _ in "" }
    var id: ((Row) -> Int64)?
    var subject: (Row) -> Subject? = { _ in nil }
    var onSelect: ((Row) -> Void)?
    /// Opens a form with the values of a row.
    var onEdit: ((Row) -> Void)?
    var onDelete: ((Row) -> Void)?
    /// Why a row cannot be deleted; nil if it can.
    var refusal: (Row) -> String? = { _ in nil }
    /// Whether a row opens a screen about itself.
    var leadsFurther = false
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

    private var ownCount: Int { matches?.count ?? rows().count }
    override var wholeTotal: Int? { rows().count }
    private func isInsertion(_ index: Int) -> Bool { isEditing && insertion != nil && index == ownCount }
    override var rowCount: Int { ownCount + (isEditing && insertion != nil ? 1 : 0) }
    override func style(at index: Int) -> TableRow.Style { isInsertion(index) ? .plain : rowStyle() }
    override func fill(_ row: inout TableRow, at index: Int) {
        if isInsertion(index) { row.title = insertion?.title ?? "" }
        guard let value = self.row(index) else { return }
        row.leadsFurther = leadsFurther
        content(value, &row)
    }
    override var header: String? { rowCount == 0 ? nil : heading }
    override var footer: String? { footing?() }
    override func editingStyle(at index: Int) -> EditingStyle {
        if isInsertion(index) { return .insert }
        guard onDelete != nil, let row = row(index) else { return .none }
        return refusal(row) == nil ? .delete : .none
    }
    // A filtered list shows only some rows, so a row has no place to move to.
    override func canMove(at index: Int) -> Bool { onMove != nil && matches == nil && !isInsertion(index) }
    override var canEdit: Bool { onEdit != nil }
    override func select(at index: Int) {
        guard let row = row(index) else { return insert(at: index) }
        (isEditing ? onEdit ?? onSelect : onSelect)?(row)
    }
    override func insert(at index: Int) { if isInsertion(index) { insertion?.open() } }
    override func deletionRefusal(at index: Int) -> String? { row(index).flatMap(refusal) }
    override func delete(at index: Int) { if let row = row(index) { onDelete?(row) } }
    override func move(_ index: Int, to target: Int) { onMove?(index, target) }
    override func subject(at index: Int) -> Subject? { row(index).flatMap(subject) }
    override func identity(at index: Int) -> Int64? { row(index).flatMap { row in id.map { $0(row) } } }

    override func search(_ text: String?) {
        search = RowSearch(text)
        update()
    }

    override func update() {
        matches = search.map { search in
            rows().enumerated().filter { search.matches(text($0.element)) }.map(\.offset)
        }
    }
}

/// The words of a filter, which must all occur in a row.
private struct RowSearch {
    private let words: [Substring]

    /// Nil without words.
    init?(_ text: String?) {
        words = (text ?? "").lowercased().split(separator: " ")
        if words.isEmpty { return nil }
    }

    func matches(_ text: String) -> Bool {
        let text = text.lowercased()
        return words.allSatisfy { text.contains($0) }
    }
}

extension RowSection where Row == TextLine {
    /// Lines of text, wrapped to the screen's width; selecting one opens the addresses of its paragraph.
    static func text(_ title: String?, _ context: ScreenContext, _ text: @escaping () -> String) -> RowSection {
        var wrapped: (text: String, columns: Int, lines: [TextLine]) = ("", 0, [])
        let lines = {
            let (text, columns) = (text(), max(10, context.textColumns - 3))
            if wrapped.text != text || wrapped.columns != columns {
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
                    TextLayout.wrapped(String(paragraph), width: columns, breaksWords: true)
                        .map { TextLine(text: $0, paragraph: String(paragraph)) }
                }
                wrapped = (text, columns, Array(lines.drop { $0.text.isEmpty }))
            }
            return wrapped.lines
        }
        let section = RowSection(.plain, lines) { $1.title = $0.text }
        section.heading = title
        section.text = { $0.paragraph }
        section.onSelect = { context.openLink(WebLinks.all(in: $0.paragraph, of: wrapped.text)) }
        return section
    }
}

struct TextLine {
    var text: String
    var paragraph: String
}
