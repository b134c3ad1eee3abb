internal import CommandLineTool

extension TableView {
    /// Draws the visible rows from a line of the canvas on.
    func draw(on canvas: inout Canvas, line firstLine: Int, glyphs: Glyphs) {
        for (element, line) in visible {
            let section = sections[element.section]
            var place = RowPlace(line: firstLine + line, end: firstLine + lines, glyphs: glyphs)
            if element.row < 0 {
                canvas.put(section.header ?? "", column: 0, line: place.line, role: .heading)
            } else if isRow(element) {
                let shown = shown(at: element)
                var row = TableRow(style: section.style(at: shown.row))
                section.fill(&row, at: shown.row)
                place.isSelected = element == focus
                place.sign = sign(element, shown, glyphs)
                place.canMove = mode == .editing && canMove(shown)
                row.draw(on: &canvas, place)
            } else {
                canvas.put(section.footer ?? "", column: 2, line: place.line, role: .dim)
            }
        }
    }

    private func sign(_ path: IndexPath, _ shown: IndexPath, _ glyphs: Glyphs) -> String? {
        if case .carrying(_, path, _) = mode { return glyphs.carried }
        guard mode == .editing else { return nil }
        return switch editingStyle(shown) {
        case .delete: "-"
        case .insert: "+"
        case .none: nil
        }
    }
}

/// How a row is drawn: the row's first line, the first line below the window, and the sign in front of the row.
struct RowPlace {
    var line: Int
    var end: Int
    var glyphs: Glyphs
    /// Shown in place of the cursor; nil if the row is not being edited.
    var sign: String?
    var isSelected = false
    /// Whether the row shows that it can be moved.
    var canMove = false

    /// Puts text on a line of the row, from 0. Returns columns that were used.
    @discardableResult
    func put(
        _ text: String, on canvas: inout Canvas, _ column: Int, width: Int? = nil, _ role: Role, line: Int = 0
    ) -> Int {
        canvas.put(text, column: column, line: self.line + line, width: width, role: role, isSelected: isSelected)
    }

    func putRight(_ text: String, on canvas: inout Canvas, end: Int, _ role: Role) {
        canvas.putRight(text, end: end, line: line, role: role, isSelected: isSelected)
    }

    /// Draws a progress bar of a share from 0 to 1.
    func putBar(_ share: Double, on canvas: inout Canvas, _ column: Int, columns: Int, line: Int = 0) {
        let bar = glyphs.bar(share, columns: columns)
        let done = put(bar.done, on: &canvas, column, .progress, line: line)
        put(bar.left, on: &canvas, column + done, .dim, line: line)
    }
}

extension TableRow {
    /// Columns in front of the title: cursor or edit mark, and a space.
    private static let indent = 2
    private static let longestBar = 20
    /// Columns of the bar beside cells, and between cells.
    private static let cellBar = 10
    private static let gap = 2

    func draw(on canvas: inout Canvas, _ place: RowPlace) {
        let width = canvas.size.columns - (leadsFurther ? Self.indent : 0)
        let role: Role = hasFailed ? .error : isDimmed ? .dim : .normal
        if place.isSelected {
            for line in place.line..<min(place.end, place.line + style.height) {
                canvas.put("", column: 0, line: line, role: role, isSelected: true, fills: true)
            }
        }
        let sign = isCurrent ? place.glyphs.playing : place.isSelected ? place.glyphs.cursor : ""
        place.put(place.sign ?? sign, on: &canvas, 0, width: 1, .mark)
        place.put(place.canMove ? place.glyphs.carried : "", on: &canvas, 1, width: 1, .dim)
        if leadsFurther { place.put(place.glyphs.leads, on: &canvas, width + 1, .dim) }
        var column = Self.indent
        if style == .media || style == .columns { column = drawMarks(on: &canvas, column, place) }
        if style == .columns { return drawCells(on: &canvas, column, width, place, role) }
        let detailWidth = TextLayout.width(of: detail)
        // A title of a few letters says less than the detail beside it.
        let showsDetail = !detail.isEmpty && width - column - detailWidth - 2 >= 8
        let end = showsDetail ? width - detailWidth - 2 : width
        place.put(title, on: &canvas, column, width: end - column, role)
        if showsDetail { place.putRight(detail, on: &canvas, end: width, .dim) }
        if style.height > 1 && place.line + 1 < place.end { drawSecondLine(on: &canvas, Self.indent + 2, place) }
    }

    private func drawMarks(on canvas: inout Canvas, _ start: Int, _ place: RowPlace) -> Int {
        let sign =
            switch download {
            case .none: ""
            case .waiting, .underWay: place.glyphs.waiting
            case .onDisk: place.glyphs.onDisk
            case .failed: place.glyphs.failed
            }
        place.put(isStarred ? place.glyphs.star : "", on: &canvas, start, width: 1, .mark)
        place.put(sign, on: &canvas, start + 1, width: 1, download == .failed ? .error : .mark)
        return start + 3
    }

    /// Draws the cells from the right edge on, then the bar, then the title in the rest of the line.
    private func drawCells(on canvas: inout Canvas, _ start: Int, _ width: Int, _ place: RowPlace, _ role: Role) {
        var end = width
        for cell in cells.reversed() {
            if cell.isAtRight {
                place.putRight(TextLayout.fitted(cell.text, width: cell.width), on: &canvas, end: end, .dim)
            } else {
                place.put(cell.text, on: &canvas, end - cell.width, width: cell.width, .dim)
            }
            end -= cell.width + Self.gap
        }
        end -= Self.cellBar + Self.gap
        if let progress { place.putBar(progress, on: &canvas, end + Self.gap, columns: Self.cellBar) }
        let next = start + place.put(title, on: &canvas, start, width: max(0, end - start), role) + Self.gap
        place.put(subtitle, on: &canvas, next, width: max(0, end - next), hasFailed ? .error : .dim)
    }

    private func drawSecondLine(on canvas: inout Canvas, _ start: Int, _ place: RowPlace) {
        var column = start
        let share: Double? = if case .underWay(let share) = download { share } else { progress }
        if let share {
            let columns = min(Self.longestBar, max(0, canvas.size.columns / 4))
            place.putBar(share, on: &canvas, column, columns: columns, line: 1)
            column += columns + 1
        }
        place.put(subtitle, on: &canvas, column, .dim, line: 1)
    }
}
