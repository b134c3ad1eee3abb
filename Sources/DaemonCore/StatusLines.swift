internal import Diagnostics
internal import Synchronization

/// Passes lines on to the service manager, each only when it differs from the one before.
final class StatusLines: Sendable {
    private let notifier: ServiceNotifier
    private let last = Mutex("")

    init(_ notifier: ServiceNotifier) { self.notifier = notifier }

    func send(_ line: String) {
        last.withLock { last in
            if last != line, notifier.status(line) { last = line }
        }
    }
}
