/// A list with a cursor in a window of lines. The table owns no rows: it asks a data source for the visible rows only, whatever
/// the length of the list.
public struct TableView: Equatable, Sendable {
    /// What the keys do.
    public enum Mode: Equatable, Sendable {
        case viewing
        /// Rows can be deleted, inserted and moved.
        case editing
        /// The first row is being moved to the place of the second. `byPointer`: by dragging with the mouse.
        case carrying(IndexPath, IndexPath, byPointer: Bool)
    }

    /// One or more lines of a section.
    public enum Element: Hashable, Sendable {
        case header(Int)
        case row(IndexPath)
        case footer(Int)
    }

    /// The row under the cursor; nil in an empty list.
    public internal(set) var cursor: IndexPath?
    public internal(set) var mode = Mode.viewing
    /// The element at the upper edge.
    var top: Element?
    /// Height of the window in lines.
    public internal(set) var lines = 0

    public init() {}

    /// Whether rows show how they can be edited. A row that is dragged by the pointer shows nothing else.
    public var isEditing: Bool {
        switch mode {
        case .viewing, .carrying(_, _, byPointer: true): false
        case .editing, .carrying(_, _, byPointer: false): true
        }
    }

    /// Sets the height of the window, and keeps cursor and scroll position valid.
    public mutating func layOut(lines: Int, _ source: some TableDataSource) {
        self.lines = max(0, lines)
        settle(source)
    }

    // MARK: elements

    func height(_ element: Element, _ source: some TableDataSource) -> Int {
        switch element {
        case .header, .footer: 1
        case .row(let path): source.style(at: path).height
        }
    }

    private func first(in sections: Range<Int>, _ source: some TableDataSource) -> Element? {
        for section in sections {
            if source.header(of: section) != nil { return .header(section) }
            if source.rowCount(in: section) > 0 { return .row(IndexPath(section, 0)) }
            if source.footer(of: section) != nil { return .footer(section) }
        }
        return nil
    }

    func firstElement(_ source: some TableDataSource) -> Element? { first(in: 0..<source.sectionCount, source) }

    private func last(in sections: Range<Int>, _ source: some TableDataSource) -> Element? {
        for section in sections.reversed() {
            if source.footer(of: section) != nil { return .footer(section) }
            let rows = source.rowCount(in: section)
            if rows > 0 { return .row(IndexPath(section, rows - 1)) }
            if source.header(of: section) != nil { return .header(section) }
        }
        return nil
    }

    func element(after element: Element, _ source: some TableDataSource) -> Element? {
        switch element {
        case .header(let section):
            if source.rowCount(in: section) > 0 { return .row(IndexPath(section, 0)) }
            if source.footer(of: section) != nil { return .footer(section) }
            return first(in: section + 1..<source.sectionCount, source)
        case .row(let path):
            if path.row + 1 < source.rowCount(in: path.section) { return .row(IndexPath(path.section, path.row + 1)) }
            if source.footer(of: path.section) != nil { return .footer(path.section) }
            return first(in: path.section + 1..<source.sectionCount, source)
        case .footer(let section): return first(in: section + 1..<source.sectionCount, source)
        }
    }

    func element(before element: Element, _ source: some TableDataSource) -> Element? {
        switch element {
        case .footer(let section):
            let rows = source.rowCount(in: section)
            if rows > 0 { return .row(IndexPath(section, rows - 1)) }
            if source.header(of: section) != nil { return .header(section) }
            return last(in: 0..<section, source)
        case .row(let path):
            if path.row > 0 { return .row(IndexPath(path.section, path.row - 1)) }
            if source.header(of: path.section) != nil { return .header(path.section) }
            return last(in: 0..<path.section, source)
        case .header(let section): return last(in: 0..<section, source)
        }
    }

    private func exists(_ element: Element, _ source: some TableDataSource) -> Bool {
        switch element {
        case .header(let section): section < source.sectionCount && source.header(of: section) != nil
        case .footer(let section): section < source.sectionCount && source.footer(of: section) != nil
        case .row(let path): path.section < source.sectionCount && path.row < source.rowCount(in: path.section)
        }
    }

    /// The elements of the window from its upper edge, with the line where each begins. The last may be cut.
    public func visible(_ source: some TableDataSource) -> [(element: Element, line: Int)] {
        var result: [(Element, Int)] = []
        var next = top
        var line = 0
        while let element = next, line < lines {
            result.append((element, line))
            line += height(element, source)
            next = self.element(after: element, source)
        }
        return result
    }

