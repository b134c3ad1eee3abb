public import ControlLanguage
public import JSON
public import PodcastModel

public struct FoundShowsReply: ReplyObject {
    public var shows: [FoundShow] = []
    public var failed: [FailureReply] = []

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("shows", &shows, "Shows, the best first.")
        members.declare("failed", &failed, "Directories that did not answer.")
    }
}

extension FoundShow: ReplyObject {
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("url", &url)
        members.declare("title", &title, "The title.")
        members.declare("author", &author)
        members.declare("link", &link)
        members.declare("directories", &directories, "Names of the directories that know it.")
    }
}

public struct UploadReply: ReplyObject {
    var size: Int64 = 0

    public init() {}
    public init(size: Int64) { self.size = size }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("size", &size, "Bytes sent so far.")
    }
}

public struct ExplanationReply: ReplyObject {
    public var text: String?
    public var explanation: JSONValue?
    public var status: Int?

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declareIfAny("text", &text, "Lines for people; left out with `structured`.")
        members.declareIfAny(
            "explanation", &explanation, "With `structured`: what `podcast-refresh explain --json` prints.")
        members.declareIfAny("status", &status, "Status of sysexits.h if the feed could not be fetched.")
    }
}
