/// The server itself.
public enum ServerCommand: String, SectionCommands {
    /// Lists all declarations.
    case commands
    /// Tells who answers.
    case version

    /// The section.
    public static let section = CommandDeclaration.Section.server

    /// The command's declaration.
    public var declaration: CommandDeclaration {
        switch self {
        case .commands:
            declared(
                "List all commands with their parameters.",
                result: "`commands`: a list of `Command` objects, in the order of this manual", .read,
                commandLine: CommandLineForm(["commands"], group: "System"))
        case .version:
            declared(
                "Show the versions of this program and of the daemon.", result: "`server`, `version`, `protocol`",
                .read,
                commandLine: CommandLineForm(["version"], group: "System"))
        }
    }
}

/// This connection.
public enum SessionCommand: String, SectionCommands {
    /// Gives permissions up for good.
    case restrict
    /// Calls one command with less permission.
    case `as`

    /// The section.
    public static let section = CommandDeclaration.Section.session

    /// The command's declaration.
    public var declaration: CommandDeclaration {
        let permission = ParameterDeclaration(
            "permission", .choice(CommandDeclaration.Permission.allCases.map(\.name)), isRequired: true,
            help: "The highest permission that is left.")
        return switch self {
        case .restrict:
            declared(
                "Narrow what this connection may do, for good; more than it has is refused.", [permission],
                result: "`permission`", .read)
        case .as:
            declared(
                "Call one command with less permission, for a gateway whose own clients share the connection.",
                [
                    permission,
                    ParameterDeclaration(
                        "method", .string, isRequired: true,
                        help: "The command; not one of `session`, and no subscription."),
                    ParameterDeclaration("params", .object, help: "Its parameters."),
                ], result: "what the command answers", .read)
        }
    }
}
