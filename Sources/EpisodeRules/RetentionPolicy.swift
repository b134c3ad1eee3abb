/// Which episodes of a feed stay in the views: `newest:10 for:30d until:played`. Each limit that is set drops what is
/// beyond it; what the listener touched stays whatever they say.
public struct RetentionPolicy: Hashable, Sendable, CustomStringConvertible {
    /// So many of the latest stay.
    public var newest: Int?
    /// They stay so long, from their publication or their arrival, whichever was later.
    public var age: Age?
    /// They stay until they were played.
    public var isUntilPlayed: Bool

    /// A policy of its parts.
    public init(newest: Int? = nil, age: Age? = nil, isUntilPlayed: Bool = false) {
        self.newest = newest
        self.age = age
        self.isUntilPlayed = isUntilPlayed
    }

    /// Reads one; `all` drops nothing, which is how a feed is taken out of a policy for all.
    public init(parsing text: String) throws(ExpressionError) {
        self.init()
        var reader = try ExpressionReader(text)
        var count = 0
        var keepsAll = false
        while let word = try reader.next() {
            count += 1
            switch word.key {
            case "newest": newest = try ExpressionReader.number(word, in: 1...100_000)
            case "for": age = try ExpressionReader.age(word)
            case "until" where word.values.count == 1 && word.values[0].text.lowercased() == "played":
                isUntilPlayed = true
            case nil where word.bare?.lowercased() == "all": keepsAll = true
            case _:
                throw ExpressionError(
                    column: word.column, what: "that is no limit of what is kept", hint: Self.hint)
            }
        }
        if count == 0 || keepsAll && count > 1 {
            throw ExpressionError(
                column: 1, what: count == 0 ? "nothing says what is kept" : "'all' stands alone", hint: Self.hint)
        }
    }

    private static let hint = "newest:10, for:30d, until:played, or all"

    /// Whether it drops nothing.
    public var keepsAll: Bool { self == RetentionPolicy() }

    /// As it is read.
    public var description: String {
        var words: [String] = []
        if let newest { words.append("newest:\(newest)") }
        if let age { words.append("for:\(age)") }
        if isUntilPlayed { words.append("until:played") }
        return words.isEmpty ? "all" : words.joined(separator: " ")
    }
}

/// Why retention drops an episode.
public enum RetentionReason: String, CaseIterable, Sendable {
    /// So many newer ones are there.
    case notNewest = "newest"
    /// It has been there long enough.
    case tooOld = "for"
    /// It was played.
    case played = "until"
}
