public import ControlLanguage
public import Reporting

extension Finding.Severity: WireScalar {}

/// A finding of `doctor`.
public struct CheckReply: ReplyObject {
    public var check = ""
    public var outcome = Finding.Severity.ok
    public var finding = ""
    public var fix: String?

    public init() {}

    public init(_ found: Finding) {
        (check, outcome, finding, fix) = (found.check, found.severity, found.text, found.fix)
    }

    public static let objectName = "Check"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("check", &check, isRequired: true, "What was checked.")
        members.declare("outcome", &outcome, isRequired: true, "`ok`, `notice` or `needs-a-person`.")
        members.declare("finding", &finding, "The result, in one line.")
        members.declare("fix", &fix, "What to do about it, in one line.")
    }
}

public struct CheckListReply: ReplyObject {
    /// All checks of the daemon.
    public var checks: [CheckReply] = []

    public init() {}
    public init(_ checks: [CheckReply]) { self.checks = checks }

    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("checks", &checks) }
}
