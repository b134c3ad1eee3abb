/// A form that is made from declarations: a cursor on fields, one of which may be edited, and the values that were changed.
public struct Form: Equatable, Sendable {
    public enum Mode: Equatable, Sendable {
        case choosing
        /// A value is typed.
        case typing(TextField)
    }

    public enum Event: Equatable, Sendable {
        case up
        case down
        case pageUp
        case pageDown
        case first
        case last
        /// Edits the value: a flag changes at once.
        case edit
        case stepForward
        case stepBack
        /// Restores the default.
        case reset
        case save
        case cancel
        case press(line: Int)
        /// A key while a value is typed.
        case key(Key)
    }

    public enum Action: Equatable, Sendable {
        /// Values by key, in the order of the fields.
        case save([Change])
        case close
        /// The value cannot be changed here.
        case refuse(String)
    }

    public struct Change: Equatable, Sendable {
        public var key: String
        public var value: String

        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    public private(set) var mode = Mode.choosing
    private var rows: FormRows
    private var table = TableView()

    public init(_ sections: [FormSection]) { rows = FormRows(sections: sections) }

    public var isChanged: Bool { !rows.drafts.isEmpty }

    /// The field under the cursor.
    public var field: FormField? {
        guard let path = table.cursor, rows.sections.indices.contains(path.section),
            rows.sections[path.section].fields.indices.contains(path.row)
        else { return nil }
        return rows.sections[path.section].fields[path.row]
    }

    /// The value that a field shows.
    public func value(of field: FormField) -> String { rows.value(of: field) }

    /// What is wrong with a field's value.
    public func problem(of field: FormField) -> String? { rows.problem(of: field) }

    /// Replaces the current values; unsaved changes stay.
    public mutating func update(_ sections: [FormSection]) {
        rows.sections = sections
        table.apply([.reload], rows)
    }

    /// Records that the daemon accepted a value, or why it refused it.
    public mutating func noteSaved(_ key: String, fault: String?) {
        rows.faults[key] = fault
        if fault == nil { rows.drafts[key] = nil }
    }

    public mutating func handle(_ event: Event) -> [Action] {
        switch mode {
        case .choosing: return handleChoosing(event)
        case .typing(var text):
            guard let field, case .key(let key) = event else { return [] }
            switch text.handle(key) {
            case .changed, .unused: mode = .typing(text)
            case .cancelled: mode = .choosing
            case .done:
                mode = .choosing
                set(field, text.text)
            }
            return []
        }
    }

    private mutating func handleChoosing(_ event: Event) -> [Action] {
        switch event {
        case .up, .down, .pageUp, .pageDown, .first, .last, .press: move(event)
        case .edit: return edit { field, value in field.stepped(value, 1) }
        case .stepForward: return step(1)
        case .stepBack: return step(-1)
        case .reset:
            guard let field else { return [] }
            guard field.isEditable else { return [.refuse(field.key)] }
            set(field, field.defaultValue)
        case .save: return save()
        case .cancel: return [.close]
        case .key: break
        }
        return []
    }

    // Not inlined: Swift 6.3.1 ends with an internal error when it optimizes the two functions as one.
    @inline(never)
    private mutating func move(_ event: Event) {
        guard let event = event.tableEvent else { return }
        _ = table.handle(event, rows)
    }

    /// Returns the changed values. If one is invalid, moves the cursor to it instead.
    private mutating func save() -> [Action] {
        var changes: [Change] = []
        for (section, content) in rows.sections.enumerated() {
            for (row, field) in content.fields.enumerated() {
                guard let draft = rows.drafts[field.key] else { continue }
                if field.problem(draft) != nil {
                    table.moveCursor(to: IndexPath(section, row), rows)
                    return [.refuse(field.key)]
                }
                changes.append(Change(key: field.key, value: draft))
            }
        }
        return changes.isEmpty ? [.close] : [.save(changes)]
    }

    private mutating func edit(_ next: (FormField, String) -> String?) -> [Action] {
        guard let field else { return [] }
        guard field.isEditable else { return [.refuse(field.key)] }
        switch field.kind {
        case .flag, .choice: if let value = next(field, value(of: field)) { set(field, value) }
        case .text, .secret, .integer, .number, .duration: mode = .typing(TextField(value(of: field)))
        }
        return []
    }

    private mutating func step(_ step: Int) -> [Action] {
        guard let field else { return [] }
        guard field.isEditable else { return [.refuse(field.key)] }
        if let value = field.stepped(value(of: field), step) { set(field, value) }
        return []
    }

    private mutating func set(_ field: FormField, _ value: String) {
        rows.faults[field.key] = nil
        rows.drafts[field.key] = value == field.value ? nil : value
    }

    // MARK: drawing

    public mutating func layOut(lines: Int) { table.layOut(lines: lines, rows) }

    /// Draws the fields, and under them the help of the one under the cursor.
    public func draw(on canvas: inout Canvas, line: Int, glyphs: Glyphs, reusing row: inout TableRow) {
        table.draw(on: &canvas, line: line, rows, glyphs: glyphs, reusing: &row)
        guard case .typing(let text) = mode, let field, let cursor = table.cursor,
            let place = table.visible(rows).first(where: { $0.element == .row(cursor) })
        else { return }
        let start = min(FormRows.labelColumns(canvas.size.columns), canvas.size.columns)
        canvas.put("", column: start, line: line + place.line, fills: true)
        text.draw(
            on: &canvas, column: start, line: line + place.line, width: canvas.size.columns - start,
            hidesText: field.kind == .secret)
    }
}

extension Form.Event {
    /// What it means for the table of fields.
    fileprivate var tableEvent: TableEvent? {
        switch self {
        case .up: .up
        case .down: .down
        case .pageUp: .pageUp
        case .pageDown: .pageDown
        case .first: .first
        case .last: .last
        case .press(let line): .press(line: line)
        case .edit, .stepForward, .stepBack, .reset, .save, .cancel, .key: nil
        }
    }
}

/// A form's fields as rows, with what was typed into them.
private struct FormRows: TableDataSource, Equatable, Sendable {
    var sections: [FormSection]
    /// Values that were changed and not saved, by key.
    var drafts: [String: String] = [:]
    /// Why the daemon refused a value, by key.
    var faults: [String: String] = [:]

    /// Columns before the values, in a window of that many columns.
    static func labelColumns(_ columns: Int) -> Int { min(36, columns / 2) }

    func value(of field: FormField) -> String { drafts[field.key] ?? field.value }
    func problem(of field: FormField) -> String? {
        drafts[field.key].flatMap { field.problem($0) } ?? faults[field.key]
    }

    var sectionCount: Int { sections.count }
    func rowCount(in section: Int) -> Int { sections[section].fields.count }
    func header(of section: Int) -> String? { sections[section].title.isEmpty ? nil : sections[section].title }
    func style(at path: IndexPath) -> TableRow.Style { .plain }
    func fill(_ row: inout TableRow, at path: IndexPath) {
        let field = sections[path.section].fields[path.row]
        let value = value(of: field)
        row.title = field.label
        row.detail =
            switch field.kind {
            case .flag: value == "yes" ? "[x]" : "[ ]"
            case .secret: value.isEmpty ? "" : "********"
            case .choice: "< \(value) >"
            case .text, .integer, .number, .duration: value
            }
        if value != field.value { row.detail += " *" }
        if let problem = problem(of: field) {
            row.detail += "  (\(problem))"
            row.hasFailed = true
        }
        row.isDimmed = !field.isEditable
    }
}
