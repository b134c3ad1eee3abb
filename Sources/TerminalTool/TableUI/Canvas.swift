internal import CommandLineTool
internal import PodcastModel

/// What a cell means; a theme says how it looks.
enum Role: String, CaseIterable {
    case normal
    /// The title bar and the status line.
    case bar
    /// Headers of sections and columns.
    case heading
    /// Second lines, dates, explanations.
    case dim
    /// Stars, download marks, what is playing.
    case mark
    /// The part of a progress bar that is done.
    case progress
    case busy, error, match
}

struct Size: Equatable {
    var columns: Int
    var lines: Int

    init(columns: Int, lines: Int) {
        self.columns = max(0, columns)
        self.lines = max(0, lines)
    }
}

/// Pixels over some cells of a canvas.
struct PlacedPicture: Equatable {
    var picture: PixelPicture
    /// The upper left cell.
    var column: Int
    var line: Int
    var size: Size

    var lines: Range<Int> { line..<line + size.lines }
    fileprivate var columns: Range<Int> { column..<column + size.columns }
}

/// The cells of a screen: each line is a list of spans from left to right that do not overlap.
struct Canvas: Equatable {
    /// Text in one style, without control characters.
    struct Span: Equatable {
        /// The first column, from 0.
        var column: Int
        var text: String
        /// Columns that the text takes.
        var width: Int
        var role: Role
        /// Whether the cursor is on this text.
        var isSelected: Bool
    }

    /// A cell, from 0.
    struct Position: Equatable {
        var column: Int
        var line: Int
    }

    let size: Size
    private(set) var lines: [[Span]]
    /// Where the text cursor blinks while text is typed.
    var caret: Position?
    /// At most one picture. Text over its cells removes the picture.
    private(set) var picture: PlacedPicture?

    init(size: Size) {
        self.size = size
        lines = Array(repeating: [], count: size.lines)
    }

    /// Puts any text on a line, over earlier text, after making it safe for a terminal. Text that is longer than the width, or than
    /// the line, is cut with `…`; otherwise spaces may fill the rest. A line outside of the canvas is ignored.
    /// - Returns: columns that were used.
    @discardableResult
    mutating func put(
        _ text: String, column: Int, line: Int, width: Int? = nil, role: Role = .normal, isSelected: Bool = false,
        fills: Bool = false
    ) -> Int {
        guard lines.indices.contains(line), column >= 0, column < size.columns else { return 0 }
        let room = min(width ?? .max, size.columns - column)
        guard room > 0 else { return 0 }
        var (shown, used) = TextLayout.cut(SafeText.line(text, atMost: 4 * room + 4), to: room)
        if fills && used < room {
            shown += String(repeating: " ", count: room - used)
            used = room
        }
        guard used > 0 else { return 0 }
        let span = Span(column: column, text: shown, width: used, role: role, isSelected: isSelected)
        insert(span, line: line)
        return used
    }

    /// Puts text that ends before the column `end`. Returns the column where the text begins.
    @discardableResult
    mutating func putRight(_ text: String, end: Int, line: Int, role: Role = .normal, isSelected: Bool = false) -> Int {
        let width = min(TextLayout.width(of: SafeText.line(text, atMost: 4 * max(0, end) + 4)), max(0, end))
        put(text, column: end - width, line: line, width: width, role: role, isSelected: isSelected)
        return end - width
    }

    /// Puts a picture over cells, if the picture is within the canvas.
    mutating func place(_ placed: PlacedPicture) {
        guard placed.line >= 0, placed.lines.upperBound <= size.lines, placed.column >= 0,
            placed.columns.upperBound <= size.columns
        else { return }
        // No-break spaces, because curses may clear the end of a line that has ordinary spaces, and the picture with the line.
        let text = String(repeating: "\u{A0}", count: placed.size.columns)
        for line in placed.lines {
            insert(
                Span(column: placed.column, text: text, width: placed.size.columns, role: .normal, isSelected: false),
                line: line)
        }
        picture = placed
    }

    /// Copies all of a narrower canvas onto this canvas.
    mutating func put(_ part: Canvas) {
        for (line, spans) in part.lines.enumerated() { for span in spans { insert(span, line: line) } }
    }

    private mutating func insert(_ span: Span, line: Int) {
        if let picture, picture.lines.contains(line), picture.columns.overlaps(span.column..<span.column + span.width) {
            self.picture = nil
        }
        guard let last = lines[line].last, last.column + last.width > span.column else {
            lines[line].append(span)
            return
        }
        let end = span.column + span.width
        var spans: [Span] = []
        for old in lines[line] {
            if let left = old.part(0, span.column - old.column) { spans.append(left) }
            if let right = old.part(end - old.column, old.width) { spans.append(right) }
        }
        spans.append(span)
        lines[line] = spans.sorted { $0.column < $1.column }
    }

    /// The lines as text without trailing spaces, for tests and documents.
    var text: String { lines.map(Self.text).joinedText("\n") }

    private static func text(_ spans: [Span]) -> String {
        var line = ""
        var column = 0
        for span in spans {
            line += String(repeating: " ", count: max(0, span.column - column)) + span.text
            column = span.column + span.width
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}

extension Canvas.Span {
    /// The columns from `start` to before `end` of this span; nil if the span has none of them. Half of a wide character is a space.
    fileprivate func part(_ start: Int, _ end: Int) -> Self? {
        let start = max(0, start)
        let end = min(width, end)
        guard start < end else { return nil }
        var part = self
        part.column = column + start
        part.width = end - start
        part.text = TextLayout.part(text, start, end)
        return part
    }
}
