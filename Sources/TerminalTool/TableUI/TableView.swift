/// A list with a cursor in a window of lines. The table owns no rows: it asks a data source for the visible rows only.
struct TableView: Equatable {
    /// What the keys do.
    enum Mode: Equatable {
        case viewing
        /// Rows can be deleted, inserted and moved.
        case editing
        /// The first row is being moved to the place of the second. `byPointer`: by dragging with the mouse.
        case carrying(IndexPath, IndexPath, byPointer: Bool)
    }

    /// The row under the cursor; nil in an empty list.
    var cursor: IndexPath?
    var mode = Mode.viewing
    /// The element at the upper edge: a row, the header of a section at the row -1, or its footer after the last row.
    var top: IndexPath?
    /// Height of the window in lines.
    var lines = 0

    /// Whether rows show how they can be edited. A row that is dragged by the pointer shows nothing else.
    var isEditing: Bool {
        switch mode {
        case .viewing, .carrying(_, _, byPointer: true): false
        case .editing, .carrying(_, _, byPointer: false): true
        }
    }

    /// Sets the height of the window, and keeps cursor and scroll position valid.
    mutating func layOut(lines: Int, _ source: some TableDataSource) {
        self.lines = max(0, lines)
        adjust(to: source)
    }

    // MARK: elements

    /// The elements of a section: its rows, with the header at -1 and the footer after the last row.
    private func elements(_ section: Int, _ source: some TableDataSource) -> Range<Int> {
        let hasHeader = source.header(of: section) != nil
        let hasFooter = source.footer(of: section) != nil
        return (hasHeader ? -1 : 0)..<source.rowCount(in: section) + (hasFooter ? 1 : 0)
    }

    private func rows(_ section: Int, _ source: some TableDataSource) -> Range<Int> { 0..<source.rowCount(in: section) }

    func isRow(_ element: IndexPath, _ source: some TableDataSource) -> Bool {
        rows(element.section, source).contains(element.row)
    }

    func height(_ element: IndexPath, _ source: some TableDataSource) -> Int {
        isRow(element, source) ? source.style(at: element).height : 1
    }

    /// The first place of the first section that has one; for a step of -1, the last place.
    private func edge(
        _ step: Int, from section: Int, _ source: some TableDataSource, _ places: (Int) -> Range<Int>
    ) -> IndexPath? {
        stride(from: section, to: step > 0 ? source.sectionCount : -1, by: step).first { !places($0).isEmpty }
            .map { IndexPath($0, step > 0 ? places($0).lowerBound : places($0).upperBound - 1) }
    }

    private func place(
        _ step: Int, from path: IndexPath, _ source: some TableDataSource, _ places: (Int) -> Range<Int>
    ) -> IndexPath? {
        if places(path.section).contains(path.row + step) { return IndexPath(path.section, path.row + step) }
        return edge(step, from: path.section + step, source, places)
    }

    func firstElement(_ source: some TableDataSource) -> IndexPath? {
        edge(1, from: 0, source) { elements($0, source) }
    }

    /// The next element for a step of 1, the one before for -1.
    func element(_ step: Int, from element: IndexPath, _ source: some TableDataSource) -> IndexPath? {
        place(step, from: element, source) { elements($0, source) }
    }

    /// The next row for a step of 1, the one before for -1.
    func row(_ step: Int, from path: IndexPath, _ source: some TableDataSource) -> IndexPath? {
        place(step, from: path, source) { rows($0, source) }
    }

    func firstRow(_ source: some TableDataSource) -> IndexPath? {
        edge(1, from: 0, source) { rows($0, source) }
    }

    func lastRow(_ source: some TableDataSource) -> IndexPath? {
        edge(-1, from: source.sectionCount - 1, source) { rows($0, source) }
    }

    /// The elements of the window from its upper edge, with the line where each begins. The last may be cut.
    func visible(_ source: some TableDataSource) -> [(element: IndexPath, line: Int)] {
        var result: [(IndexPath, Int)] = []
        var next = top
        var line = 0
        while let element = next, line < lines {
            result.append((element, line))
            line += height(element, source)
            next = self.element(1, from: element, source)
        }
        return result
    }

    /// The first and the last row of the window, whole or in part, in their sections; 0 if no row is visible.
    func visibleRows(_ source: some TableDataSource) -> ClosedRange<Int> {
        let rows = visible(source).map(\.element).filter { isRow($0, source) }.map(\.row)
        let first = rows.first ?? 0
        return first...max(first, rows.last ?? 0)
    }

    // MARK: scrolling

    /// The row that must be visible: the target of a move, else the cursor.
    var focus: IndexPath? { if case .carrying(_, let target, _) = mode { target } else { cursor } }

    /// Keeps the cursor and the upper edge on existing rows, and the focus visible.
    mutating func adjust(to source: some TableDataSource) {
        if let path = cursor {
            if path.section >= source.sectionCount {
                cursor = lastRow(source)
            } else if path.row >= source.rowCount(in: path.section) {
                let rows = source.rowCount(in: path.section)
                cursor = rows > 0 ? IndexPath(path.section, rows - 1) : row(1, from: path, source) ?? lastRow(source)
            }
        } else {
            cursor = firstRow(source)
        }
        if let top, top.section >= source.sectionCount || !elements(top.section, source).contains(top.row) {
            self.top = cursor
        }
        if top == nil { top = firstElement(source) }
        showFocus(source)
        fillWindow(source)
    }

    /// Scrolls as little as shows the focus, with the header of its section above a first row.
    private mutating func showFocus(_ source: some TableDataSource) {
        guard let focus, lines > 0 else { return }
        if let shown = visible(source).first(where: { $0.element == focus }) {
            if shown.line + height(focus, source) <= lines || shown.line == 0 {
                if shown.line == 0 { includeHeader(source) }
                return
            }
        } else if let edge = top, focus < edge {
            top = focus
            includeHeader(source)
            return
        }
        // Upwards from the focus until the window is full.
        var element = focus
        var used = height(focus, source)
        while let above = self.element(-1, from: element, source) {
            used += height(above, source)
            if used > lines { break }
            element = above
        }
        top = element
    }

    private mutating func includeHeader(_ source: some TableDataSource) {
        guard let path = top, path.row == 0, source.header(of: path.section) != nil, lines > height(path, source) else {
            return
        }
        top = IndexPath(path.section, -1)
    }

    /// Scrolls back if the list ends within the window.
    private mutating func fillWindow(_ source: some TableDataSource) {
        guard let start = top, let last = visible(source).last, element(1, from: last.element, source) == nil else {
            return
        }
        var room = lines - last.line - height(last.element, source)
        var element = start
        while let above = self.element(-1, from: element, source), height(above, source) <= room {
            room -= height(above, source)
            element = above
        }
        top = element
    }
}
