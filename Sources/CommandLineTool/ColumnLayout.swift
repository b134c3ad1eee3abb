internal import PodcastModel

/// Arranges rows of text in aligned columns; widths are terminal columns, not characters.
public struct ColumnLayout: Sendable {
    public struct Column: Equatable, Sendable {
        public enum Alignment: Sendable {
            case left, right
        }

        /// The heading; empty for none.
        var title: String
        public var name: String
        var alignment: Alignment
        /// Minimum width if the table is too wide; nil for a column that is never cut.
        var minimum: Int?
        /// On a narrow terminal columns with a high rank are omitted first; columns of rank 0 always stay.
        var dropRank: Int
        /// Text for a cell in a sentence, with `{}` for the cell; nil for the cell alone.
        var says: String?

        public init(
            _ title: String = "", _ alignment: Alignment = .left, name: String? = nil, minimum: Int? = nil,
            dropRank: Int = 0, says: String? = nil
        ) {
            self.title = title
            self.name = name ?? title
            self.alignment = alignment
            self.minimum = minimum
            self.dropRank = dropRank
            self.says = says
        }
    }

    private let columns: [Column]

    public init(_ columns: [Column]) { self.columns = columns }

    /// The lines, with a heading if a column has one. Cells are cleaned for a terminal; missing cells are empty.
    /// - Parameter width: maximum width; nil to cut nothing.
    public func lines(_ rows: [[String]], width: Int?) -> [String] {
        var table = rows.map { row in columns.indices.map { $0 < row.count ? SafeText.line(row[$0]) : "" } }
        if columns.contains(where: { !$0.title.isEmpty }) { table.insert(columns.map(\.title), at: 0) }
        let cellWidths = table.map { $0.map { TextLayout.width(of: $0) } }
        var widths = columns.indices.map { column in cellWidths.map { $0[column] }.max() ?? 0 }
        if let width {
            let shown = visibleColumns(widths, width)
            guard shown.count == columns.count else {
                return ColumnLayout(shown.map { columns[$0] }).lines(
                    rows.map { row in shown.map { $0 < row.count ? row[$0] : "" } }, width: width)
            }
            shrink(&widths, to: width)
        }
        return zip(table, cellWidths).map { row, cells in line(row, cells, widths) }
    }

    /// Rows for a screen reader: each row as one text, with cells separated by commas. Columns with the smallest
    /// `dropRank` come first. Empty cells are omitted; cells beyond the last column follow unchanged.
    public func sentences(_ rows: [[String]]) -> [String] {
        let order = columns.indices.sorted { (columns[$0].dropRank, $0) < (columns[$1].dropRank, $1) }
        return rows.map { row in
            var phrases: [String] = []
            for index in order where index < row.count && !row[index].isEmpty {
                let text = SafeText.line(row[index])
                phrases.append(columns[index].says.map { $0.replacing("{}", with: text) } ?? text)
            }
            return (phrases + row.dropFirst(columns.count).map { SafeText.line($0) }).joinedText(", ")
        }
    }

    /// Rows for a program: complete fields separated by tabs, without a heading. A tab within a cell becomes a space.
    public static func tabSeparated(_ rows: [[String]]) -> [String] {
        rows.map { $0.map { SafeText.line($0) }.joinedText("\t") }
    }

    private func visibleColumns(_ widths: [Int], _ width: Int) -> [Int] {
        var shown = Array(columns.indices)
        func needed() -> Int {
            shown.reduce(2 * (shown.count - 1)) { $0 + min(widths[$1], columns[$1].minimum ?? widths[$1]) }
        }
        while needed() > width {
            guard let last = shown.max(by: { columns[$0].dropRank < columns[$1].dropRank }), columns[last].dropRank > 0
            else { break }
            shown.removeAll { $0 == last }
        }
        return shown
    }

    /// Narrows the widest column that may be cut until the table fits.
    private func shrink(_ widths: inout [Int], to width: Int) {
        var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
        while excess > 0 {
            let candidates = widths.indices.filter { index in columns[index].minimum.map { widths[index] > $0 } ?? false
            }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return }
            let next = candidates.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
            let floor = max(columns[widest].minimum ?? 0, min(next, widths[widest] - 1))
            let cut = min(excess, widths[widest] - floor)
            widths[widest] -= cut
            excess -= cut
        }
    }

    private func line(_ row: [String], _ cells: [Int], _ widths: [Int]) -> String {
        var line = ""
        var owed = 0
        for column in row.indices {
            var text = row[column]
            var used = cells[column]
            if used > widths[column] { (text, used) = TextLayout.cut(text, to: widths[column]) }
            let blanks = widths[column] - used
            switch columns[column].alignment {
            case .left:
                if !text.isEmpty { line += String(repeating: " ", count: owed) + text }
                owed = text.isEmpty ? owed + blanks : blanks
            case .right:
                if !text.isEmpty { line += String(repeating: " ", count: owed + blanks) + text }
                owed = text.isEmpty ? owed + blanks : 0
            }
            owed += 2
        }
        return line
    }
}
