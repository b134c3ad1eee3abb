public import ControlLanguage

public struct BackupReply: ReplyObject {
    /// Where the copy is.
    public var path = ""
    var bytes: Int64 = 0

    public init() {}

    public init(path: String, bytes: Int64) {
        self.path = path
        self.bytes = bytes
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("path", &path, isRequired: true)
        members.declare("bytes", &bytes)
    }
}
