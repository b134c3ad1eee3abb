/// Selects the episodes of a feed that stay in lists: `newest:10 for:30d until:played`. An episode beyond any of the
/// limits is archived, unless the user has starred, noted, bookmarked, queued or started it, or marked it as unplayed.
public struct RetentionPolicy: Hashable, Sendable, CustomStringConvertible {
    /// Number of newest episodes that stay.
    public var newest: Int?
    /// How long episodes stay after their publication or arrival, whichever is later.
    public var age: Age?
    public var isUntilPlayed = false

    public init() {}

    /// `all` archives nothing; it exempts a feed from the default policy.
    public init(parsing text: String) throws(ExpressionError) {
        var reader = try ExpressionReader(text)
        var count = 0
        var keepsAll = false
        while let word = try reader.next() {
            count += 1
            switch word.key {
            case "newest": newest = try word.number(in: 1...100_000)
            case "for": age = try word.age()
            case "until" where word.values.count == 1 && word.values[0].text.lowercased() == "played":
                isUntilPlayed = true
            case nil where word.bare?.lowercased() == "all": keepsAll = true
            case _: throw ExpressionError(word.column, "unknown limit", hint: Self.hint)
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
        return words.isEmpty ? "all" : words.joinedText(" ")
    }
}

/// Why retention archives an episode, in words for users.
public enum RetentionReason: String, Sendable {
    case notNewest = "more newer episodes than the policy keeps"
    case tooOld = "older than the policy keeps"
    case played
}
