internal import SystemCalls

/// Turns between two writers of one library.
///
/// SQLite's lock is not fair, and a waiting process only polls it: a merge that commits and begins again at once would
/// keep other writers out until its end. So a process that finds the lock taken announces that it waits, by a shared
/// flock(2) on a separate file, and each writer checks for announcements before it begins. The kernel removes those of a
/// process that exits. Without the file (in a read-only directory) the lock is not fair.
final class WriterTurnstile {
    /// Milliseconds that a waiting process gets at most, because a stopped one must not block others forever.
    private static let courtesy = 1_000

    private let file: LockFile?

    init(path: String) { file = try? LockFile(opening: path) }

    /// Waits until no other process is announced, up to `courtesy` milliseconds.
    func letOthersPass() {
        for _ in 0..<Self.courtesy {
            guard let file, let isFree = try? file.tryLock() else { return }
            if isFree { return file.unlock() }
            CurrentProcess.sleep(for: .milliseconds(1))
        }
    }

    /// Announces itself and tries every millisecond, up to a time.
    /// - Returns: whether a try succeeded.
    func wait(milliseconds: Int32, _ isDone: () throws -> Bool) throws -> Bool {
        try? file?.lockShared()
        defer { file?.unlock() }
        for _ in 0..<max(milliseconds, 1) {
            CurrentProcess.sleep(for: .milliseconds(1))
            if try isDone() { return true }
        }
        return false
    }
}
