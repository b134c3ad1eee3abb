internal import CommandLineTool
internal import ControlClient
internal import Diagnostics
internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// The loop between the daemon and the programs.
struct HookLoop: ~Copyable {
    private let source: HookSource
    private let runner: HookRunner
    private let signals: SignalDescriptor

    init(source: HookSource, runner: HookRunner) throws(ToolFailure) {
        do throws(SystemError) {
            signals = try SignalDescriptor(catching: [SIGTERM, SIGINT, SIGHUP])
        } catch {
            throw ToolFailure(.software, error.description)
        }
        (self.source, self.runner) = (source, runner)
    }

    /// Works until a signal ends it.
    func run() throws(ToolFailure) {
        let manager = ServiceNotifier.fromEnvironment()
        var isReady = false
        do throws(SystemError) {
            while try signals.next(until: .now) == nil {
                if !isReady && source.isSettled {
                    manager.ready()
                    isReady = true
                }
                try wait()
                source.process()
                runner.process()
            }
        } catch {
            throw ToolFailure(.software, error.description)
        }
        manager.stopping()
        runner.stop()
    }

    private func wait() throws(SystemError) {
        let connection = source.connection
        var entries = [PollEntry(signals.raw), PollEntry(connection.descriptor)]
        if connection.wantsWriting { entries.append(PollEntry(connection.descriptor, forWriting: true)) }
        entries += runner.descriptors.map { PollEntry($0) }
        let deadline = [connection.deadline, runner.deadline].compactMap(\.self).min() ?? .distantFuture
        try waitForAny(&entries, until: deadline)
    }
}
