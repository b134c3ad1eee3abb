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
        /// Takes the default again.
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

    public private(set) var sections: [FormSection]
    public private(set) var mode = Mode.choosing
    /// Values that were changed and not saved, by key.
    private var drafts: [String: String] = [:]
    /// Why the daemon did not take a value, by key.
    private var faults: [String: String] = [:]
    private var table = TableView()

    public init(_ sections: [FormSection]) { self.sections = sections }

    public var isChanged: Bool { !drafts.isEmpty }

    /// The field under the cursor.
    public var field: FormField? {
        guard let path = table.cursor, sections.indices.contains(path.section),
            sections[path.section].fields.indices.contains(path.row)
        else { return nil }
        return sections[path.section].fields[path.row]
    }

    /// The value that a field shows.
    public func value(of field: FormField) -> String { drafts[field.key] ?? field.value }

    /// What is wrong with a field's value.
    public func problem(of field: FormField) -> String? {
        drafts[field.key].flatMap { field.problem($0) } ?? faults[field.key]
    }

    /// Takes the values that hold now; what was changed here and not saved stays.
    public mutating func update(_ sections: [FormSection]) {
        self.sections = sections
        table.apply([.reload], rows)
    }

    /// Notes that the daemon took a value, or why not.
    public mutating func noteSaved(_ key: String, fault: String?) {
        faults[key] = fault
        if fault == nil { drafts[key] = nil }
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
        case .up: move(.up)
        case .down: move(.down)
        case .pageUp: move(.pageUp)
        case .pageDown: move(.pageDown)
        case .first: move(.first)
        case .last: move(.last)
        case .press(let line): move(.press(line: line))
        case .edit: return edit { field, value in field.stepped(value, 1) }
        case .stepForward: return step(1)
        case .stepBack: return step(-1)
        case .reset:
            guard let field else { return [] }
            guard field.isEditable else { return [.refuse(field.key)] }
            set(field, field.defaultValue)
        case .save:
            let changes = sections.flatMap(\.fields).compactMap { field in
                drafts[field.key].map { Change(key: field.key, value: $0) }
            }
            if let wrong = sections.flatMap(\.fields).first(where: { drafts[$0.key].flatMap($0.problem) != nil }) {
                show(wrong)
                return [.refuse(wrong.key)]
            }
            return changes.isEmpty ? [.close] : [.save(changes)]
        case .cancel: return [.close]
        case .key: break
        }
        return []
    }

    private mutating func move(_ event: TableEvent) { _ = table.handle(event, rows) }

    private mutating func show(_ field: FormField) {
        for (section, content) in sections.enumerated() {
            if let row = content.fields.firstIndex(where: { $0.key == field.key }) {
                table.moveCursor(to: IndexPath(section, row), rows)
            }
        }
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
        faults[field.key] = nil
        drafts[field.key] = value == field.value ? nil : value
    }

    // MARK: drawing

    private var rows: FormRows { FormRows(form: self) }

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

/// A form's fields as rows.
private struct FormRows: TableDataSource {
    var form: Form

    /// Columns before the values, in a window of that many columns.
    static func labelColumns(_ columns: Int) -> Int { min(36, columns / 2) }

    var sectionCount: Int { form.sections.count }
    func rowCount(in section: Int) -> Int { form.sections[section].fields.count }
    func header(of section: Int) -> String? {
        form.sections[section].title.isEmpty ? nil : form.sections[section].title
    }
    func style(at path: IndexPath) -> TableRow.Style { .plain }
    func fill(_ row: inout TableRow, at path: IndexPath) {
        let field = form.sections[path.section].fields[path.row]
        let value = form.value(of: field)
        row.title = field.label
        row.detail =
            switch field.kind {
            case .flag: value == "yes" ? "[x]" : "[ ]"
            case .secret: value.isEmpty ? "" : "********"
            case .choice: "< \(value) >"
            case .text, .integer, .number, .duration: value
            }
        if value != field.value { row.detail += " *" }
        if let problem = form.problem(of: field) {
            row.detail += "  (\(problem))"
            row.hasFailed = true
        }
        row.isDimmed = !field.isEditable
    }
}
