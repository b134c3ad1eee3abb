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
        while try !hasEnded() {
            if !isReady && source.isSettled {
                manager.ready()
                isReady = true
            }
            try wait()
            source.process()
            try checkConnection()
            runner.process()
        }
        manager.stopping()
        runner.stop()
    }

    private func hasEnded() throws(ToolFailure) -> Bool {
        do throws(SystemError) {
            return try signals.next(until: .now) != nil
        } catch {
            throw ToolFailure(.software, error.description)
        }
    }

    private func wait() throws(ToolFailure) {
        let connection = source.connection
        var entries = [PollEntry(signals.raw), PollEntry(connection.descriptor)]
        if connection.wantsWriting { entries.append(PollEntry(connection.descriptor, forWriting: true)) }
        entries += runner.descriptors.map { PollEntry($0) }
        let deadline = [connection.deadline, runner.deadline].compactMap(\.self).min() ?? .distantFuture
        do throws(SystemError) {
            try waitForAny(&entries, until: deadline)
        } catch {
            throw ToolFailure(.software, error.description)
        }
    }

    /// A failure that another attempt cannot change ends the program, so that the service manager reports it.
    private func checkConnection() throws(ToolFailure) {
        guard case .failed(let failure) = source.connection.state else { return }
        let isForbidden = if case .forbidden = failure { true } else { false }
        throw ToolFailure(isForbidden ? .noPermission : .protocolFault, SafeText.line(failure.message))
    }
}
