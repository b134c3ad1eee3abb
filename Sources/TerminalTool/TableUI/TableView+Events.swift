enum TableEvent: Equatable {
    case up, down, pageUp, pageDown, first, last, select
    /// Begins and ends edit mode.
    case toggleEditing
    case delete, insert
    /// Picks the row up, or puts it down.
    case carry
    /// Ends moving a row, else edit mode.
    case cancel
    /// A button was pressed on a line of the window, from 0.
    case press(line: Int)
    case drag(line: Int)
    case release
}

extension TableView {
    /// Takes an event. Returns what the delegate must do. The delegate changes the model first and then calls `reload`.
    @discardableResult
    mutating func handle(_ event: TableEvent) -> TableAction? {
        switch mode {
        case .viewing, .editing: handleAtRest(event)
        case .carrying(let from, let target, let byPointer):
            handle(event, carrying: from, to: target, byPointer: byPointer)
        }
    }

    mutating func moveCursor(to path: IndexPath) {
        cursor = path
        adjust()
    }

    private mutating func handleAtRest(_ event: TableEvent) -> TableAction? {
        switch event {
        case .up: moveCursor(-1)
        case .down: moveCursor(1)
        case .pageUp: page(-1)
        case .pageDown: page(1)
        case .first:
            cursor = firstRow
            top = firstElement
            adjust()
        case .last:
            cursor = lastRow
            adjust()
        case .select: return cursor.map { .select($0) }
        case .toggleEditing: mode = mode == .editing ? .viewing : .editing
        case .delete:
            guard let cursor else { return nil }
            return editingStyle(cursor) == .delete ? .delete(cursor) : .refuse(.notDeletable)
        case .insert: return .refuse(.notInsertable)
        case .carry:
            guard let cursor else { return nil }
            guard canMove(cursor) else { return .refuse(.notMovable) }
            mode = .carrying(cursor, cursor, byPointer: false)
        case .cancel: mode = .viewing
        case .press(let line):
            guard let path = row(onLine: line) else { return nil }
            if path == cursor && mode == .viewing { return .select(path) }
            cursor = path
        case .drag(let line):
            guard let cursor, let path = row(onLine: line), path != cursor else { return nil }
            guard canMove(cursor) else { return .refuse(.notMovable) }
            mode = .carrying(cursor, cursor, byPointer: true)
            return handle(event)
        case .release: break
        }
        return nil
    }

    private mutating func handle(
        _ event: TableEvent, carrying from: IndexPath, to target: IndexPath, byPointer: Bool
    ) -> TableAction? {
        let section = target.section
        let next: IndexPath?
        switch event {
        case .up: next = row(-1, from: target)
        case .down: next = row(1, from: target)
        case .pageUp: next = IndexPath(section, max(0, target.row - lines))
        case .pageDown: next = IndexPath(section, min(lastMovable(in: section), target.row + lines))
        case .first: next = IndexPath(section, 0)
        case .last: next = IndexPath(section, lastMovable(in: section))
        case .drag(let line): next = row(onLine: min(max(0, line), lines - 1))
        case .carry, .select, .release, .cancel:
            mode = byPointer ? .viewing : .editing
            cursor = from
            adjust()
            return event == .cancel || from == target ? nil : .move(from, target)
        case .toggleEditing, .delete, .insert, .press: return .refuse(.notThere)
        }
        guard let goal = next else { return nil }
        guard from.section == goal.section, canMove(goal) else { return .refuse(.notThere) }
        mode = .carrying(from, goal, byPointer: byPointer)
        adjust()
        return nil
    }

    /// The last row of a section before the row that adds something new.
    private func lastMovable(in section: Int) -> Int {
        let last = sections[section].rowCount - 1
        return editingStyle(IndexPath(section, last)) == .insert ? last - 1 : last
    }

    private mutating func moveCursor(_ step: Int) {
        guard let cursor else { return }
        if let next = row(step, from: cursor) {
            self.cursor = next
        } else if step < 0 {
            // At the first row, "up" still shows the lines above that row.
            top = firstElement
        }
        adjust()
    }

    /// Moves the cursor by a window less one line.
    private mutating func page(_ step: Int) {
        guard let cursor else { return }
        var room = max(1, lines - 1)
        var element = cursor
        while let following = self.element(step, from: element) {
            room -= height(following)
            if room < 0 && self.cursor != cursor { break }
            element = following
            if isRow(following) { self.cursor = following }
            if room <= 0 && self.cursor != cursor { break }
        }
        adjust()
    }

    /// The row on a line of the window, from 0.
    private func row(onLine line: Int) -> IndexPath? {
        visible.last { $0.line <= line }.flatMap { isRow($0.element) ? $0.element : nil }
    }

    func editingStyle(_ path: IndexPath) -> EditingStyle { sections[path.section].editingStyle(at: path.row) }

    func canMove(_ path: IndexPath) -> Bool { sections[path.section].canMove(at: path.row) }

    /// The row that is shown at a path: a row that is being moved is shown at its target.
    func shown(at path: IndexPath) -> IndexPath {
        guard case .carrying(let from, let target, _) = mode, path.section == from.section else { return path }
        if path == target { return from }
        if from <= path, path < target { return IndexPath(path.section, path.row + 1) }
        if path > target, path <= from { return IndexPath(path.section, path.row - 1) }
        return path
    }

    /// Keeps the cursor in its place after a change of the model. Moving a row ends, because other rows may be at the target.
    mutating func reload() {
        if case .carrying(_, _, let byPointer) = mode { mode = byPointer ? .viewing : .editing }
        adjust()
    }
}
