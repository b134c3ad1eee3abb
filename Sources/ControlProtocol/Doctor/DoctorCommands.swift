public import ControlLanguage

extension CommandSection {
    /// Whether everything is as it should be.
    public static let doctor = CommandSection(
        "doctor", [RunChecks.self])
}

/// Checks everything that only the daemon can see.
public struct RunChecks: Command {
    public static let form = CommandForm<CheckListReply>(
        "doctor.run", "Check the installation and suggest fixes.",
        result: "`checks`: `Check` objects of the daemon's checks, always in the same order", .control, isLong: true,
        commandLine: CommandLineForm(
            ["doctor"], group: "System",
            details: [
                "Prints one line per check: ok, notice or problem, followed by a fix. Without a daemon it checks what "
                    + "can be checked from outside. It changes nothing and contacts only the hosts of subscribed feeds. "
                    + "--json prints a list of objects with check, outcome (ok, notice, needs-a-person), finding and fix.",
                "The exit status is 0 if there is no problem, else 69.",
            ]))
    public init() {}
}
