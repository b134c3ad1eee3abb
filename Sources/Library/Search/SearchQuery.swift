internal import PodcastModel

/// A search text: words, "phrases" and excluded -words.
///
/// The expression is valid in FTS5's query language (https://sqlite.org/fts5.html, section 3) for any text: each word
/// is quoted, so that its characters are not operators.
struct SearchQuery: Hashable {
    static let maximumTerms = 16
    /// Characters of a word or phrase; more are ignored.
    static let maximumTermLength = 128

    struct Term: Hashable {
        /// As typed, without quotes.
        var text: String
        var isExcluded: Bool
        /// True if the term's last word may be the beginning of a word.
        var isPrefix: Bool

        /// The term in FTS5's language.
        var expression: String {
            // Filter scalars, not characters: a quote with a combining mark is one character, but SQLite reads a quote.
            let spaced = SpacedText.spaced(text).unicodeScalars
            let quoted = String(String.UnicodeScalarView(spaced.filter { $0 != "\"" && $0 != "\0" }))
            return "\"\(quoted)\"" + (isPrefix ? " *" : "")
        }
    }

    var required: [Term]
    var excluded: [Term]

    /// Nil if the text has no word that must occur. The last word is a prefix unless a space or quote follows it.
    init?(_ text: String) {
        var terms: [Term] = []
        var rest = Substring(text.prefix(Self.maximumTerms * (Self.maximumTermLength + 4)))
        while terms.count < Self.maximumTerms, let term = Self.takeTerm(from: &rest) { terms.append(term) }
        required = terms.filter { !$0.isExcluded }
        excluded = terms.filter(\.isExcluded)
        if required.isEmpty { return nil }
    }

    /// Skips terms without a letter or digit.
    private static func takeTerm(from rest: inout Substring) -> Term? {
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard !rest.isEmpty else { return nil }
            let isExcluded = rest.first == "-"
            if isExcluded { rest.removeFirst() }
            let words: Substring
            let isOpen: Bool
            if rest.first == "\"" {
                rest.removeFirst()
                words = rest.prefix { $0 != "\"" }
                isOpen = words.endIndex == rest.endIndex
                rest = rest[words.endIndex...].dropFirst()
            } else {
                words = rest.prefix { !$0.isWhitespace && $0 != "\"" }
                isOpen = words.endIndex == rest.endIndex
                rest = rest[words.endIndex...]
            }
            guard words.unicodeScalars.contains(where: FoldedText.isWordCharacter) else { continue }
            let text = String(words.prefix(maximumTermLength))
            let last = text.unicodeScalars.last { FoldedText.plain($0) != nil }
            let isPrefix =
                isOpen && !isExcluded
                && last.map { FoldedText.isWordCharacter($0) && !SpacedText.isUnspaced($0) } ?? false
            return Term(text: text, isExcluded: isExcluded, isPrefix: isPrefix)
        }
    }

    /// For MATCH: all required terms and no excluded term.
    var expression: String {
        let all = required.map(\.expression).joinedText(" AND ")
        return exclusion.map { "(\(all)) NOT (\($0))" } ?? all
    }

    /// For MATCH: any excluded term.
    var exclusion: String? { excluded.map(\.expression).joinedText(" OR ").nonEmpty }

    var withoutExclusions: SearchQuery {
        var query = self
        query.excluded = []
        return query
    }

    /// The query without the words in a feed's title; nil if none of the words is in the title.
    func remaining(besides feedTitle: String) -> SearchQuery? {
        let title = FoldedText.letters(feedTitle)
        var rest = self
        rest.required.removeAll { title.contains(FoldedText.letters($0.text)) }
        return rest.required.count == required.count ? nil : rest
    }

    /// For MATCH: any required term, for highlighting.
    var anyExpression: String { required.map(\.expression).joinedText(" OR ") }

    var withWholeWords: SearchQuery {
        var query = self
        for index in query.required.indices { query.required[index].isPrefix = false }
        return query
    }

    /// True if the last word is a prefix of fewer than four letters.
    var hasShortPrefix: Bool {
        guard let term = required.last(where: \.isPrefix) else { return false }
        return term.text.unicodeScalars.reversed().prefix(4).prefix { FoldedText.isWordCharacter($0) }.count < 4
    }
}
