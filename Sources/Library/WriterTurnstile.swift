internal import Glibc

/// Turns between two writers of one library.
///
/// SQLite's lock is taken by whoever tries first, and one who waits only tries now and then: a merge that commits and
/// begins again at once would keep everybody else out until its end. So who finds the lock taken announces it, by a
/// shared flock(2) on a file of its own, and who begins looks for announcements first. The kernel forgets those of a
/// process that ends. Without the file (a folder that cannot be written) there are no turns.
final class WriterTurnstile {
    /// Milliseconds that somebody who waits is given at most: a stopped process must not hold up the others for good.
    private static let courtesy = 1_000

    private let descriptor: Int32

    init(path: String) {
        descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        // Whatever the mask of the process, and whatever an earlier version gave it.
        _ = fchmod(descriptor, 0o600)
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Waits until nobody is announced any more, but not long.
    func letOthersPass() {
        guard descriptor >= 0 else { return }
        for _ in 0..<Self.courtesy {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                flock(descriptor, LOCK_UN)
                return
            }
            if errno != EWOULDBLOCK && errno != EINTR { return }
            usleep(1_000)
        }
    }

    /// Announces itself and tries every millisecond, up to a time.
    /// - Returns: whether a try succeeded.
    func wait(milliseconds: Int32, _ isDone: () throws -> Bool) throws -> Bool {
        if descriptor >= 0 { while flock(descriptor, LOCK_SH) != 0 && errno == EINTR {} }
        defer { if descriptor >= 0 { flock(descriptor, LOCK_UN) } }
        for _ in 0..<max(milliseconds, 1) {
            usleep(1_000)
            if try isDone() { return true }
        }
        return false
    }
}
