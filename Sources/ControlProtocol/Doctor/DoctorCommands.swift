public import ControlLanguage
public import Reporting

extension CommandSection {
    /// Whether everything is as it should be.
    public static let doctor = CommandSection(
        "doctor", [RunChecks.self])
}

public struct RunChecks: Command {
    public static let form = CommandForm<Self, CheckListReply>(
        Self(), "doctor.run", "Check the installation and suggest fixes.", .control, isLong: true, verb: "doctor",
        details: [
            "Prints one line per check: ok, notice or problem, followed by a fix. Without a daemon it checks what "
                + "can be checked from outside. It changes nothing and contacts only the hosts of subscribed feeds. "
                + "--json prints a list of objects with check, outcome (ok, notice, needs-a-person), finding and fix.",
            "The exit status is 0 if there is no problem, else 69.",
        ])
}

extension Finding.Severity: WireScalar {}

extension Finding: RowReply {
    public static let objectName = "Check"
    public static let rowsMember = "checks"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("check", &check, "The name of the check.")
        members.require("outcome", &severity, "`ok`, `notice` or `needs-a-person`.")
        members.declare("finding", &text, "The result, in one line.")
        members.declare("fix", &fix, "What to do about it, in one line.")
    }
}

public typealias CheckListReply = ListReply<Finding>
