internal import CommandLineTool

extension TableView {
    /// Draws the visible rows.
    ///
    /// - Parameters:
    ///   - line: the window's first line on the canvas.
    ///   - row: reused for each row.
    func draw(
        on canvas: inout Canvas, line firstLine: Int, _ source: some TableDataSource, glyphs: Glyphs,
        reusing row: inout TableRow
    ) {
        for (element, line) in visible(source) {
            var place = RowPlace(line: firstLine + line, end: firstLine + lines, glyphs: glyphs)
            if element.row < 0 {
                canvas.put(source.header(of: element.section) ?? "", column: 0, line: place.line, role: .heading)
            } else if isRow(element, source) {
                let shown = self.source(of: element)
                row.reuse(source.style(at: shown))
                source.fill(&row, at: shown)
                place.isSelected = element == focus
                place.mark = mark(element, shown, source)
                place.canMove = mode == .editing && source.canMove(shown)
                row.draw(on: &canvas, place)
            } else {
                canvas.put(source.footer(of: element.section) ?? "", column: 2, line: place.line, role: .dim)
            }
        }
    }

    private func mark(_ path: IndexPath, _ shown: IndexPath, _ source: some TableDataSource) -> RowMark {
        if case .carrying(_, let target, _) = mode, path == target { return .carried }
        if mode == .editing {
            switch source.editingStyle(at: shown) {
            case .delete: return .deletable
            case .insert: return .insertable
            case .none: break
            }
        }
        return path == focus ? .cursor : .none
    }
}

/// The mark in front of a row.
enum RowMark {
    case none
    case cursor
    case deletable
    case insertable
    case carried
}

/// How a row is drawn: the row's first line, the first line below the window, and the mark in front of the row.
struct RowPlace {
    var line: Int
    var end: Int
    var glyphs: Glyphs
    var mark = RowMark.none
    var isSelected = false
    /// Whether the row shows that it can be moved.
    var canMove = false
}

extension TableRow {
    /// Columns in front of the title: cursor or edit mark, and a space.
    private static let indent = 2
    /// The longest bar, in columns.
    private static let longestBar = 20
    /// Columns of the bar beside cells, and between cells.
    private static let cellBar = 10
    private static let gap = 2

    func draw(on canvas: inout Canvas, _ place: RowPlace) {
        let isSelected = place.isSelected
        let width = canvas.size.columns - (leadsFurther ? Self.indent : 0)
        let role: Role = hasFailed ? .error : isDimmed ? .dim : .normal
        if isSelected {
            for line in place.line..<min(place.end, place.line + style.height) {
                canvas.put("", column: 0, line: line, role: role, isSelected: true, fills: true)
            }
        }
        let sign =
            switch place.mark {
            case .none: isCurrent ? place.glyphs.playing : ""
            case .cursor: isCurrent ? place.glyphs.playing : place.glyphs.cursor
            case .deletable: "-"
            case .insertable: "+"
            case .carried: place.glyphs.carried
            }
        canvas.put(sign, column: 0, line: place.line, width: 1, role: .mark, isSelected: isSelected)
        let moves = place.canMove ? place.glyphs.carried : ""
        canvas.put(moves, column: 1, line: place.line, width: 1, role: .dim, isSelected: isSelected)
        if leadsFurther {
            canvas.put(place.glyphs.leads, column: width + 1, line: place.line, role: .dim, isSelected: isSelected)
        }
        var column = Self.indent
        if style == .media || style == .columns { column = drawMarks(on: &canvas, column, place, isSelected) }
        if style == .columns { return drawCells(on: &canvas, column, place, role, isSelected) }
        let detailWidth = TextLayout.width(of: detail)
        // A title of a few letters says less than the detail beside it.
        let showsDetail = !detail.isEmpty && width - column - detailWidth - 2 >= 8
        let end = showsDetail ? width - detailWidth - 2 : width
        canvas.put(title, column: column, line: place.line, width: end - column, role: role, isSelected: isSelected)
        if showsDetail { canvas.putRight(detail, end: width, line: place.line, role: .dim, isSelected: isSelected) }
        if style.height > 1 && place.line + 1 < place.end {
            drawSecondLine(on: &canvas, column: Self.indent + 2, place, isSelected)
        }
    }

    private func drawMarks(
        on canvas: inout Canvas, _ start: Int, _ place: RowPlace, _ isSelected: Bool
    ) -> Int {
        let sign =
            switch download {
            case .none: ""
            case .waiting, .underWay: place.glyphs.waiting
            case .onDisk: place.glyphs.onDisk
            case .failed: place.glyphs.failed
            }
        canvas.put(
            isStarred ? place.glyphs.star : "", column: start, line: place.line, width: 1, role: .mark,
            isSelected: isSelected)
        canvas.put(
            sign, column: start + 1, line: place.line, width: 1, role: download == .failed ? .error : .mark,
            isSelected: isSelected)
        return start + 3
    }

    /// Draws the cells from the right edge on, then the bar, then the title in the rest of the line.
    private func drawCells(
        on canvas: inout Canvas, _ start: Int, _ place: RowPlace, _ role: Role, _ isSelected: Bool
    ) {
        var end = canvas.size.columns - (leadsFurther ? Self.indent : 0)
        for cell in cells.reversed() {
            if cell.isAtRight {
                canvas.putRight(
                    TextLayout.fitted(cell.text, width: cell.width), end: end, line: place.line, role: .dim,
                    isSelected: isSelected)
            } else {
                canvas.put(
                    cell.text, column: end - cell.width, line: place.line, width: cell.width, role: .dim,
                    isSelected: isSelected)
            }
            end -= cell.width + Self.gap
        }
        end -= Self.cellBar + Self.gap
        if let progress {
            let bar = place.glyphs.bar(progress, columns: Self.cellBar)
            let done = canvas.put(
                bar.done, column: end + Self.gap, line: place.line, role: .progress, isSelected: isSelected)
            canvas.put(bar.left, column: end + Self.gap + done, line: place.line, role: .dim, isSelected: isSelected)
        }
        let used = canvas.put(
            title, column: start, line: place.line, width: max(0, end - start), role: role, isSelected: isSelected)
        let next = start + used + Self.gap
        canvas.put(
            subtitle, column: next, line: place.line, width: max(0, end - next), role: hasFailed ? .error : .dim,
            isSelected: isSelected)
    }

    private func drawSecondLine(on canvas: inout Canvas, column: Int, _ place: RowPlace, _ isSelected: Bool) {
        var column = column
        let line = place.line + 1
        let shares: Double? = if case .underWay(let share) = download { share } else { progress }
        if let share = shares {
            let bar = place.glyphs.bar(share, columns: min(Self.longestBar, max(0, canvas.size.columns / 4)))
            column += canvas.put(bar.done, column: column, line: line, role: .progress, isSelected: isSelected)
            column += canvas.put(bar.left, column: column, line: line, role: .dim, isSelected: isSelected) + 1
        }
        canvas.put(subtitle, column: column, line: line, role: .dim, isSelected: isSelected)
    }
}