    /// The rows of the window, whole or in part: nil if none is visible.
    public func visibleRows(_ source: some TableDataSource) -> ClosedRange<IndexPath>? {
        let paths = visible(source).compactMap { if case .row(let path) = $0.element { path } else { nil } }
        guard let first = paths.first, let last = paths.last else { return nil }
        return first...last
    }

    // MARK: rows

    func row(after path: IndexPath, _ source: some TableDataSource) -> IndexPath? {
        if path.row + 1 < source.rowCount(in: path.section) { return IndexPath(path.section, path.row + 1) }
        let section = (path.section + 1..<max(path.section + 1, source.sectionCount)).first {
            source.rowCount(in: $0) > 0
        }
        return section.map { IndexPath($0, 0) }
    }

    func row(before path: IndexPath, _ source: some TableDataSource) -> IndexPath? {
        if path.row > 0 { return IndexPath(path.section, path.row - 1) }
        let section = (0..<path.section).last { source.rowCount(in: $0) > 0 }
        return section.map { IndexPath($0, source.rowCount(in: $0) - 1) }
    }

    func firstRow(_ source: some TableDataSource) -> IndexPath? {
        (0..<source.sectionCount).first { source.rowCount(in: $0) > 0 }.map { IndexPath($0, 0) }
    }

    func lastRow(_ source: some TableDataSource) -> IndexPath? {
        (0..<source.sectionCount).last { source.rowCount(in: $0) > 0 }.map {
            IndexPath($0, source.rowCount(in: $0) - 1)
        }
    }

    // MARK: scrolling

    /// The row that must be visible: the target of a move, else the cursor.
    var focus: IndexPath? {
        if case .carrying(_, let target, _) = mode { target } else { cursor }
    }

    /// Keeps the cursor and the upper edge on existing rows, and the focus visible.
    mutating func settle(_ source: some TableDataSource) {
        if let path = cursor {
            if path.section >= source.sectionCount {
                cursor = lastRow(source)
            } else if path.row >= source.rowCount(in: path.section) {
                let rows = source.rowCount(in: path.section)
                cursor = rows > 0 ? IndexPath(path.section, rows - 1) : row(after: path, source) ?? lastRow(source)
            }
        } else {
            cursor = firstRow(source)
        }
        if let top, !exists(top, source) { self.top = cursor.map { .row($0) } }
        if top == nil { top = firstElement(source) }
        showFocus(source)
        fillWindow(source)
    }

    /// Scrolls as little as shows the focus, with the header of its section above a first row.
    private mutating func showFocus(_ source: some TableDataSource) {
        guard let focus, lines > 0 else { return }
        let target = Element.row(focus)
        if let shown = visible(source).first(where: { $0.element == target }) {
            if shown.line + height(target, source) <= lines || shown.line == 0 {
                if shown.line == 0 { includeHeader(source) }
                return
            }
        } else if isBefore(target, top) {
            top = target
            includeHeader(source)
            return
        }
        // Upwards from the focus until the window is full.
        var element = target
        var used = height(target, source)
        while let above = self.element(before: element, source) {
            used += height(above, source)
            if used > lines { break }
            element = above
        }
        top = element
    }

    private mutating func includeHeader(_ source: some TableDataSource) {
        guard case .row(let path)? = top, path.row == 0, source.header(of: path.section) != nil,
            lines > height(.row(path), source)
        else { return }
        top = .header(path.section)
    }

    /// Scrolls back if the list ends within the window.
    private mutating func fillWindow(_ source: some TableDataSource) {
        guard let start = top, let last = visible(source).last, element(after: last.element, source) == nil else {
            return
        }
        var room = lines - last.line - height(last.element, source)
        var element = start
        while let above = self.element(before: element, source), height(above, source) <= room {
            room -= height(above, source)
            element = above
        }
        top = element
    }

    private func isBefore(_ element: Element, _ other: Element?) -> Bool {
        guard let other else { return false }
        func key(_ element: Element) -> (Int, Int) {
            switch element {
            case .header(let section): (section, -1)
            case .row(let path): (path.section, path.row)
            case .footer(let section): (section, .max)
            }
        }
        return key(element) < key(other)
    }
}
