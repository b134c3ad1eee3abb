public import ControlLanguage

extension CommandSection {
    /// Whether everything is as it should be.
    public static let doctor = CommandSection("doctor") { DoctorSection.commands.types }
}

public enum DoctorSection {
    public static let commands = CommandList(RunChecks.self)
}

/// Checks everything that only the daemon can see.
public struct RunChecks: Command {
    public static let form = CommandForm<CheckListReply>(
        "doctor.run", "Check that everything is as it should be, and say how to mend what is not.",
        result: "`checks`: `Check` objects of what the daemon sees, always in the same order", .control, isLong: true,
        commandLine: CommandLineForm(
            ["doctor"], group: "System",
            details: [
                "Each check is one line: ok, notice for what is good to know, or needs you, with what to do below it. "
                    + "Without a daemon everything that can be seen from outside is checked. Nothing is changed, "
                    + "and nobody but the hosts of subscribed feeds is asked. --json prints a list of objects "
                    + "with check, outcome (ok, notice, needs-a-person), finding and fix.",
                "Ends with 0 when no check needs a person, else with 69.",
            ]))
    public init() {}
}
