internal import CommandLineTool
internal import PodcastModel

/// A form that is made from declarations. What is typed goes into the field under the cursor.
struct Form: Equatable {
    enum Action: Equatable {
        /// Values by key, in the order of the fields.
        case save([Change])
        /// Leave the form, which may have unsaved changes.
        case cancel
        /// The value cannot be changed here, or is not valid.
        case refuse(FormField)
    }

    struct Change: Equatable {
        var key: String
        var value: String
    }

    private var rows: FormRows
    private var table = TableView()
    /// The text of the field under the cursor; nil if its value is not typed.
    private var text: TextField?

    init(_ sections: [FormSection]) {
        rows = FormRows(sections: sections)
        table.reload(rows)
        beginTyping()
    }

    var isChanged: Bool { !rows.drafts.isEmpty }

    var field: FormField? { table.cursor.flatMap { rows.field(at: $0) } }

    func value(of field: FormField) -> String { rows.value(of: field) }

    func problem(of field: FormField) -> String? { rows.problem(of: field) }

    /// Replaces the current values; unsaved changes stay.
    mutating func update(_ sections: [FormSection]) {
        let former = (field?.key, field.map(value))
        rows.sections = sections
        table.reload(rows)
        if former != (field?.key, field.map(value)) { beginTyping() }
    }

    /// Records that the daemon accepted a value, or why it did not. Keys that follow change the accepted value.
    mutating func noteSaved(_ key: String, fault: String?) {
        rows.faults[key] = fault
        guard fault == nil, let value = rows.drafts.removeValue(forKey: key) else { return }
        for section in rows.sections.indices {
            for field in rows.sections[section].fields.indices where rows.sections[section].fields[field].key == key {
                rows.sections[section].fields[field].value = value
            }
        }
    }

    mutating func change(_ key: String, to value: String) {
        guard let changed = rows.sections.lazy.flatMap(\.fields).first(where: { $0.key == key }) else { return }
        set(changed, value)
        if field?.key == key { beginTyping() }
    }

    /// Takes a key. Returns nil if the key means nothing in a form.
    mutating func handle(_ key: Key) -> [Action]? {
        if let actions = handleCommand(key) { return actions }
        guard var text else {
            // A letter on a checkbox or a choice.
            return key.typed == nil ? nil : field.map { $0.isEditable ? [] : [.refuse($0)] } ?? []
        }
        let outcome = text.handle(key)
        self.text = text
        if outcome == .changed, let field { set(field, text.text) }
        if case .named = key.code, !key.hasAlt { return [] }
        return outcome == .changed || key.typed != nil ? [] : nil
    }

    /// Takes a key; nil if the key edits text.
    private mutating func handleCommand(_ key: Key) -> [Action]? {
        if key.hasControl, case .character(let character) = key.code {
            switch character {
            case "S": return save()
            case "C", "G": return [.cancel]
            case "D": return restoreDefault()
            default: return nil
            }
        }
        guard !key.hasControl, !key.hasAlt, case .named(let name) = key.code else { return nil }
        switch name {
        case .up: move(.up)
        case .down: move(.down)
        case .pageUp: move(.pageUp)
        case .pageDown: move(.pageDown)
        case .tab: moveToField(1)
        case .backTab: moveToField(-1)
        case .enter: return moveToField(1) ? [] : save()
        case .escape: return [.cancel]
        case .left: return step(-1)
        case .right: return step(1)
        case .space where text == nil: return step(1)
        case .backspace where text == nil, .delete where text == nil: return restoreDefault()
        case .home where text == nil: move(.first)
        case .end where text == nil: move(.last)
        case .space, .backspace, .delete, .insert, .home, .end: return nil
        }
        return []
    }

    /// Takes pasted text: line breaks become spaces, so that addresses stay apart.
    mutating func paste(_ pasted: String) -> [Action] {
        guard let field else { return [] }
        guard text != nil else { return [.refuse(field)] }
        text?.paste(pasted)
        set(field, text?.text ?? "")
        return []
    }

    /// A button was pressed on a line of the window, from 0: the second press on a field without text changes its value.
    mutating func press(line: Int) -> [Action] {
        let selected = table.handle(.press(line: line), rows)
        guard selected.isEmpty else { return text == nil ? step(1) ?? [] : [] }
        beginTyping()
        return []
    }

    mutating func move(_ event: TableEvent) {
        _ = table.handle(event, rows)
        beginTyping()
    }

    private mutating func beginTyping() {
        guard let field, field.isTyped, field.isEditable else { return text = nil }
        // A secret that is stored is not shown, so it can only be replaced.
        let shown = field.kind.syntax == .secret ? rows.drafts[field.key] ?? "" : rows.value(of: field)
        text = TextField(shown)
    }

