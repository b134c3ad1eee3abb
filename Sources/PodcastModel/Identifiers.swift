/// An id of a row in the library. Ids are ordered by the time at which the rows were stored.
public protocol LibraryID: Hashable, Sendable, Comparable, CustomStringConvertible {
    var rawValue: Int64 { get }
    init(_ rawValue: Int64)
}

extension LibraryID {
    @inlinable public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    public var description: String { String(rawValue) }
}

/// The library's id of a feed; stable for the life of the subscription.
public struct FeedID: LibraryID {
    public let rawValue: Int64
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    /// The id with its letter, as people read and type it: `f5`.
    public var label: String { "f\(rawValue)" }
}

/// The library's id of an episode; refreshes do not change it.
public struct EpisodeID: LibraryID {
    public let rawValue: Int64
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    /// The id with its letter, as people read and type it: `e3124`.
    public var label: String { "e\(rawValue)" }
}

/// The id of a queue entry; never reused. An episode that is queued twice has two entries with different ids.
public struct EntryID: LibraryID {
    public let rawValue: Int64
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// The id of a rule; never reused, so that each effect can be attributed to its rule.
public struct RuleID: LibraryID {
    public let rawValue: Int64
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// The id of a bookmark; never reused.
public struct BookmarkID: LibraryID {
    public let rawValue: Int64
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
}
