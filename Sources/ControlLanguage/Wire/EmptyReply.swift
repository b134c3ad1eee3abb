/// What commands answer that have nothing to tell: an empty object.
public struct EmptyReply: ReplyObject {
    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {}
}
