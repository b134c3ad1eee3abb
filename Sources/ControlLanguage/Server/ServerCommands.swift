extension CommandSection {
    public static let server = CommandSection(
        "server", [ListCommands.self, GetVersion.self])
}

public struct ListCommands: Command {
    public static let form = CommandForm<Self, CommandListReply>(
        Self(), "server.commands", "List all commands with their parameters.", .read, verb: "commands")
}

public struct GetVersion: Command {
    public static let form = CommandForm<Self, VersionReply>(
        Self(), "server.version", "Show the versions of this program and of the daemon.", .read, verb: "version")
}

struct ServerHandler {
    let declarations: [CommandDeclaration]
    let version: String

    var answers: [AnsweredCommand] { [.atOnce(list), .atOnce(version)] }

    private func list(_ request: ListCommands) -> CommandListReply {
        CommandListReply(declarations.map { CommandReply($0) })
    }

    private func version(_ request: GetVersion) -> VersionReply { VersionReply(version: version) }
}
