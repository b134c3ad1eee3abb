public import ControlLanguage
public import JSON

/// What `feeds.explain` answers.
public struct ExplanationReply: ReplyObject {
    /// Lines for people.
    public var text: String?
    /// The same for programs.
    public var explanation: JSONValue?

    public init() {}

    public init(text: String?, explanation: JSONValue?) {
        self.text = text
        self.explanation = explanation
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declareIfAny("text", &text)
        members.declareIfAny("explanation", &explanation)
    }
}
