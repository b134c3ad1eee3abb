/// What is going on.
public enum StatusCommand: String, SectionCommands {
    /// The whole status.
    case get
    /// Watches parts.
    case subscribe
    /// Watches them no more.
    case unsubscribe

    /// The section.
    public static let section = CommandDeclaration.Section.status

    /// The command's declaration.
    public var declaration: CommandDeclaration {
        let parts = ParameterDeclaration(
            "parts", .list(.choice(StatusPart.allCases.map(\.name))), help: "Which; all unless given.")
        return switch self {
        case .get:
            declared(
                "Show what is playing and what the daemon is doing.", result: "a `Status` object", .read,
                commandLine: CommandLineForm(["status"], group: "System"))
        case .subscribe:
            declared(
                "Watch parts of the status: the answer is a snapshot, then come `event` notifications.", [parts],
                result: "`seq`, and `parts` with the value of each part watched now", .read)
        case .unsubscribe:
            declared(
                "Watch parts no more.", [parts], result: "`parts`: names of those that are still watched", .read)
        }
    }
}

/// Work in progress, also of other processes.
public enum ActivitiesCommand: String, SectionCommands {
    /// Lists activities.
    case list
    /// Begins one on behalf of the caller.
    case begin
    /// Tells how it goes on.
    case update
    /// Ends it.
    case end

    /// The section.
    public static let section = CommandDeclaration.Section.activities

    /// The command's declaration.
    public var declaration: CommandDeclaration {
        let id = ParameterDeclaration(
            "id", .integer(1...Int64.max), isRequired: true, help: "As `activities.begin` gave it to this connection.")
        let subject = ParameterDeclaration("subject", .string, help: "What it is about, such as a title.")
        let progress = ParameterDeclaration("progress", .number(0...1), help: "How far it is.")
        return switch self {
        case .list:
            declared(
                "Show what the daemon and its helpers are doing.", result: "`activities`: `Activity` objects", .read,
                commandLine: CommandLineForm(["activities"], group: "System"))
        case .begin:
            declared(
                "Begin an activity; it ends with the connection at the latest.",
                [
                    ParameterDeclaration(
                        "kind",
                        .choice(["loading", "buffering", "seeking", "refreshing", "subscribing", "downloading"]),
                        isRequired: true, help: "What sort of work it is."),
                    ParameterDeclaration("message", .string, isRequired: true, help: "For people."), subject, progress,
                    ParameterDeclaration("parent", .integer(1...Int64.max), help: "The activity it is a part of."),
                ], result: "`id`", .control)
        case .update:
            declared(
                "Tell how an activity goes on; what is absent stays.",
                [id, ParameterDeclaration("message", .string, help: "For people."), subject, progress],
                result: "an empty object", .control)
        case .end:
            declared("End an activity.", [id], result: "an empty object", .control)
        }
    }
}

/// Sinks.
public enum OutputsCommand: String, SectionCommands {
    /// Lists outputs.
    case list
    /// Switches one on.
    case enable
    /// Switches one off.
    case disable

    /// The section.
    public static let section = CommandDeclaration.Section.outputs

    /// The command's declaration.
    public var declaration: CommandDeclaration {
        let name = ParameterDeclaration("name", .string, isRequired: true, help: "The output's name.")
        return switch self {
        case .list:
            declared(
                "List the outputs.", result: "`outputs`: `Output` objects", .read,
                commandLine: CommandLineForm(["outputs"], group: "System"))
        case .enable:
            declared(
                "Switch an output on.", [name], result: "an `Output` object", .control,
                commandLine: CommandLineForm(["output", "enable"], group: "System"))
        case .disable:
            declared(
                "Switch an output off.", [name], result: "an `Output` object", .control,
                commandLine: CommandLineForm(["output", "disable"], group: "System"))
        }
    }
}
