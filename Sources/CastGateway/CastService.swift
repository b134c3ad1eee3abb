internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import GatewayKit
internal import PodcastModel
internal import SystemCalls

/// Stands between the daemon, its sound on standard input, and a player in the network.
final class CastService: GatewayService {
    let connection: ControlConnection
    private let output: ToolOutput
    private(set) var isFinished = false

    init(_ connection: ControlConnection, _ output: ToolOutput) {
        (self.connection, self.output) = (connection, output)
        connection.watch([.player, .outputs])
    }

    var waits: [PollEntry] { [PollEntry(0)] }
    var deadline: Instant? { nil }

    func process() throws(ToolFailure) {
        _ = connection.process()
        guard waitForDescriptors(readable: 0, until: .now) else { return }
        isFinished = try ToolFailure.wrapping(.ioError) { try TerminalInput.read(upTo: 4096) }.isEmpty
        try output.flush()
    }
}
