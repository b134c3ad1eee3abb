/// A list with a cursor in a window of lines. The table asks its sections for the visible rows only.
struct TableView<Section: TableSection> {
    var sections: [Section]

    /// The row under the cursor; nil in an empty list.
    var cursor: IndexPath?
    var mode = TableMode.viewing
    /// The element at the upper edge: a row, the header of a section at the row -1, or its footer after the last row.
    var top: IndexPath?
    /// Height of the window in lines.
    var lines = 0

    /// Whether rows show how they can be edited. A row that is dragged by the pointer shows nothing else.
    var isEditing: Bool {
        if case .carrying(_, _, let byPointer) = mode { !byPointer } else { mode == .editing }
    }

    /// Sets the height of the window, and keeps cursor and scroll position valid.
    mutating func layOut(lines: Int) {
        self.lines = max(0, lines)
        adjust()
    }

    // MARK: elements

    /// The elements of a section: its rows, with the header at -1 and the footer after the last row.
    private func elements(_ section: Int) -> Range<Int> {
        let section = sections[section]
        return (section.header == nil ? 0 : -1)..<section.rowCount + (section.footer == nil ? 0 : 1)
    }

    private func rows(_ section: Int) -> Range<Int> { 0..<sections[section].rowCount }

    func isRow(_ element: IndexPath) -> Bool { rows(element.section).contains(element.row) }

    func height(_ element: IndexPath) -> Int {
        isRow(element) ? sections[element.section].style(at: element.row).height : 1
    }

    /// The first place of the first section that has one; for a step of -1, the last place.
    private func edge(_ step: Int, from section: Int, _ places: (Int) -> Range<Int>) -> IndexPath? {
        stride(from: section, to: step > 0 ? sections.count : -1, by: step).first { !places($0).isEmpty }
            .map { IndexPath($0, step > 0 ? places($0).lowerBound : places($0).upperBound - 1) }
    }

    private func place(_ step: Int, from path: IndexPath, _ places: (Int) -> Range<Int>) -> IndexPath? {
        if places(path.section).contains(path.row + step) { return IndexPath(path.section, path.row + step) }
        return edge(step, from: path.section + step, places)
    }

    var firstElement: IndexPath? { edge(1, from: 0, elements) }

    /// The next element for a step of 1, the one before for -1.
    func element(_ step: Int, from element: IndexPath) -> IndexPath? { place(step, from: element, elements) }

    /// The next row for a step of 1, the one before for -1.
    func row(_ step: Int, from path: IndexPath) -> IndexPath? { place(step, from: path, rows) }

    var firstRow: IndexPath? { edge(1, from: 0, rows) }

    var lastRow: IndexPath? { edge(-1, from: sections.count - 1, rows) }

    /// The elements of the window from its upper edge, with the line where each begins. The last may be cut.
    var visible: [(element: IndexPath, line: Int)] {
        var result: [(IndexPath, Int)] = []
        var next = top
        var line = 0
        while let element = next, line < lines {
            result.append((element, line))
            line += height(element)
            next = self.element(1, from: element)
        }
        return result
    }

    /// The first and the last row of the window, whole or in part, in their sections; 0 if no row is visible.
    var visibleRows: ClosedRange<Int> {
        let rows = visible.map(\.element).filter(isRow).map(\.row)
        let first = rows.first ?? 0
        return first...max(first, rows.last ?? 0)
    }

    // MARK: scrolling

    /// The row that must be visible: the target of a move, else the cursor.
    var focus: IndexPath? { if case .carrying(_, let target, _) = mode { target } else { cursor } }

    /// Keeps the cursor and the upper edge on existing rows, and the focus visible.
    mutating func adjust() {
        if let path = cursor {
            if path.section >= sections.count {
                cursor = lastRow
            } else if let last = rows(path.section).last {
                cursor = IndexPath(path.section, min(path.row, last))
            } else {
                cursor = row(1, from: path) ?? lastRow
            }
        } else {
            cursor = firstRow
        }
        if let top, top.section >= sections.count || !elements(top.section).contains(top.row) { self.top = cursor }
        if top == nil { top = firstElement }
        showFocus()
        fillWindow()
    }

    /// Scrolls as little as shows the focus, with the header of its section above a first row.
    private mutating func showFocus() {
        guard let focus, lines > 0 else { return }
        if let shown = visible.first(where: { $0.element == focus }) {
            if shown.line + height(focus) <= lines || shown.line == 0 {
                if shown.line == 0 { includeHeader() }
                return
            }
        } else if let edge = top, focus < edge {
            top = focus
            includeHeader()
            return
        }
        // Upwards from the focus until the window is full.
        var element = focus
        var used = height(focus)
        while let above = self.element(-1, from: element) {
            used += height(above)
            if used > lines { break }
            element = above
        }
        top = element
    }

    private mutating func includeHeader() {
        guard let path = top, path.row == 0, sections[path.section].header != nil, lines > height(path) else {
            return
        }
        top = IndexPath(path.section, -1)
    }

    /// Scrolls back if the list ends within the window.
    private mutating func fillWindow() {
        guard let start = top, let last = visible.last, element(1, from: last.element) == nil else { return }
        var room = lines - last.line - height(last.element)
        var element = start
        while let above = self.element(-1, from: element), height(above) <= room {
            room -= height(above)
            element = above
        }
        top = element
    }
}
