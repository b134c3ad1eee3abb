/// What commands answer that have nothing to tell: an empty object.
public struct EmptyReply: ReplyObject {
    /// The object.
    public init() {}
    /// None.
    public mutating func declareMembers(_ members: inout MemberExchange) {}
}
