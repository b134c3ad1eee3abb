/// Selects the episodes of a feed that stay in lists: `newest:10 for:30d until:played`. An episode is archived if it
/// exceeds any of the limits, unless the user has starred, noted, queued or started it, or marked it as unplayed.
public struct RetentionPolicy: Hashable, Sendable, CustomStringConvertible {
    /// Number of latest episodes that stay.
    public var newest: Int?
    /// How long episodes stay after their publication or arrival, whichever is later.
    public var age: Age?
    /// Whether episodes stay only until they are played.
    public var isUntilPlayed: Bool

    public init(newest: Int? = nil, age: Age? = nil, isUntilPlayed: Bool = false) {
        self.newest = newest
        self.age = age
        self.isUntilPlayed = isUntilPlayed
    }

    /// Parses a policy. `all` archives nothing; it exempts a feed from the policy for all feeds.
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

    /// Whether the policy archives nothing.
    public var keepsAll: Bool { self == RetentionPolicy() }

    /// The policy as text that parses to the same value.
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
    /// This number of newer episodes is reached.
    case notNewest = "newest"
    /// It exceeded the time limit.
    case tooOld = "for"
    case played = "until"
}
