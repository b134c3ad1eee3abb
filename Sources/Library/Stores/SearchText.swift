/// What a person typed, as an expression of FTS5's query language: https://sqlite.org/fts5.html section 3.
enum SearchText {
    /// More words than anybody types cost time and find nothing.
    static let maximumWords = 16
    /// Bytes of one word that are looked at.
    static let maximumWordLength = 128

    /// All words must occur, the last one may be the beginning of one. Each word is quoted, so no character of it is
    /// an operator.
    ///
    /// - Parameter column: where the words must stand; everywhere when nil.
    /// - Returns: nil when the text holds no word.
    static func matchExpression(for text: String, column: String? = nil) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
            .filter { word in
                word.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
            }
            .prefix(maximumWords)
            .map { word in "\"" + String(word.prefix(maximumWordLength)).filter { $0 != "\"" && $0 != "\0" } + "\"" }
        guard !words.isEmpty else { return nil }
        let all = words.joined(separator: " AND ") + " *"
        return column.map { "\($0) : (\(all))" } ?? all
    }
}
