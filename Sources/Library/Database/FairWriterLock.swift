internal import SystemCalls

/// Makes SQLite's write lock fair between the processes that write one library.
///
/// SQLite's lock is not fair, and a waiting process only polls it: a merge that begins again directly after each commit
/// would keep other writers out until its end. So a process that finds the lock taken announces that it waits, by a
/// shared flock(2) on a separate file, and each writer checks for announcements before it begins. The kernel removes
/// the announcements of a process that exits. Without the file (in a read-only directory) the lock is not fair.
final class FairWriterLock {
    /// Limit for waiting for announced writers, because a stopped process must not block others forever.
    private static let maximumWait = Duration.seconds(1)
    private static let pollInterval = Duration.milliseconds(1)

    private let file: LockFile?

    init(path: String) { file = try? LockFile(opening: path) }

    /// Waits until no other process is announced, up to `maximumWait`.
    func letOthersPass() {
        for _ in 0..<Self.polls(in: Self.maximumWait) {
            guard let file, let isFree = try? file.tryLock() else { return }
            if isFree { return file.unlock() }
            CurrentProcess.sleep(for: Self.pollInterval)
        }
    }

    /// Announces this process and polls. Returns true if `isDone` returned true in time.
    func wait(atMost time: Duration, _ isDone: () throws -> Bool) throws -> Bool {
        try? file?.lockShared()
        defer { file?.unlock() }
        for _ in 0..<max(Self.polls(in: time), 1) {
            CurrentProcess.sleep(for: Self.pollInterval)
            if try isDone() { return true }
        }
        return false
    }

    private static func polls(in time: Duration) -> Int { Int(time / pollInterval) }
}
