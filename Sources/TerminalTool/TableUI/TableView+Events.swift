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
    mutating func handle(_ event: TableEvent, _ source: some TableDataSource) -> [TableAction] {
        switch mode {
        case .viewing, .editing: handleAtRest(event, source)
        case .carrying(let from, let target, let byPointer):
            handle(event, carrying: from, to: target, byPointer: byPointer, source)
        }
    }

    mutating func moveCursor(to path: IndexPath, _ source: some TableDataSource) {
        cursor = path
        adjust(to: source)
    }

    private mutating func handleAtRest(_ event: TableEvent, _ source: some TableDataSource) -> [TableAction] {
        switch event {
        case .up: moveCursor(-1, source)
        case .down: moveCursor(1, source)
        case .pageUp: page(-1, source)
        case .pageDown: page(1, source)
        case .first:
            cursor = firstRow(source)
            top = firstElement(source)
            adjust(to: source)
        case .last:
            cursor = lastRow(source)
            adjust(to: source)
        case .select: return cursor.map { [.select($0)] } ?? []
        case .toggleEditing: mode = mode == .editing ? .viewing : .editing
        case .delete:
            guard let cursor else { return [] }
            return source.editingStyle(at: cursor) == .delete ? [.delete(cursor)] : [.refuse(.notDeletable)]
        case .insert:
            guard let cursor else { return [] }
            return source.editingStyle(at: cursor) == .insert ? [.insert(cursor)] : [.refuse(.notInsertable)]
        case .carry:
            guard let cursor else { return [] }
            guard source.canMove(cursor) else { return [.refuse(.notMovable)] }
            mode = .carrying(cursor, cursor, byPointer: false)
        case .cancel: mode = .viewing
        case .press(let line):
            guard let path = row(onLine: line, source) else { return [] }
            if path == cursor && mode == .viewing { return [.select(path)] }
            cursor = path
        case .drag(let line):
            guard let cursor, let path = row(onLine: line, source), path != cursor else { return [] }
            guard source.canMove(cursor) else { return [.refuse(.notMovable)] }
            mode = .carrying(cursor, cursor, byPointer: true)
            return handle(event, source)
        case .release: break
        }
        return []
    }

    private mutating func handle(
        _ event: TableEvent, carrying from: IndexPath, to target: IndexPath, byPointer: Bool,
        _ source: some TableDataSource
    ) -> [TableAction] {
        let section = target.section
        let next: IndexPath?
        switch event {
        case .up: next = row(-1, from: target, source)
        case .down: next = row(1, from: target, source)
        case .pageUp: next = IndexPath(section, max(0, target.row - lines))
        case .pageDown: next = IndexPath(section, min(lastMovable(in: section, source), target.row + lines))
        case .first: next = IndexPath(section, 0)
        case .last: next = IndexPath(section, lastMovable(in: section, source))
        case .drag(let line): next = row(onLine: min(max(0, line), lines - 1), source)
        case .carry, .select, .release, .cancel:
            mode = byPointer ? .viewing : .editing
            cursor = from
            adjust(to: source)
            return event == .cancel || from == target ? [] : [.move(from, target)]
        case .toggleEditing, .delete, .insert, .press: return [.refuse(.notThere)]
        }
        guard let goal = next else { return [] }
        guard from == goal || source.canMove(from, to: goal) else { return [.refuse(.notThere)] }
        mode = .carrying(from, goal, byPointer: byPointer)
        adjust(to: source)
        return []
    }

    /// The last row of a section before the row that adds something new.
    private func lastMovable(in section: Int, _ source: some TableDataSource) -> Int {
        let last = source.rowCount(in: section) - 1
        return source.editingStyle(at: IndexPath(section, last)) == .insert ? last - 1 : last
    }

    private mutating func moveCursor(_ step: Int, _ source: some TableDataSource) {
        guard let cursor else { return }
        if let next = row(step, from: cursor, source) {
            self.cursor = next
        } else if step < 0 {
            // At the first row, "up" still shows the lines above that row.
            top = firstElement(source)
        }
        adjust(to: source)
    }

    /// Moves the cursor by a window less one line.
    private mutating func page(_ step: Int, _ source: some TableDataSource) {
        guard let cursor else { return }
        var room = max(1, lines - 1)
        var element = cursor
        while let following = self.element(step, from: element, source) {
            room -= height(following, source)
            if room < 0 && self.cursor != cursor { break }
            element = following
            if isRow(following, source) { self.cursor = following }
            if room <= 0 && self.cursor != cursor { break }
        }
        adjust(to: source)
    }

    /// The row on a line of the window, from 0.
    func row(onLine line: Int, _ source: some TableDataSource) -> IndexPath? {
        visible(source).last { $0.line <= line }.flatMap { isRow($0.element, source) ? $0.element : nil }
    }

    /// The row that is shown at a path: a row that is being moved is shown at its target.
    func source(of path: IndexPath) -> IndexPath {
        guard case .carrying(let from, let target, _) = mode, path.section == from.section else { return path }
        if path == target { return from }
        if from.row < target.row, (from.row..<target.row).contains(path.row) {
            return IndexPath(path.section, path.row + 1)
        }
        if from.row > target.row, (target.row + 1...from.row).contains(path.row) {
            return IndexPath(path.section, path.row - 1)
        }
        return path
    }

    /// Keeps the cursor in its place after a change of the model. Moving a row ends, because other rows may be at the target.
    mutating func reload(_ source: some TableDataSource) {
        if case .carrying(_, _, let byPointer) = mode { mode = byPointer ? .viewing : .editing }
        adjust(to: source)
    }
}
