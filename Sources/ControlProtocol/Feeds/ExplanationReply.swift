public import ControlLanguage
public import JSON

public struct ExplanationReply: ReplyObject {
    public var text: String?
    /// The same for programs.
    public var explanation: JSONValue?
    /// Status of sysexits.h if the feed could not be fetched.
    public var status: Int?

    public init() {}

    public init(text: String?, explanation: JSONValue?, status: Int?) {
        self.text = text
        self.explanation = explanation
        self.status = status
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declareIfAny("text", &text)
        members.declareIfAny("explanation", &explanation)
        members.declareIfAny("status", &status)
    }
}
