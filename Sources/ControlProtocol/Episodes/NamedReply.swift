public import ControlLanguage

/// What a word of WHAT became.
public struct NamedReply: ReplyObject {
    /// What a word can name.
    public enum Kind: String, Sendable, CaseIterable {
        case episode, feed, playlist, filter
        /// A range of ids or indexes.
        case range
    }

    public var what = ""
    public var kind = Kind.episode
    public var id: Int?
    public var title: String?
    public var count = 0
    public var hasMore = false

    public init() {}

    public static let objectName = "Named"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("what", &what, isRequired: true, "As it was given.")
        members.declare("kind", &kind, isRequired: true, "`episode`, `feed`, `playlist`, `filter` or `range`.")
        members.declare("id", &id, "The episode's or feed's id.")
        members.declare("title", &title, "The episode's or feed's title.")
        members.declare("count", &count, "Number of episodes that it means to this command.")
        members.declare("hasMore", &hasMore, "Whether `limit` cut off episodes.")
    }
}

extension NamedReply.Kind: WireScalar {}
