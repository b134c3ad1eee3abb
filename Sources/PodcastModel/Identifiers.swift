/// The library's number for a feed; stable for the life of the subscription.
public struct FeedID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The row number; positive.
    public let rawValue: Int64
    /// Wraps a row number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    /// Older feeds come first.
    public static func < (left: FeedID, right: FeedID) -> Bool { left.rawValue < right.rawValue }
    /// The number alone.
    public var description: String { String(rawValue) }
}

/// The library's number for an episode; stable through every refresh.
public struct EpisodeID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The row number; positive.
    public let rawValue: Int64
    /// Wraps a row number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    /// Episodes stored earlier come first.
    public static func < (left: EpisodeID, right: EpisodeID) -> Bool { left.rawValue < right.rawValue }
    /// The number alone.
    public var description: String { String(rawValue) }
}

/// The number of one place in the queue. An episode may be queued twice: two entries, two numbers.
public struct EntryID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The row number; positive, never used again.
    public let rawValue: Int64
    /// Wraps a row number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    /// Entries made earlier come first.
    public static func < (left: EntryID, right: EntryID) -> Bool { left.rawValue < right.rawValue }
    /// The number alone.
    public var description: String { String(rawValue) }
}

/// The number of a rule; never used again, so that what it did can be told from what others did.
public struct RuleID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The row number; positive.
    public let rawValue: Int64
    /// Wraps a row number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    /// Rules made earlier come first.
    public static func < (left: RuleID, right: RuleID) -> Bool { left.rawValue < right.rawValue }
    /// The number alone.
    public var description: String { String(rawValue) }
}

/// The number of one thing that was decided about the identity of an episode; see `IdentityDecision`.
public struct DecisionID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The row number; positive, never used again.
    public let rawValue: Int64
    /// Wraps a row number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    /// Decisions made earlier come first.
    public static func < (left: DecisionID, right: DecisionID) -> Bool { left.rawValue < right.rawValue }
    /// The number alone.
    public var description: String { String(rawValue) }
}
