internal import CommandLineTool
internal import ControlLanguage

protocol Screen: AnyObject {
    var title: String { get }
    /// Where in a long list the cursor is; nil if all is on the screen.
    var place: String? { get }
    /// Whether keys are text here, as far as `handle(text:)` takes them.
    var takesText: Bool { get }
    /// Asks for what it shows, when it is first shown and after a connection was lost.
    func load()
    /// Takes what has changed in the model.
    func update(_ parts: StatusParts)
    func draw(on canvas: inout Canvas, lines: Range<Int>)
    /// - Returns: whether the action means something here.
    func handle(_ effect: TerminalAction.Effect) -> Bool
    /// - Returns: whether the key means something here.
    func handle(text key: Key) -> Bool
    /// Takes text that was pasted. Returns false if no field takes text.
    func paste(_ text: String) -> Bool
    func handle(pointer: PointerEvent, lines: Range<Int>)
}

extension Screen {
    var place: String? { nil }
    var takesText: Bool { false }
    func handle(text key: Key) -> Bool { false }
    func paste(_ text: String) -> Bool { false }
}

/// A screen that is a table of sections. What differs between lists is in their sections.
final class ListScreen: Screen {
    private let context: ScreenContext
    private let makeTitle: () -> String
    private var view: TableView<ListSection>
    /// The parts of the daemon's status that it shows.
    private let parts: [StatusPart]
    private let onLoad: () -> Void
    private let onUpdate: (StatusParts) -> Void
    /// Called with the rows that are visible, so that those which are not here are asked for.
    var onVisible: (ClosedRange<Int>) -> Void = { _ in }
    private let emptyText: () -> String
    /// What the line of keys names, by actions; the most important first.
    let keys: () -> [(action: String, does: String)]
    /// Whether the rows come from the daemon: without a connection they are not shown, because they may be wrong meanwhile.
    private let isOfDaemon: Bool
    private(set) var searchText: String?
    private var viewBeforeSearch: TableView<ListSection>?
    private var cursorIdentity: Int64?
    /// The rows of the section in which a row is being moved.
    private var identitiesWhileCarrying: [Int64?] = []
    /// Called before the rows are drawn, unless the list is searched or edited.
    var onFollow: () -> Void = {}
    /// Called by the key of this screen.
    var onAgain: () -> Void = {}
    /// The subject of keys if the row under the cursor has none.
    var mainSubject: () -> Subject? = { nil }
    /// Shown at the right of the rows.
    var cover: CoverArt?

    init(
        _ context: ScreenContext, title: @escaping () -> String, _ sections: [ListSection],
        keys: @escaping @autoclosure () -> [(action: String, does: String)] = [("command", "command")],
        empty: @escaping @autoclosure () -> String = "",
        parts: [StatusPart] = [], isOfDaemon: Bool = true, load: @escaping () -> Void = {},
        update: @escaping (StatusParts) -> Void = { _ in }
    ) {
        self.context = context
        self.keys = keys
        self.isOfDaemon = isOfDaemon
        self.parts = parts
        makeTitle = title
        emptyText = empty
        onLoad = load
        onUpdate = update
        view = TableView(sections: sections)
        for (index, section) in sections.enumerated() {
            section.onReturn = { [weak self] in self?.moveCursor(section: index, row: $0) }
        }
    }

    var title: String {
        let found = "\(total)\(sections.allSatisfy(\.isTotalExact) ? "" : "+") found"
        let search = searchText.map { "  filter: \($0.isEmpty ? "" : "\($0), ")\(found)" } ?? ""
        let editing = view.mode == .viewing ? "" : isCarrying ? "  [move]" : "  [edit]"
        return makeTitle() + search + editing
    }

    /// The row of the cursor among all rows, if they do not fit on the screen: `1500 of 6315`.
    var place: String? {
        guard let path = view.cursor, total > view.lines, context.isConnected || !isOfDaemon else { return nil }
        let before = sections.prefix(path.section).reduce(0) { $0 + $1.rowCount }
        return "\(before + path.row + 1) of \(total)"
    }

