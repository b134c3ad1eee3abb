internal import CommandLineTool
internal import ControlClient
internal import GatewayKit
internal import PodcastModel
internal import SystemCalls

/// Runs programs on what the daemon tells.
final class HookService: GatewayService {
    private let source: HookSource
    private let runner: HookRunner

    init(source: HookSource, runner: HookRunner) { (self.source, self.runner) = (source, runner) }

    var connection: ControlConnection { source.connection }
    var waits: [PollEntry] { runner.descriptors.map { PollEntry($0) } }
    var deadline: Instant? { runner.deadline }
    var isReady: Bool { source.isSettled }

    func process() {
        source.process()
        runner.process()
    }

    func stop() { runner.stop() }
}
