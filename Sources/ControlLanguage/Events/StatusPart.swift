public import JSON

/// A part of the status that clients watch.
public enum StatusPart: String, ParameterChoice {
    /// Player state, position, volume, current episode.
    case player
    case queue
    case feeds
    case episodes
    case activities
    case outputs
    case settings
    case playlists
    case rules
    case downloads
    /// Accounts of podcast-sync, and devices.
    case sync

    /// Position among all parts, from 0.
    public var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A set of parts in one integer, so that pending changes cost a watcher no memory.
public struct StatusParts: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public init(_ part: StatusPart) { rawValue = 1 << part.index }
    public static let all = StatusParts(rawValue: (1 << UInt32(StatusPart.allCases.count)) - 1)

    public func contains(_ part: StatusPart) -> Bool { rawValue & (1 << part.index) != 0 }
    public var members: [StatusPart] { StatusPart.allCases.filter(contains) }
}

/// Provides the values of the parts.
public protocol StatusSource: Sendable {
    /// The part's value; null for parts with a read command. Called on the server's thread; must not block.
    func value(of part: StatusPart) -> JSONValue
    /// The present value, and the changes of the part's list since a revision. The default has no lists.
    func update(of part: StatusPart, since revision: UInt64) -> PartUpdate
}

extension StatusSource {
    public func update(of part: StatusPart, since revision: UInt64) -> PartUpdate { PartUpdate(value: value(of: part)) }
}

/// A part at one moment.
public struct PartUpdate: Sendable {
    var value: JSONValue
    /// The revision of the part's list; nil for parts whose value is complete.
    public var revision: UInt64?
    /// Changes of the list; nil if they are unknown or too many.
    public var changes: [RowChange]?

    public init(value: JSONValue, revision: UInt64? = nil, changes: [RowChange]? = nil) {
        self.value = value
        self.revision = revision
        self.changes = changes
    }
}
