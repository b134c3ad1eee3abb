/// How many rows a list has.
public struct RowCount: Equatable, Sendable {
    public var count = 0
    /// Whether there are no more: counting was not cut short.
    public var isExact = true

    public init() {}

    public static func exactly(_ count: Int) -> RowCount { RowCount(count, isExact: true) }
    public static func atLeast(_ count: Int) -> RowCount { RowCount(count, isExact: false) }

    private init(_ count: Int, isExact: Bool) {
        self.count = count
        self.isExact = isExact
    }
}

/// How long the queue is, and where playback is in it.
public struct QueueExtent: Equatable, Sendable {
    public var length = 0
    /// Index of the current entry, from 1.
    public var index: Int?
    /// Increases with each edit of the entries; reset when the daemon restarts.
    public var revision: UInt64 = 0

    public init() {}

    public init(length: Int, index: Int?, revision: UInt64 = 0) {
        self.length = length
        self.index = index
        self.revision = revision
    }
}
