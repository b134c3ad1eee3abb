internal import CommandLineTool
internal import PodcastModel

/// A form that is made from declarations. What is typed goes into the field under the cursor.
struct Form {
    enum Action: Equatable {
        /// Values by key, in the order of the fields.
        case save([Change])
        /// Leave the form, which may have unsaved changes.
        case cancel
        /// The value cannot be changed here, or is not valid.
        case refuse(FormField)
        /// The key means nothing in a form.
        case unused
    }

    struct Change: Equatable {
        var key: String
        var value: String
    }

    private var table: TableView<FormSection>
    /// The text of the field under the cursor; nil if its value is not typed.
    private var text: TextField?

    init(_ sections: [FormSection]) {
        table = TableView(sections: sections)
        table.reload()
        beginTyping()
    }

    private var fields: [FormField] { table.sections.flatMap(\.fields) }

    private subscript(path: IndexPath) -> FormField {
        get { table.sections[path.section].fields[path.row] }
        set { table.sections[path.section].fields[path.row] = newValue }
    }

    private func path(of key: String) -> IndexPath? {
        for (index, section) in table.sections.enumerated() {
            if let row = section.fields.firstIndex(where: { $0.key == key }) { return IndexPath(index, row) }
        }
        return nil
    }

    var isChanged: Bool { fields.contains { $0.draft != nil } }

    var field: FormField? { table.cursor.map { self[$0] } }

    /// Replaces the current values; unsaved changes stay.
    mutating func update(_ sections: [FormSection]) {
        let former = (field?.key, field?.current)
        let changed = fields
        table.sections = sections
        for field in changed {
            guard let path = path(of: field.key) else { continue }
            self[path].draft = field.draft
            self[path].fault = field.fault
        }
        table.reload()
        if former != (field?.key, field?.current) { beginTyping() }
    }

    /// Records that the daemon accepted a value, or why it did not. Keys that follow change the accepted value.
    mutating func noteSaved(_ key: String, fault: String?) {
        guard let path = path(of: key) else { return }
        self[path].fault = fault
        if fault == nil, let value = self[path].draft.take() { self[path].value = value }
    }

    mutating func change(_ key: String, to value: String) {
        guard let path = path(of: key) else { return }
        set(path, value)
        if path == table.cursor { beginTyping() }
    }

    /// Takes a key. Returns what the screen must do; nil for nothing.
    mutating func handle(_ key: Key) -> Action? {
        let action = handleCommand(key)
        guard action == .unused else { return action }
        guard var text else {
            // A letter on a checkbox or a choice.
            return key.typed == nil ? .unused : field.flatMap { $0.isEditable ? nil : .refuse($0) }
        }
        let outcome = text.handle(key)
        self.text = text
        if outcome == .changed, let path = table.cursor { set(path, text.text) }
        if case .named = key.code, !key.hasAlt { return nil }
        return outcome == .changed || key.typed != nil ? nil : .unused
    }

    /// Takes a key that does not edit text.
    private mutating func handleCommand(_ key: Key) -> Action? {
        if key.hasControl, case .character(let character) = key.code {
            switch character {
            case "S": return save()
            case "C", "G": return .cancel
            case "D": return change(\.defaultValue)
            default: return .unused
            }
        }
        guard !key.hasControl, !key.hasAlt, case .named(let name) = key.code else { return .unused }
        switch name {
        case .up: move(.up)
        case .down: move(.down)
        case .pageUp: move(.pageUp)
        case .pageDown: move(.pageDown)
        case .tab: moveToField(1)
        case .backTab: moveToField(-1)
        case .enter: return moveToField(1) ? nil : save()
        case .escape: return .cancel
        case .left: return step(-1)
        case .right: return step(1)
        case .space where text == nil: return step(1)
        case .backspace where text == nil, .delete where text == nil: return change(\.defaultValue)
        case .home where text == nil: move(.first)
        case .end where text == nil: move(.last)
        case .space, .backspace, .delete, .insert, .home, .end: return .unused
        }
        return nil
    }

    /// Takes pasted text: line breaks become spaces, so that addresses stay apart.
    mutating func paste(_ pasted: String) -> Action? {
        guard let path = table.cursor else { return nil }
        guard text != nil else { return .refuse(self[path]) }
        text?.paste(pasted)
        set(path, text?.text ?? "")
        return nil
    }

    /// A button was pressed on a line of the window, from 0: the second press on a field without text changes its value.
    mutating func press(line: Int) -> Action? {
        guard table.handle(.press(line: line)) == nil else { return text == nil ? step(1) : nil }
        beginTyping()
        return nil
    }

    mutating func move(_ event: TableEvent) {
        table.handle(event)
        beginTyping()
    }

    private mutating func moveCursor(to path: IndexPath) {
        table.moveCursor(to: path)
        beginTyping()
    }

    private mutating func beginTyping() {
        guard let field, field.isTyped, field.isEditable else { return text = nil }
        // A secret that is stored is not shown, so it can only be replaced.
        text = TextField(field.kind.syntax == .secret ? field.draft ?? "" : field.current)
    }

    /// Moves to the next field that can be edited, or the one before. Returns false if there is none.
    @discardableResult
    private mutating func moveToField(_ step: Int) -> Bool {
        var path = table.cursor
        repeat { path = path.flatMap { table.row(step, from: $0) } } while path.map { self[$0].isEditable } == false
        guard let path else { return false }
        moveCursor(to: path)
        return true
    }

    /// Returns the changed values. If a value is invalid, moves the cursor to its field instead.
    private mutating func save() -> Action {
        let changed = fields.filter { $0.draft != nil }
        if let invalid = changed.first(where: { $0.objection != nil }), let path = path(of: invalid.key) {
            moveCursor(to: path)
            return .refuse(invalid)
        }
        return changed.isEmpty ? .cancel : .save(changed.map { Change(key: $0.key, value: $0.current) })
    }

    /// Takes the next value, if the field has steps.
    private mutating func step(_ step: Int) -> Action? { change { $0.stepped(step) } }

    private mutating func change(_ value: (FormField) -> String?) -> Action? {
        guard let path = table.cursor else { return nil }
        guard self[path].isEditable else { return .refuse(self[path]) }
        guard let value = value(self[path]) else { return .unused }
        set(path, value)
        beginTyping()
        return nil
    }

    private mutating func set(_ path: IndexPath, _ value: String) {
        self[path].fault = nil
        self[path].draft = value == self[path].value ? nil : value
    }

    // MARK: drawing

    mutating func layOut(lines: Int) { table.layOut(lines: lines) }

    /// Draws labels and values, with the text cursor in the field under the cursor.
    func draw(on canvas: inout Canvas, line: Int, glyphs: Glyphs) {
        table.draw(on: &canvas, line: line, glyphs: glyphs)
        let start = min(36, canvas.size.columns / 2)
        for (path, place) in table.visible where table.isRow(path) {
            let field = self[path]
            let isSelected = path == table.cursor
            let line = line + place
            let problem = field.problem
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
            var shown = field.shown(field.current)
            if field.draft != nil { shown += " *" }
            if let problem { shown += "  (\(problem))" }
            canvas.put(shown, column: start, line: line, role: role, isSelected: isSelected, fills: true)
        }
    }
}
