internal import LibraryModel
internal import SQLite

/// An episode whose title contains a given part.
struct TitleMatch: FetchableRecord {
    let id: Int64
    let title: String
    /// Whether the part is the whole title.
    let isWhole: Bool

    init(row: Row) { (id, title, isWhole) = (row["id"], row["title"], row["is_whole"]) }
}

/// The episodes whose title contains a given part, those with it as the whole title first.
struct TitleMatches {
    private let rows: [TitleMatch]

    init(_ rows: [TitleMatch] = []) { self.rows = rows }

    var isEmpty: Bool { rows.isEmpty }

    /// The id of the only row, or of the only whole title.
    func only(for what: String, _ kind: NamedKind) throws -> Int64 {
        guard let first = rows.first else { throw LibraryError.notFound(what, of: kind) }
        if rows.count == 1 { return first.id }
        if first.isWhole && !rows[1].isWhole { return first.id }
        throw LibraryError.ambiguous(what, of: kind, candidates: rows.prefix(5).map { "\($0.id) \($0.title)" })
    }
}

/// A pattern for LIKE … ESCAPE '\' that matches texts which contain a part.
func likePattern(containing part: String) -> String {
    var pattern = "%"
    for character in part.unicodeScalars {
        if character == "%" || character == "_" || character == "\\" { pattern += "\\" }
        pattern.unicodeScalars.append(character)
    }
    return pattern + "%"
}
