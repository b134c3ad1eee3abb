internal import CommandLineTool
internal import PodcastModel

/// A section of a list screen. A subclass says what its rows are; what it does not override has defaults.
class ListSection: TableSection {
    var rowCount: Int { 0 }
    func fill(_ row: inout TableRow, at index: Int) {}
    func style(at index: Int) -> TableRow.Style { .plain }
    var header: String? { nil }
    var footer: String? { nil }

    /// Whether rows show how they can be edited, and a row for something new ends the section.
    var isEditing = false
    /// What makes something new; nil if the section takes no new rows.
    var insertion: (title: String, open: () -> Void)?
    func editingStyle(at index: Int) -> EditingStyle { .none }
    /// Why a row cannot be deleted; nil if there is nothing to say about it.
    func deletionRefusal(at index: Int) -> String? { nil }
    /// Whether enter in edit mode opens a form with the values of a row.
    var canEdit: Bool { false }
    func canMove(at index: Int) -> Bool { false }

    func select(at index: Int) {}
    func delete(at index: Int) {}
    func move(_ index: Int, to target: Int) {}

    func subject(at index: Int) -> Subject? { nil }
    /// What stays the same while the list changes; nil while a row is not known yet.
    func identity(at index: Int) -> Int64? { nil }
    func index(of identity: Int64, near index: Int) -> Int? {
        if index < rowCount, self.identity(at: index) == identity { return index }
        return (0..<rowCount).first { self.identity(at: $0) == identity }
    }
    /// Shows only rows that contain the text; nil for all.
    func search(_ text: String?) {}
    /// Shows all rows again. Returns the new index of a row; nil if `onReturn` gets it, or the row is gone.
    func endSearch(at index: Int) -> Int? {
        search(nil)
        return index
    }
    var onReturn: (Int) -> Void = { _ in }
    /// Reverses the order of the rows. Returns false if they have only one order.
    func reverse() -> Bool { false }
    /// Rows, also those that are not here yet.
    var total: Int { rowCount }
    /// Whether there are no more rows than `total`.
    var isTotalExact: Bool { true }
    /// Whether rows have come from where the section gets them.
    var isLoaded: Bool { true }
    func update() {}
}

/// A section over rows that are in memory. It keeps no rows: it asks for them, and for which of them a search matches.
final class RowSection<Row>: ListSection {
    private let rows: () -> [Row]
    private let content: (Row, inout TableRow) -> Void
    private let rowStyle: () -> TableRow.Style
    /// The words of a search, which must all occur in a row.
    private var words: [Substring] = []
    private var matches: [Int]?

    /// Shown if there are rows.
    var heading: String?
    var footing: (() -> String?)?
    /// Additional text of a row that a filter matches.
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
        let place = place(of: index)
        return rows.indices.contains(place) ? rows[place] : nil
    }

    /// The index among all rows; -1 for none.
    private func place(of index: Int) -> Int {
        matches.map { $0.indices.contains(index) ? $0[index] : -1 } ?? index
    }

    private var ownCount: Int { matches?.count ?? rows().count }
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
        guard let row = row(index) else { return insertion?.open() ?? () }
        (isEditing ? onEdit ?? onSelect : onSelect)?(row)
    }
    override func deletionRefusal(at index: Int) -> String? { row(index).flatMap(refusal) }
    override func delete(at index: Int) { if let row = row(index) { onDelete?(row) } }
    override func move(_ index: Int, to target: Int) { onMove?(index, target) }
    override func subject(at index: Int) -> Subject? { row(index).flatMap(subject) }
    override func identity(at index: Int) -> Int64? { row(index).flatMap { row in id.map { $0(row) } } }

    override func endSearch(at index: Int) -> Int? {
        defer { search(nil) }
        return row(index).map { _ in place(of: index) }
    }

    override func search(_ text: String?) {
        words = (text ?? "").lowercased().split(separator: " ")
        update()
    }

    override func update() {
        if words.isEmpty { return matches = nil }
        matches = rows().enumerated().filter { row in
            var read = TableRow(style: rowStyle())
            content(row.element, &read)
            let shown = ([read.title, read.detail, read.subtitle, text(row.element)] + read.cells.map(\.text))
                .joinedText(" ").lowercased()
            return words.allSatisfy { shown.contains($0) }
        }.map(\.offset)
    }
}

typealias TextLine = (text: String, paragraph: String)

extension RowSection where Row == TextLine {
    /// Lines of text, wrapped to the screen's width; selecting one opens the addresses of its paragraph.
    /// - Parameter seek: gets the time that a line names, such as `[1:02:03]`, before any address is opened.
    static func text(
        _ title: String?, _ context: ScreenContext, seek: @escaping (MediaTime) -> Void, _ text: @escaping () -> String
    ) -> RowSection {
        var wrapped: (text: String, columns: Int, lines: [TextLine]) = ("", 0, [])
        let lines = {
            let text = text()
            let columns = max(10, context.textColumns - 3)
            if wrapped.text != text || wrapped.columns != columns {
                let lines = text.fields(separatedBy: "\n").flatMap { paragraph in
                    TextLayout.wrapped(String(paragraph), width: columns, breaksWords: true)
                        .map { (text: $0, paragraph: String(paragraph)) }
                }
                wrapped = (text, columns, Array(lines.drop { $0.text.isEmpty }))
            }
            return wrapped.lines
        }
        let section = RowSection(.plain, lines) { $1.title = $0.text }
        section.heading = title
        section.text = { $0.paragraph }
        section.onSelect = { line in
            let times = line.text.split { !$0.isWholeNumber && $0 != ":" }.filter { $0.contains(":") }
            if let time = times.lazy.compactMap({ MediaTime(parsing: String($0)) }).first { return seek(time) }
            context.openLink(WebLinks.all(in: line.paragraph, of: wrapped.text))
        }
        return section
    }
}
