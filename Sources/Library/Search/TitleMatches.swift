internal import LibraryModel
internal import SQLite

/// What a part of a title found: rows of number, title and whether the whole title is meant.
struct TitleMatches {
    private var rows: [(id: Int64, title: String, isWhole: Bool)] = []

    /// Nothing was found.
    init() {}

    /// Reads a query's rows, whole titles first.
    init(reading query: Statement) throws {
        while try query.step() { rows.append((query.int64(0), query.text(1), query.bool(2))) }
    }

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