    /// Moves to the next field that can be edited, or the one before. Returns false if there is none.
    @discardableResult
    private mutating func moveToField(_ step: Int) -> Bool {
        var path = table.cursor
        repeat { path = path.flatMap { table.row(step, from: $0, rows) } } while path.map(isEditable) == false
        guard let path else { return false }
        table.moveCursor(to: path, rows)
        beginTyping()
        return true
    }

    private func isEditable(_ path: IndexPath) -> Bool { rows.field(at: path)?.isEditable ?? false }

    /// Returns the changed values. If a value is invalid, moves the cursor to its field instead.
    private mutating func save() -> [Action] {
        var changes: [Change] = []
        for (section, content) in rows.sections.enumerated() {
            for (row, field) in content.fields.enumerated() {
                guard let draft = rows.drafts[field.key] else { continue }
                if field.problem(draft) != nil {
                    table.moveCursor(to: IndexPath(section, row), rows)
                    beginTyping()
                    return [.refuse(field)]
                }
                changes.append(Change(key: field.key, value: draft))
            }
        }
        return [changes.isEmpty ? .cancel : .save(changes)]
    }

    /// Takes the next value; nil if the field has no steps.
    private mutating func step(_ step: Int) -> [Action]? {
        change { [rows] field in field.stepped(rows.value(of: field), step) }
    }

    private mutating func restoreDefault() -> [Action]? { change { $0.defaultValue } }

    private mutating func change(_ value: (FormField) -> String?) -> [Action]? {
        guard let field else { return [] }
        guard field.isEditable else { return [.refuse(field)] }
        guard let value = value(field) else { return nil }
        set(field, value)
        beginTyping()
        return []
    }

    private mutating func set(_ field: FormField, _ value: String) {
        rows.faults[field.key] = nil
        rows.drafts[field.key] = value == field.value ? nil : value
    }

    // MARK: drawing

    mutating func layOut(lines: Int) { table.layOut(lines: lines, rows) }

    /// Draws labels and values, with the text cursor in the field under the cursor.
    func draw(on canvas: inout Canvas, line: Int, glyphs: Glyphs) {
        table.draw(on: &canvas, line: line, rows, glyphs: glyphs)
        let start = min(36, canvas.size.columns / 2)
        for (path, place) in table.visible(rows) {
            guard let field = rows.field(at: path) else { continue }
            let isSelected = path == table.cursor
            let line = line + place
            let problem = rows.problem(of: field)
            let role: Role = problem != nil ? .error : field.isEditable ? .normal : .dim
            let width = canvas.size.columns - start
            if isSelected, let text {
                canvas.put("", column: start, line: line, fills: true)
                let hidesText = field.kind.syntax == .secret
                text.draw(on: &canvas, column: start, line: line, width: width, hidesText: hidesText)
                let used = hidesText ? text.characters.count : TextLayout.width(of: text.text)
                let inherited = text.characters.isEmpty ? field.shown("") : field.unit(after: text.text)
                canvas.put(
                    "  " + (problem.map { "(\($0))" } ?? inherited), column: start + used, line: line,
                    role: problem == nil ? .dim : .error)
                continue
            }
            var shown = field.shown(rows.value(of: field))
            if rows.drafts[field.key] != nil { shown += " *" }
            if let problem { shown += "  (\(problem))" }
            canvas.put(shown, column: start, line: line, role: role, isSelected: isSelected, fills: true)
        }
    }
}

/// A form's fields as rows, with the typed values.
private struct FormRows: TableDataSource, Equatable {
    var sections: [FormSection]
    /// Values that were changed and not saved, by key.
    var drafts: [String: String] = [:]
    /// Why the daemon refused a value, by key.
    var faults: [String: String] = [:]

    func field(at path: IndexPath) -> FormField? {
        guard sections.indices.contains(path.section), sections[path.section].fields.indices.contains(path.row) else {
            return nil
        }
        return sections[path.section].fields[path.row]
    }
    func value(of field: FormField) -> String { drafts[field.key] ?? field.value }
    func problem(of field: FormField) -> String? {
        drafts[field.key].flatMap { field.problem($0) } ?? faults[field.key]
    }

    var sectionCount: Int { sections.count }
    func rowCount(in section: Int) -> Int { sections[section].fields.count }
    func header(of section: Int) -> String? { sections[section].title.nonEmpty }
    func style(at path: IndexPath) -> TableRow.Style { .plain }
    func fill(_ row: inout TableRow, at path: IndexPath) {
        let field = sections[path.section].fields[path.row]
        row.title = field.label
        row.hasFailed = problem(of: field) != nil
        row.isDimmed = !field.isEditable
    }
}
