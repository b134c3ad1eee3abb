/// What a publisher says of one thing, with its members declared once, in `declareMembers`: what is stored of the object, its digest,
/// its rows and its JSON are made from that declaration.
///
/// The declarations are inlinable, because several visitors go through each item of each feed.
public protocol PublishedObject: Equatable, Sendable {
    /// An object without values, for a visitor that reads.
    init()
    mutating func declareMembers<Visitor: MemberVisitor>(_ members: inout Visitor)
}

/// The name and the bound of a member: `.line("episodeType").column("episode_type")`.
public struct PublishedMember: Sendable {
    public enum Bound: Sendable {
        case none
        /// A URL that is too long or contains a file is not stored.
        case url
        /// A long GUID becomes its hash.
        case guid
        /// A line that is too long is not stored.
        case line
        /// `SafeText.title`.
        case title
        /// Notes may be cut, and have separate rows and a separate digest.
        case notes
    }

    public var name: StaticString
    public var bound: Bound
    /// The column of the object's row; nil if the member is stored in another way.
    public var column: StaticString?
    public var isStored = true
    /// What the manual of the protocol says; nil if the member is not shown in lists of episodes.
    public var help: StaticString?

    @inlinable init(_ name: StaticString, _ bound: Bound) {
        self.name = name
        self.bound = bound
        column = name
    }

    @inlinable static func url(_ name: StaticString) -> Self { Self(name, .url) }
    @inlinable static func guid(_ name: StaticString) -> Self { Self(name, .guid) }
    @inlinable static func line(_ name: StaticString) -> Self { Self(name, .line) }
    @inlinable static func title(_ name: StaticString) -> Self { Self(name, .title) }
    @inlinable static func notes(_ name: StaticString) -> Self { Self(name, .notes).column(nil) }
    /// A number, a time or a flag.
    @inlinable static func value(_ name: StaticString) -> Self { Self(name, .none) }

    /// The same, not stored in the library.
    @inlinable var unstored: Self {
        var member = column(nil)
        member.isStored = false
        return member
    }

    @inlinable func column(_ column: StaticString?) -> Self {
        var member = self
        member.column = column
        return member
    }

    /// The same, shown in lists of episodes.
    @inlinable func shown(_ help: StaticString) -> Self {
        var member = self
        member.help = help
        return member
    }
}

/// A member that is a list of objects.
public struct PublishedList: Sendable {
    public var name: StaticString
    /// Number of objects that are stored.
    public var maximum: Int
    /// The table whose rows are the objects; nil if they are stored in a document.
    public var table: StaticString?

    @inlinable init(_ name: StaticString, atMost maximum: Int, table: StaticString? = nil) {
        self.name = name
        self.maximum = maximum
        self.table = table
    }
}

/// Goes through the members of an object; reads, changes or fills them.
public protocol MemberVisitor {
    /// Whether a required member had no value since this was last set to false.
    var isIncomplete: Bool { get set }
    mutating func visit(_ member: PublishedMember, _ text: inout String?)
    mutating func visit(_ member: PublishedMember, _ number: inout Int64?)
    mutating func visit(_ member: PublishedMember, _ flag: inout Bool?)
    mutating func visit(_ member: PublishedMember, _ time: inout MediaTime?)
    mutating func visit(_ member: PublishedMember, _ date: inout Timestamp?)
    /// A flag that JSON shows only if it differs from `usual`.
    mutating func visit(_ member: PublishedMember, _ flag: inout Bool, usual: Bool)
    mutating func visit<Object: PublishedObject>(_ list: PublishedList, _ objects: inout [Object])
}

extension MemberVisitor {
    @inlinable public mutating func visit(_ member: PublishedMember, _ text: inout String) {
        var value = text as String?
        visit(member, &value)
        if let value { text = value } else { isIncomplete = true }
    }

    @inlinable public mutating func visit(_ member: PublishedMember, _ time: inout MediaTime) {
        var value = time as MediaTime?
        visit(member, &value)
        if let value { time = value } else { isIncomplete = true }
    }

    @inlinable public mutating func visit(_ member: PublishedMember, _ number: inout Int?) {
        var value = number.map(Int64.init)
        visit(member, &value)
        number = value.map(Int.init(clamping:))
    }

    @inlinable public mutating func visit(_ member: PublishedMember, _ flag: inout Bool, usual: Bool) {
        var value = flag == usual ? nil : flag
        visit(member, &value)
        flag = value ?? usual
    }

    // By default a visitor ignores a member.
    @inlinable public mutating func visit(_ member: PublishedMember, _ text: inout String?) {}
    @inlinable public mutating func visit(_ member: PublishedMember, _ number: inout Int64?) {}
    @inlinable public mutating func visit(_ member: PublishedMember, _ flag: inout Bool?) {}
    @inlinable public mutating func visit(_ member: PublishedMember, _ time: inout MediaTime?) {}
    @inlinable public mutating func visit(_ member: PublishedMember, _ date: inout Timestamp?) {}
    @inlinable public mutating func visit<Object: PublishedObject>(_ list: PublishedList, _ objects: inout [Object]) {}
}
