public import ControlLanguage

public struct FoundShowsReply: ReplyObject {
    /// Shows, the best first.
    public var shows: [FoundShowReply] = []
    /// Directories that did not answer.
    public var failed: [FailureReply] = []

    public init() {}

    public init(_ shows: [FoundShowReply], failed: [FailureReply]) {
        self.shows = shows
        self.failed = failed
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("shows", &shows)
        members.declare("failed", &failed)
    }
}

/// A show that directories know.
public struct FoundShowReply: ReplyObject {
    public var url = ""
    /// What it is called.
    public var title = ""
    public var author: String?
    public var link: String?
    /// Names of the directories that know it.
    public var directories: [String] = []

    public init() {}

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("url", &url, isRequired: true)
        members.declare("title", &title)
        members.declare("author", &author)
        members.declare("link", &link)
        members.declare("directories", &directories)
    }
}

public struct UploadReply: ReplyObject {
    /// Bytes handed over so far.
    var size: Int64 = 0

    public init() {}
    public init(size: Int64) { self.size = size }

    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("size", &size) }
}
