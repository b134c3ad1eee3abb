internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import GatewayKit
internal import PodcastModel

/// podcast-mcp, from command line to exit status.
public enum MCPProgram {
    private static let levels = CommandDeclaration.Permission.allCases.map(\.rawValue)
    private static let permission = OptionDeclaration(
        "permission", nil, "LEVEL", .choice(levels),
        help: "Offer commands up to this permission: read, control or admin (default: read).")
    private static let allTools = OptionDeclaration(
        flag: "all-tools", help: "List every command as a tool, not only the fifteen that most requests need.")

    private static var program: ProgramDeclaration {
        .gateway(
            "podcast-mcp", "Offer the podcast player's commands to language models.",
            details: [
                "Speaks the Model Context Protocol (MCP) on standard input and output, so that an MCP client can start it. Each "
                    + "command of the daemon is a tool: 'queue.list' is the tool queue_list. A client sees the few tools that most requests "
                    + "need, unless --all-tools is given, and may call all. Tools that change something are "
                    + "offered only with --permission control or --permission admin, and the daemon refuses others.",
                "The daemon may be started and stopped while podcast-mcp runs: a call without a daemon fails, and the next one "
                    + "connects again.",
            ],
            options: [permission, allTools], notification: nil,
            ManualNotes(
                statuses: [.success, .usage, .ioError],
                examples: [
                    .init(
                        "{\"mcpServers\": {\"podcastd\": {\"command\": \"podcast-mcp\"}}}",
                        "An entry for the configuration file of an MCP client."),
                    .init("podcast-mcp --permission control", "Also play, queue and mark."),
                ], seeAlso: ["podcastctl(1)", "podcastd(8)", "podcastd-protocol(7)"]))
    }

    /// - Returns: the exit status of the process.
    public static func main() -> Int32 {
        program.runGateway { launch throws(ToolFailure) in
            let permission = launch.parsed.text(permission).flatMap { CommandDeclaration.Permission(rawValue: $0) }
            try MCPService(
                path: launch.socket, permission: permission ?? .read,
                listsAll: launch.parsed.isSet(allTools), output: launch.output
            ).run()
        }
    }
}
