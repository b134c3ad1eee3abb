internal import Configuration
internal import ControlProtocol
internal import Glibc
internal import Synchronization
internal import SystemCalls

/// The settings that hold, and the file in which those of clients are kept.
final class SettingsService: Sendable {
    private let state: Mutex<Settings>
    private let path: String
    private let writer = WorkerThread(name: "settings")
    private let watcher = Mutex<@Sendable (Settings) -> Void>({ _ in })

    /// Settings as read at the start; `path` is the file for clients' words.
    init(_ settings: Settings, path: String) {
        state = Mutex(settings)
        self.path = path
    }

    /// The settings now.
    var current: Settings { state.withLock { $0 } }

    /// Calls `handler` after each change, from any thread; it must return at once.
    func observe(_ handler: @escaping @Sendable (Settings) -> Void) { watcher.withLock { $0 = handler } }

    /// Sets a client's word; nil takes it back. It is on disk when this returns.
    func set(_ key: String, to value: String?) async throws {
        let changed = try state.withLock { settings in
            try settings.set(key, to: value, from: .client)
            return settings
        }
        let text = changed.text(of: .client)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            writer.submit { [path] in
                continuation.resume(with: Result { try Self.replace(path, with: text) })
            }
        }
        watcher.withLock { $0 }(changed)
    }

    /// Takes in settings that were read again, at a reload.
    func replace(with settings: Settings) {
        state.withLock { $0 = settings }
        watcher.withLock { $0 }(settings)
    }

    /// Waits for what is being written.
    func close() { writer.finish() }

    /// Writes a file so that a crash leaves the old one or the new one: rename(2) after fsync(2).
    private static func replace(_ path: String, with text: String) throws(ControlError) {
        let fresh = path + ".new"
        do throws(SystemError) {
            let file = try FileDescriptor.open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
            let number = file.raw
            let bytes = Array(text.utf8)
            let written = try retrying("write \(fresh)") { write(number, bytes, bytes.count) }
            guard written == bytes.count else { throw SystemError(code: ENOSPC, call: "write \(fresh)") }
            try retrying("fsync \(fresh)") { fsync(number) }
            try file.close()
            try retrying("rename \(fresh)") { rename(fresh, path) }
        } catch {
            unlink(fresh)
            throw ControlError(.storageFailed, error.description, hint: "the setting holds until the daemon ends")
        }
    }
}
