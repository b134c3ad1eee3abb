public import Configuration
internal import SerialThreads
internal import Synchronization
public import SystemCalls

/// The file of the settings that clients changed cannot be written: the system's words.
public struct SettingsWriteFailure: Error, Equatable, CustomStringConvertible {
    /// What failed, in one line.
    public let description: String
}

/// The settings that are in effect, and the file that keeps those of clients.
///
/// Changes are made one after another on a thread that may wait for the disk; reads come from any thread.
public final class SettingsService: Sendable {
    /// The settings at one time.
    public struct Values: Sendable {
        public var settings: Settings
        /// The settings at the start, which stay in effect where a change needs a restart.
        public let atStart: Settings

        /// Settings now and at the start.
        init(settings: Settings, atStart: Settings) {
            self.settings = settings
            self.atStart = atStart
        }

        /// The value in effect.
        public func active(_ declaration: SettingDeclaration) -> String {
            (declaration.needsRestart ? atStart : settings)[declaration.key]
        }

        /// The keys of changed settings that take effect at the next start.
        public var waiting: [String] { SettingTable.all.filter { active($0) != settings[$0.key] }.map(\.key) }
    }

    private let state: Mutex<Values>
    private let fault = Mutex<String?>(nil)
    private let path: String
    private let writer: WorkerThread
    private let watcher = Listener<Settings>()

    /// Settings as read at the start; `path` is the file of clients' settings.
    public init(_ settings: Settings, path: String, writer: WorkerThread = WorkerThread(name: .settings)) {
        self.writer = writer
        state = Mutex(Values(settings: settings, atStart: settings))
        self.path = path
    }

    public var current: Values { state.withLock { $0 } }

    /// Why the config file could not be applied when it was read last; nil if it was.
    public var problem: String? { fault.withLock { $0 } }

    /// Records whether the config file could be applied.
    public func note(problem: String?) { fault.withLock { $0 = problem } }

    /// Calls `handler` after each change, from any thread; it must return at once.
    public func observe(_ handler: @escaping @Sendable (Settings) -> Void) { watcher.connect(handler) }

    /// Changes a client's setting; nil removes it. It is on disk when this returns, or nothing has changed.
    /// - Returns: its value before and now; nil if clients set none.
    @discardableResult
    public func set(_ key: String, to value: String?) async throws -> (before: String?, now: String?) {
        try await writer.run { [self] in try change(key, to: value) }
    }

    /// Replaces the settings with those read again, between two changes by clients. Blocks until they are in effect.
    ///
    /// - Parameter read: reads all sources; nil leaves everything as it is. Called on the thread of changes.
    /// - Returns: what was read.
    /// - Throws: `SystemError` if the thread of changes cannot start; nothing has changed then.
    public func reload(_ read: @escaping @Sendable () -> Settings?) throws(SystemError) -> Settings? {
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

    /// Waits for the current change and ends the thread.
    public func close() { writer.finish() }

    private func change(_ key: String, to value: String?) throws -> (before: String?, now: String?) {
        let before = current.settings
        var changed = before
        try changed.set(key, to: value, from: .client)
        try write(changed)
        hold(changed)
        return (before.value(of: key, from: .client), changed.value(of: key, from: .client))
    }

    private func hold(_ settings: Settings) {
        state.withLock { $0.settings = settings }
        watcher.emit(settings)
    }

    /// Writes the file so that a crash or a power cut leaves the old one or the new one.
    private func write(_ settings: Settings) throws(SettingsWriteFailure) {
        do throws(SystemError) {
            try StoredFile.replace(path, with: Array(settings.text(of: .client).utf8), isDurable: true)
        } catch {
            throw SettingsWriteFailure(description: error.description)
        }
    }
}
