internal import CommandLineTool
internal import Glibc
internal import HookGateway
internal import MCPGateway
internal import MPDGateway
internal import MPRISGateway
internal import OutputGateway
internal import SyncGateway
internal import SystemCalls
internal import WebGateway

/// The gateways, by the names of the links to this program.
let gateways: [(name: String, main: () -> Int32)] = [
    ("podcast-hooks", HookProgram.main), ("podcast-mcp", MCPProgram.main), ("podcast-mpd", MPDProgram.main),
    ("podcast-mpris", MPRISProgram.main), ("podcast-output", OutputProgram.main),
    ("podcast-snapcast", SnapcastProgram.main), ("podcast-sync", SyncProgram.main), ("podcast-web", WebProgram.main),
]
guard let gateway = gateways.first(where: { $0.name == CommandLine.programName }) else {
    let names = gateways.map(\.name).joined(separator: ", ")
    let isHelp = CommandLine.arguments.dropFirst().first == "--help"
    let text = isHelp ? "the program of all gateways of podcastd; each is" : "start it by the name of a gateway"
    let line = "podcast-gateways: \(text): \(names)\n"
    try? FileDescriptor.write(isHelp ? STDOUT_FILENO : STDERR_FILENO, Array(line.utf8))
    exit(isHelp ? EX_OK : EX_USAGE)
}
exit(gateway.main())
