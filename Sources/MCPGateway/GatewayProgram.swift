public import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import Glibc
internal import SystemCalls

/// podcast-mcp, from command line to exit status.
public enum GatewayProgram {
    /// - Returns: the exit status of the process.
    public static func main() -> Int32 {
        CurrentProcess.ignore(SIGPIPE)
        return program.run { parsed, output throws(ToolFailure) in
            let place = SocketDiscovery(explicit: parsed.text(socket), variable: CurrentProcess.variable)
            let word = parsed.text(permission) ?? parsed.text(allow)
            let level = word.flatMap { CommandDeclaration.Permission(name: $0) } ?? .read
            try GatewayLoop(
                path: place.path, permission: level, listsAll: parsed.isSet(allTools), output: output
            ).run()
            return .success
        }.rawValue
    }

    private static let levels = CommandDeclaration.Permission.allCases.map(\.name)
    static let socket = OptionDeclaration("socket", nil, "PATH", .file, help: "The daemon's control socket.")
    static let permission = OptionDeclaration(
        "permission", nil, "LEVEL", .choice(levels),
        help: "Offer commands up to this permission: read, control or admin (default: read).")
    static let allow = OptionDeclaration(
        "allow", nil, "LEVEL", .choice(levels), isHidden: true, help: "The same as --permission.")

    static let allTools = OptionDeclaration(
        flag: "all-tools", help: "List every command as a tool, not only the fifteen that most requests need.")

    /// Help, manual and completions come from it.
    public static var program: ProgramDeclaration {
        ProgramDeclaration(
            "podcast-mcp", "Offer the podcast player's commands to language models.",
            details: [
                "Speaks the Model Context Protocol (MCP) on standard input and output, so that an MCP client can start it. Each "
                    + "command of the daemon is a tool: 'queue.list' is the tool queue_list. A client sees the few tools that most requests "
                    + "need, unless --all-tools is given, and may call all. Tools that change something are "
                    + "offered only with --permission control or --permission admin, and the daemon refuses others.",
                "The daemon may be started and stopped while podcast-mcp runs: a call without a daemon fails, and the next one "
                    + "connects again.",
            ],
            options: [socket, permission, allTools, allow],
            manual: ManualNotes(
                statuses: [.success, .usage, .ioError],
                environment: [
                    .init("PODCASTD_SOCKET", "The daemon's control socket; --socket takes precedence.")
                ],
                examples: [
                    .init(
                        "{\"mcpServers\": {\"podcastd\": {\"command\": \"podcast-mcp\"}}}",
                        "An entry for the configuration file of an MCP client."),
                    .init("podcast-mcp --permission control", "Also play, queue and mark."),
                ], seeAlso: ["podcastctl(1)", "podcastd(8)", "podcastd-protocol(7)"]))
    }
}
