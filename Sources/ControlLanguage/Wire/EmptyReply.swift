/// An empty object: the reply of commands that return nothing.
public struct EmptyReply: ReplyObject {
    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {}
}
