/// The library's id of a feed; stable for the life of the subscription.
public struct FeedID: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let rawValue: Int64
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    /// The id with its letter, as people read and type it: `f5`.
    public var label: String { "f\(rawValue)" }
    /// Orders feeds by time of subscription.
    public static func < (left: FeedID, right: FeedID) -> Bool { left.rawValue < right.rawValue }
    public var description: String { String(rawValue) }
}

/// The library's id of an episode; refreshes do not change it.
public struct EpisodeID: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let rawValue: Int64
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    /// The id with its letter, as people read and type it: `e3124`.
    public var label: String { "e\(rawValue)" }
    /// Orders episodes by the time they were stored.
    public static func < (left: EpisodeID, right: EpisodeID) -> Bool { left.rawValue < right.rawValue }
    public var description: String { String(rawValue) }
}

/// The id of a queue entry. An episode that is queued twice has two entries with different ids.
public struct EntryID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Never reused.
    public let rawValue: Int64
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    /// Orders entries by the time they were created.
    public static func < (left: EntryID, right: EntryID) -> Bool { left.rawValue < right.rawValue }
    public var description: String { String(rawValue) }
}

/// The id of a rule; never reused, so that each effect can be attributed to its rule.
public struct RuleID: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let rawValue: Int64
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    /// Orders rules by the time they were created.
    public static func < (left: RuleID, right: RuleID) -> Bool { left.rawValue < right.rawValue }
    public var description: String { String(rawValue) }
}

public struct BookmarkID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Never reused.
    public let rawValue: Int64
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    /// Orders bookmarks by the time they were created.
    public static func < (left: BookmarkID, right: BookmarkID) -> Bool { left.rawValue < right.rawValue }
    public var description: String { String(rawValue) }
}
