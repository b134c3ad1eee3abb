struct ServerHandler: CommandHandler {
    let declarations: [CommandDeclaration]
    let serverName: String
    let version: String

    var answers: [AnsweredCommand] { [.atOnce(list), .atOnce(version)] }

    private func list(_ request: ListCommands) -> CommandListReply {
        CommandListReply(declarations.map { CommandReply($0) })
    }

    private func version(_ request: GetVersion) -> VersionReply { VersionReply(server: serverName, version: version) }
}

struct SessionHandler: CommandHandler {
    var answers: [AnsweredCommand] { [.ofConnection(RestrictSession.self), .ofConnection(CallAs.self)] }
}
