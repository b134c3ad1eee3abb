extension CommandSection {
    public static let server = CommandSection(
        "server", [ListCommands.self, GetVersion.self])
}

public struct ListCommands: Command {
    public static let form = CommandForm<CommandListReply>(
        "server.commands", "List all commands with their parameters.",
        result: "`commands`: a list of `Command` objects, in the order of this manual", .read,
        commandLine: CommandLineForm(["commands"], group: "System"))
    public init() {}
}

public struct GetVersion: Command {
    public static let form = CommandForm<VersionReply>(
        "server.version", "Show the versions of this program and of the daemon.",
        result: "`server`, `version`, `protocol`", .read,
        commandLine: CommandLineForm(["version"], group: "System"))
    public init() {}
}