    private var sections: [ListSection] { view.sections }
    private var total: Int { sections.reduce(0) { $0 + $1.total } }

    func load() {
        cover?.load()
        onLoad()
    }

    func update(_ parts: StatusParts) {
        guard self.parts.contains(where: parts.contains) else { return }
        onUpdate(parts)
        reload()
    }

    /// Draws what the sections have now, with the cursor on the same row. A move of a row continues if the rows are the same.
    func reload() {
        context.needsDrawing()
        for section in sections { section.update() }
        if isCarrying, rowIdentities == identitiesWhileCarrying, !rowIdentities.contains(nil) { return }
        let former = view.cursor
        view.reload()
        if let awaited = context.awaitedRow, let row = sections[0].index(of: awaited, near: 0) {
            context.awaitedRow = nil
            moveCursor(section: 0, row: row)
        } else if let former, let cursorIdentity,
            let row = sections[former.section].index(of: cursorIdentity, near: former.row), row != former.row
        {
            view.moveCursor(to: IndexPath(former.section, row))
        }
        showEditing()
    }

    /// Puts the cursor on a row, such as the one that plays.
    func moveCursor(section: Int, row: Int) {
        view.moveCursor(to: IndexPath(section, row))
        rememberCursor()
    }

    var cursor: IndexPath? { view.cursor }
    private var cursorRow: (section: ListSection, index: Int)? { view.cursor.map { (sections[$0.section], $0.row) } }
    var isEditing: Bool { view.isEditing }
    /// Keys of the hint line: only those that have an effect here.
    var hints: [(action: String, does: String)] {
        let ofEditing = [
            ("open", "change"), ("delete", "delete"), ("carry", "move"), ("new", "new"), ("edit", "done"),
        ]
        return (isEditing ? ofEditing : keys()).filter { action, _ in
            switch TerminalAction.named(action)?.effect {
            case .row, .question: subject != nil
            case .table(.select): cursorRow.map { !isEditing || $0.section.canEdit && canDelete($0) } ?? false
            case .table(.delete): cursorRow.map(canDelete) ?? false
            case .table(.carry): cursorRow.map { $0.section.canMove(at: $0.index) } ?? false
            case .table(.insert): insertion != nil
            default: true
            }
        }
    }

    private func canDelete(_ row: (section: ListSection, index: Int)) -> Bool {
        row.section.editingStyle(at: row.index) == .delete
    }

    private var insertion: (title: String, open: () -> Void)? { sections.lazy.compactMap(\.insertion).first }

    var subject: Subject? { cursorRow.flatMap { $0.section.subject(at: $0.index) } ?? mainSubject() }

    // MARK: drawing

    func draw(on canvas: inout Canvas, lines: Range<Int>) {
        if searchText == nil, view.mode == .viewing { onFollow() }
        if isOfDaemon && !context.isConnected { return write(ScreenContext.notConnected, on: &canvas, lines: lines) }
        let columns = cover?.draw(on: &canvas, lines: lines) ?? canvas.size.columns
        guard columns < canvas.size.columns else { return drawRows(on: &canvas, lines: lines) }
        context.textColumns = columns
        var part = Canvas(size: Size(columns: columns, lines: canvas.size.lines))
        drawRows(on: &part, lines: lines)
        canvas.put(part)
    }

    private func drawRows(on canvas: inout Canvas, lines: Range<Int>) {
        view.layOut(lines: lines.count)
        onVisible(view.visibleRows)
        view.layOut(lines: lines.count)
        rememberCursor()
        view.draw(on: &canvas, line: lines.lowerBound, glyphs: context.glyphs)
        guard view.cursor == nil else { return }
        guard sections.allSatisfy(\.isLoaded) else { return write("Loading…", on: &canvas, lines: lines) }
        let search = searchText.flatMap { $0.isEmpty ? nil : "nothing matches \($0)" }
        write(search ?? emptyText(), on: &canvas, lines: lines)
    }

