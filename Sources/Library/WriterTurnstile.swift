internal import SystemCalls

/// Turns between two writers of one library.
///
/// SQLite's lock is taken by whoever tries first, and one who waits only tries now and then: a merge that commits and
/// begins again at once would keep everybody else out until its end. So who finds the lock taken announces it, by a
/// shared flock(2) on a file of its own, and who begins looks for announcements first. The kernel forgets those of a
/// process that ends. Without the file (a folder that cannot be written) there are no turns.
final class WriterTurnstile {
    /// Milliseconds that somebody who waits is given at most: a stopped process must not hold up the others for good.
    private static let courtesy = 1_000

    private let file: LockFile?

    init(path: String) { file = try? LockFile(opening: path) }

    /// Waits until nobody is announced any more, but not long.
    func letOthersPass() {
        for _ in 0..<Self.courtesy {
            guard let file, let isFree = try? file.tryLock() else { return }
            if isFree { return file.unlock() }
            CurrentProcess.sleep(milliseconds: 1)
        }
    }

    /// Announces itself and tries every millisecond, up to a time.
    /// - Returns: whether a try succeeded.
    func wait(milliseconds: Int32, _ isDone: () throws -> Bool) throws -> Bool {
        try? file?.lockShared()
        defer { file?.unlock() }
        for _ in 0..<max(milliseconds, 1) {
            CurrentProcess.sleep(milliseconds: 1)
            if try isDone() { return true }
        }
        return false
    }
}
