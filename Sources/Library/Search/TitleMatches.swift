internal import LibraryModel
internal import SQLite

/// A title that a name matched.
struct TitleMatch: FetchableRecord {
    let id: Int64
    let title: String
    /// Whether the name is the whole title.
    let isWhole: Bool

    /// Reads `id`, `title` and `is_whole`.
    init(row: Row) { (id, title, isWhole) = (row["id"], row["title"], row["is_whole"]) }
}

/// The titles that a name matched, whole ones first.
struct TitleMatches {
    private let rows: [TitleMatch]

    init(_ rows: [TitleMatch] = []) { self.rows = rows }

    var isEmpty: Bool { rows.isEmpty }

    /// The row that is meant: the only one, or the only whole title.
    func only(for what: String) throws -> Int64 {
        guard let first = rows.first else { throw LibraryError.notFound(what) }
        if rows.count == 1 { return first.id }
        if first.isWhole && !rows[1].isWhole { return first.id }
        throw LibraryError.ambiguous(what, candidates: rows.prefix(5).map(\.title))
    }
}

/// A pattern of LIKE for texts that contain a part, with `\` as the escape.
func likePattern(containing part: String) -> String {
    var pattern = "%"
    for character in part.unicodeScalars {
        if character == "%" || character == "_" || character == "\\" { pattern += "\\" }
        pattern.unicodeScalars.append(character)
    }
    return pattern + "%"
}
