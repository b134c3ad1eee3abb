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
    /// What was looked at: a word or two that stay the same.
    public var check = ""
    /// How it came out.
    public var outcome = CheckOutcome.ok
    /// What was seen, in one line.
    public var finding = ""
    /// What to do about it: one command or sentence; nil when there is nothing to do.
    public var fix: String?

    /// A check of which nothing is known.
    public init() {}

    private init(_ check: String, _ outcome: CheckOutcome, _ finding: String, _ fix: String?) {
        self.check = check
        self.outcome = outcome
        self.finding = finding
        self.fix = fix
    }

    /// All is well.
    public static func ok(_ check: String, _ finding: String) -> CheckReply { CheckReply(check, .ok, finding, nil) }

    /// Good to know.
    public static func notice(_ check: String, _ finding: String, fix: String) -> CheckReply {
        CheckReply(check, .notice, finding, fix)
    }

    /// Somebody has to do something.
    public static func needsPerson(_ check: String, _ finding: String, fix: String) -> CheckReply {
        CheckReply(check, .needsPerson, finding, fix)
    }

    /// Its name in the manual.
    public static let objectName = "Check"
    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("check", &check, isRequired: true, "What was looked at.")
        members.declare("outcome", &outcome, isRequired: true, "`ok`, `notice` or `needs-a-person`.")
        members.declare("finding", &finding, "What was seen, in one line.")
        members.declare("fix", &fix, "What to do about it, in one line.")
    }
}

/// What `doctor.run` answers.
public struct CheckListReply: ReplyObject {
    /// All checks of the daemon.
    public var checks: [CheckReply] = []

    /// No check.
    public init() {}
    /// Some checks.
    public init(_ checks: [CheckReply]) { self.checks = checks }

    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("checks", &checks) }
}
