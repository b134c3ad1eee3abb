internal import CastGateway
internal import CommandLineTool
internal import Glibc
internal import HookGateway
internal import MCPGateway
internal import MPDGateway
internal import MPRISGateway
internal import SnapcastGateway
internal import SyncGateway
internal import SystemCalls
internal import WebGateway

/// The gateways, by the names of the links to this program.
let gateways: [(name: String, main: () -> Int32)] = [
    ("podcast-cast", CastProgram.main), ("podcast-hooks", HookProgram.main), ("podcast-mcp", MCPProgram.main),
    ("podcast-mpd", MPDProgram.main), ("podcast-mpris", MPRISProgram.main), ("podcast-snapcast", SnapcastProgram.main),
    ("podcast-sync", SyncProgram.main), ("podcast-web", WebProgram.main),
]
guard let gateway = gateways.first(where: { $0.name == CommandLine.programName }) else {
    let names = gateways.map(\.name).joined(separator: ", ")
    try? FileDescriptor.write(
        STDERR_FILENO, Array("podcast-gateways: start it by the name of a gateway: \(names)\n".utf8))
    exit(EX_USAGE)
}
exit(gateway.main())
