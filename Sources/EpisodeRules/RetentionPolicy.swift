/// Selects the episodes of a feed that stay in lists: `newest:10 for:30d until:played`. An episode beyond any of the
/// limits is archived, unless the user has starred, noted, bookmarked, queued or started it, or marked it as unplayed.
public struct RetentionPolicy: Hashable, Sendable, CustomStringConvertible {
    /// Number of newest episodes that stay.
    public var newest: Int?
    /// How long episodes stay after their publication or arrival, whichever is later.
    public var age: Age?
    public var isUntilPlayed: Bool

    public init(newest: Int? = nil, age: Age? = nil, isUntilPlayed: Bool = false) {
        self.newest = newest
        self.age = age
        self.isUntilPlayed = isUntilPlayed
    }

    /// `all` archives nothing; it exempts a feed from the default policy.
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
                throw ExpressionError(word.column, "unknown limit", hint: Self.hint)
            }
        }
        if count == 0 || keepsAll && count > 1 {
            throw ExpressionError(1, count == 0 ? "no limit" : "'all' cannot be combined with limits", hint: Self.hint)
        }
    }

    private static let hint = "use newest:N, for:AGE, until:played, or all"

    public var keepsAll: Bool { self == RetentionPolicy() }

    /// Text that parses to the same policy.
    public var description: String {
        var words: [String] = []
        if let newest { words.append("newest:\(newest)") }
        if let age { words.append("for:\(age)") }
        if isUntilPlayed { words.append("until:played") }
        return words.isEmpty ? "all" : words.joined(separator: " ")
    }
}

/// Why retention archives an episode.
public enum RetentionReason: String, CaseIterable, Sendable {
    /// At least `newest` newer episodes exist.
    case notNewest = "newest"
    case tooOld = "for"
    case played = "until"
}
