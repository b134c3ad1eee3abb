/// What somebody typed to search for, understood: words, "phrases", and -words that must not occur.
///
/// Whatever the text is, the expression is valid in FTS5's query language (https://sqlite.org/fts5.html, section 3): each
/// word is quoted, so no character of it is an operator. Pure; any thread.
public struct SearchQuery: Equatable, Sendable {
    /// More words than anybody types cost time and find nothing.
    static let maximumTerms = 16
    /// Characters of one word or phrase that are looked at.
    static let maximumTermLength = 128

    /// A word, or words that follow one another.
    public struct Term: Equatable, Sendable {
        /// As typed, without quotes.
        public var text: String
        /// Must not occur.
        public var isExcluded: Bool
        /// The last of its words may be the beginning of one.
        public var isBeginning: Bool

        /// The term in FTS5's language.
        var expression: String {
            // By scalars: a mark behind a quote is part of the same character, and a quote to SQLite none the less.
            let spaced = SpacedText.spaced(text).unicodeScalars
            let quoted = String(String.UnicodeScalarView(spaced.filter { $0 != "\"" && $0 != "\0" }))
            return "\"\(quoted)\"" + (isBeginning ? " *" : "")
        }
    }

    /// What must occur, in the order typed; never empty.
    public var required: [Term]
    /// What must not occur.
    public var excluded: [Term]

    /// Understands a text; nil when it has no word that must occur.
    ///
    /// The last word may be the beginning of one, as long as no blank or quote follows it.
    public init?(_ text: String) {
        var terms: [Term] = []
        var rest = Substring(text.prefix(Self.maximumTerms * (Self.maximumTermLength + 4)))
        while terms.count < Self.maximumTerms, let term = Self.takeTerm(from: &rest) { terms.append(term) }
        required = terms.filter { !$0.isExcluded }
        excluded = terms.filter(\.isExcluded)
        if required.isEmpty { return nil }
    }

    /// The next term that has a letter or digit.
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
            guard words.unicodeScalars.contains(where: isWordCharacter) else { continue }
            let text = String(words.prefix(maximumTermLength))
            let last = text.unicodeScalars.last
            let isBeginning =
                isOpen && !isExcluded && last.map { isWordCharacter($0) && !SpacedText.isUnspaced($0) } ?? false
            return Term(text: text, isExcluded: isExcluded, isBeginning: isBeginning)
        }
    }

    /// What the tokenizer takes for a part of a word: letters, numbers and private use.
    private static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }

    /// All that is required and nothing that is excluded, as an expression for MATCH.
    public var expression: String {
        let all = required.map(\.expression).joined(separator: " AND ")
        return exclusion.map { "(\(all)) NOT (\($0))" } ?? all
    }

    /// Any of what must not occur, as an expression for MATCH; nil when nothing is excluded.
    var exclusion: String? {
        excluded.isEmpty ? nil : excluded.map(\.expression).joined(separator: " OR ")
    }

    /// The same without what must not occur.
    var withoutExclusions: SearchQuery {
        var query = self
        query.excluded = []
        return query
    }

    /// Any of what is required, to mark in a text what was found in it.
    public var anyExpression: String { required.map(\.expression).joined(separator: " OR ") }

    /// The same with the last word whole, where its beginning alone would be too much to read.
    var withWholeWords: SearchQuery {
        var query = self
        for index in query.required.indices { query.required[index].isBeginning = false }
        return query
    }

    /// The beginning of a word that is looked for, without regard to case; nil where all words are whole, or it is not plain
    /// enough to be found in the index's own list of terms.
    var beginning: String? {
        guard let term = required.last(where: \.isBeginning) else { return nil }
        let tail = term.text.lowercased().unicodeScalars.reversed().prefix { Self.isWordCharacter($0) }
        let word = String(String.UnicodeScalarView(tail.reversed()))
        return word.utf8.allSatisfy { $0 < 0x80 } ? word : nil
    }
}
