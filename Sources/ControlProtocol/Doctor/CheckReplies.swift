public import ControlLanguage
public import Reporting

/// How a check came out.
public enum CheckOutcome: String, Sendable, CaseIterable {
    /// As it should be, or of no concern here.
    case ok
    /// It works, and somebody may want to know something.
    case notice
    /// Something does not work, or soon will not, and mends only when a person does something.
    case needsPerson = "needs-a-person"
}

extension CheckOutcome: WireScalar {}

/// One look at whether something is as it should be.
public struct CheckReply: ReplyObject {
    public var check = ""
    public var outcome = CheckOutcome.ok
    public var finding = ""
    public var fix: String?

    public init() {}

    public init(_ finding: Finding) {
        check = finding.check
        outcome =
            switch finding.severity {
            case .ok: .ok
            case .notice: .notice
            case .problem: .needsPerson
            }
        self.finding = finding.text
        fix = finding.fix
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
