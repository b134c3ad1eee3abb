internal import ControlLanguage

/// A command of MPD's protocol, version 0.23. `idle`, command lists and `close` belong to the conversation.
struct MPDCommand {
    typealias Body = @Sendable (MPDSession, _ arguments: [String]) throws -> Void

    let name: String
    let arguments: ClosedRange<Int>
    /// Nil for a command that needs no permission.
    let permission: CommandDeclaration.Permission?
    /// Whether the command waits until the gateway's model of the daemon has the effects of earlier commands.
    let readsModel: Bool
    let body: Body

    init(
        _ name: String, _ arguments: ClosedRange<Int>, _ permission: CommandDeclaration.Permission? = .control,
        readsModel: Bool = true, _ body: @escaping Body
    ) {
        self.name = name
        self.arguments = arguments
        self.permission = permission
        self.body = body
        self.readsModel = readsModel && permission != nil
    }

    /// A command without arguments.
    init(
        _ name: String, _ permission: CommandDeclaration.Permission? = .control, readsModel: Bool = true,
        _ body: @escaping @Sendable (MPDSession) throws -> Void
    ) { self.init(name, 0...0, permission, readsModel: readsModel) { session, _ in try body(session) } }

    static let most = MPDRequest.maximumArguments

    static let all =
        status + outputs + playback + options + queue + playlists + listEdits + search + database + stickers
    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    /// Commands that the conversation executes, for `commands`.
    static let ofConversation = [
        "close", "command_list_begin", "command_list_end", "command_list_ok_begin", "idle", "noidle",
    ]

    func isAllowed(to permission: CommandDeclaration.Permission?) -> Bool {
        guard let needed = self.permission else { return true }
        return permission.map { $0 >= needed } ?? false
    }

    init(_ request: MPDRequest, allowed: CommandDeclaration.Permission?) throws(MPDError) {
        guard let command = Self.byName[request.command] else {
            throw MPDError(.unknownCommand, "unknown command \"\(request.command)\"")
        }
        if !command.isAllowed(to: allowed) {
            throw MPDError(.permission, "you don't have permission for \"\(request.command)\"")
        }
        if request.arguments.count < command.arguments.lowerBound {
            throw .argument("too few arguments for \"\(request.command)\"")
        }
        if request.arguments.count > command.arguments.upperBound {
            throw .argument("too many arguments for \"\(request.command)\"")
        }
        self = command
    }
}
