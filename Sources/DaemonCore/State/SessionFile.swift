internal import Reporting
internal import Synchronization
internal import SystemCalls

/// The file `DATA/session`, which keeps a `PlayerSession`. Changes come from any thread; the file is written on a separate one.
final class SessionFile: Sendable {
    private struct State {
        var session: PlayerSession
        var stored: PlayerSession
        /// Whether the daemon is stopping, which must not look like a stop by the user.
        var isFrozen = false
        var isFailing = false
    }

    private let path: String
    private let logger: Logger
    private let writer = WorkerThread(name: .session)
    private let state: Mutex<State>

    /// Reads the file; without one that can be read everything is at its default.
    init(_ path: String, logger: Logger) {
        self.path = path
        self.logger = logger
        let stored = (try? StoredFile.contents(of: path, limit: 1 << 16)).flatMap(PlayerSession.init)
        let session = stored ?? PlayerSession()
        state = Mutex(State(session: session, stored: session))
    }

    var session: PlayerSession { state.withLock { $0.session } }

    /// Changes the session, on disk when this returns. After a failure, which is logged too, the change is in effect.
    func save(_ change: (inout PlayerSession) -> Void) async throws {
        guard note(change) else { return }
        if let failure = try await writer.run({ [self] in write() }) { throw failure }
    }

    /// Changes the session and returns at once.
    func saveSoon(_ change: (inout PlayerSession) -> Void) {
        guard note(change) else { return }
        try? writer.submit { [self] in write() }
    }

    func freeze() { state.withLock { $0.isFrozen = true } }

    /// Writes the last change and ends the thread.
    func close() { writer.finish() }

    /// - Returns: whether there is something to write.
    private func note(_ change: (inout PlayerSession) -> Void) -> Bool {
        state.withLock { state in
            if state.isFrozen { return false }
            change(&state.session)
            return state.session != state.stored
        }
    }

    /// Several changes in quick succession are written once.
    /// - Returns: why the file could not be written.
    @discardableResult
    private func write() -> SystemError? {
        let session = state.withLock { $0.session == $0.stored ? nil : $0.session }
        guard let session else { return nil }
        do throws(SystemError) {
            try StoredFile.replace(path, with: Array(session.text.utf8), isDurable: true)
            state.withLock { state in
                state.stored = session
                state.isFailing = false
            }
            // By now the session may have changed again, even back to the former one.
            return write()
        } catch {
            if !state.withLock({ exchange(&$0.isFailing, with: true) }) {
                logger.log(.warning, .daemon, "volume and outputs cannot be saved: \(error)")
            }
            return error
        }
    }
}
