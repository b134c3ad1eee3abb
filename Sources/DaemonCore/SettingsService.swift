internal import Configuration
internal import ControlProtocol
internal import Synchronization
internal import SystemCalls

/// The settings that hold, and the file in which those of clients are kept.
///
/// Changes are made one after another on a thread that may wait for the disk; reading is from any thread.
final class SettingsService: Sendable {
    /// The settings at one time.
    struct Values: Sendable {
        /// What is set.
        var settings: Settings
        /// What was set at the start: what needs a restart still works with this.
        let atStart: Settings

        /// What the daemon works with.
        func active(_ declaration: SettingDeclaration) -> String {
            (declaration.needsRestart ? atStart : settings)[declaration.key]
        }
    }

    private let state: Mutex<Values>
    private let path: String
    private let writer: WorkerThread
    private let watcher = Listener<Settings>()

    /// Settings as read at the start; `path` is the file for clients' words.
    init(_ settings: Settings, path: String, writer: WorkerThread = WorkerThread(name: "settings")) {
        self.writer = writer
        state = Mutex(Values(settings: settings, atStart: settings))
        self.path = path
    }

    /// The settings now.
    var current: Values { state.withLock { $0 } }

    /// Calls `handler` after each change, from any thread; it must return at once.
    func observe(_ handler: @escaping @Sendable (Settings) -> Void) { watcher.connect(handler) }

    /// Sets a client's word; nil takes it back. It is on disk when this returns, or nothing has changed.
    func set(_ key: String, to value: String?) async throws {
        try await writer.run { [self] in try change(key, to: value) }
    }

    /// Takes in settings that are read again, between two changes by clients. Waits until they hold.
    ///
    /// - Parameter read: reads all sources; nil leaves everything as it is. Called on the thread of changes.
    /// - Returns: what was read.
    /// - Throws: `SystemError` when the thread of changes cannot start; nothing has changed then.
    func reload(_ read: @escaping @Sendable () -> Settings?) throws(SystemError) -> Settings? {
        let done = Semaphore()
        let result = Mutex<Settings?>(nil)
        try writer.submit { [self] in
            if let fresh = read() {
                result.withLock { $0 = fresh }
                hold(fresh)
            }
            done.post()
        }
        done.wait()
        return result.withLock { $0 }
    }

    /// Waits for what is being written.
    func close() { writer.finish() }

    private func change(_ key: String, to value: String?) throws {
        var changed = current.settings
        try changed.set(key, to: value, from: .client)
        try write(changed)
        hold(changed)
    }

    private func hold(_ settings: Settings) {
        state.withLock { $0.settings = settings }
        watcher.tell(settings)
    }

    /// Writes the file so that a crash or a power cut leaves the old one or the new one.
    private func write(_ settings: Settings) throws(ControlError) {
        do throws(SystemError) {
            try StoredFile.replace(path, with: Array(settings.text(of: .client).utf8), isDurable: true)
        } catch {
            throw ControlError(
                .storageFailed, error.description, hint: "the setting stays as it was; mend that and try again")
        }
    }
}