    private func write(_ text: String, on canvas: inout Canvas, lines: Range<Int>) {
        let rows = TextLayout.wrapped(text, width: max(10, canvas.size.columns - 4), breaksWords: true)
        for (line, row) in zip(lines.dropFirst(), rows) { canvas.put(row, column: 2, line: line, role: .dim) }
    }

    private func rememberCursor() {
        cursorIdentity = cursorRow.flatMap { $0.section.identity(at: $0.index) }
        identitiesWhileCarrying = isCarrying ? rowIdentities : []
    }

    private var rowIdentities: [Int64?] {
        guard let section = cursorRow?.section else { return [] }
        return (0..<section.rowCount).map(section.identity)
    }

    // MARK: keys

    func handle(_ effect: TerminalAction.Effect) -> Bool {
        switch effect {
        case .back: return goBack()
        case .filter: search()
        case .reverse: return sections.contains { $0.reverse() }
        case .table(let event):
            if event == .insert, !isCarrying, let insertion {
                insertion.open()
                return true
            }
            perform(view.handle(event))
            showEditing()
            rememberCursor()
        default: return false
        }
        return true
    }

    func handle(pointer: PointerEvent, lines: Range<Int>) {
        let line = pointer.line - lines.lowerBound
        let events: [TableEvent] =
            switch pointer.kind {
            case .press: lines.contains(pointer.line) ? [.press(line: line)] : []
            case .drag: [.drag(line: line)]
            case .release: [.release]
            case .wheelUp: [.up, .up, .up]
            case .wheelDown: [.down, .down, .down]
            }
        for event in events { perform(view.handle(event)) }
        rememberCursor()
    }

    private var isCarrying: Bool { if case .carrying = view.mode { true } else { false } }

    /// Lets the sections show, or hide, what edit mode adds to them.
    private func showEditing() {
        for section in sections { section.isEditing = view.isEditing }
        view.layOut(lines: view.lines)
    }

    private func perform(_ action: TableAction?) {
        switch action {
        case .select(let path): sections[path.section].select(at: path.row)
        case .delete(let path): sections[path.section].delete(at: path.row)
        case .move(let from, let to): sections[from.section].move(from.row, to: to.row)
        case .refuse(let refusal):
            let own = refusal == .notDeletable ? cursorRow.flatMap { $0.section.deletionRefusal(at: $0.index) } : nil
            context.say(own ?? refusal.rawValue, isError: true)
        case nil: break
        }
    }

    /// Ends carrying, edit mode and search, in this order.
    private func goBack() -> Bool {
        if view.mode != .viewing {
            perform(view.handle(.cancel))
            showEditing()
            return true
        }
        guard searchText != nil else { return false }
        endSearch()
        return true
    }

    // MARK: search

    private func search() {
        endSearch()
        viewBeforeSearch = view
        context.ask(
            Prompt(
                label: "Filter: ", field: TextField(), changed: { [weak self] in self?.show(matching: $0) },
                done: { [weak self] in if $0.isEmpty { self?.endSearch(keepsRow: false) } },
                cancelled: { [weak self] in self?.endSearch(keepsRow: false) }))
    }

    private func show(matching text: String) {
        searchText = text
        for section in sections { section.search(text) }
        view = TableView(sections: sections)
        view.reload()
    }

    /// Shows all rows again, with the cursor on the same row, or as they were before the search.
    func endSearch(keepsRow: Bool = true) {
        if searchText == nil { return }
        searchText = nil
        let kept = keepsRow ? cursorRow.flatMap { $0.section.endSearch(at: $0.index) } : nil
        let section = cursor?.section
        for section in sections { section.search(nil) }
        if let before = viewBeforeSearch.take() { view = before }
        view.reload()
        if let section, let kept { moveCursor(section: section, row: kept) }
    }
}
