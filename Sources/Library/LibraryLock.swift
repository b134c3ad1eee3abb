internal import Glibc

/// A library that somebody else holds, or a lock file that cannot be had.
public enum LibraryLockError: Error, Equatable, Sendable {
    /// Another process has it: its number, when the file tells.
    case held(process: Int32?)
    /// The lock file cannot be opened or locked; the system's words with the path.
    case unavailable(String)
}

/// Holds a role on a library: one daemon and one refresher at a time, each on its own file.
///
/// The lock is flock(2)'s: the kernel drops it with the process, however that ends, so the file itself may stay
/// lying about and is never removed. The lock is also not inherited by programs started: its descriptor is closed
/// on exec.
public final class LibraryLock {
    /// What a process does with the library.
    public enum Role: String, Sendable {
        /// The daemon: `library.lock`.
        case daemon = "library.lock"
        /// podcast-refresh: `refresh.lock`.
        case refresher = "refresh.lock"
    }

    // A look by `isHeld` takes microseconds; two of them in a row are no reason to refuse anybody.
    private static let attempts = 5
    private static let pause: UInt32 = 10_000

    private let descriptor: Int32

    /// Takes the role. Waits for nobody who has it, but for a moment for those who only look.
    ///
    /// - Parameters:
    ///   - role: which one.
    ///   - directory: the library's folder.
    /// - Throws: `held` with the holder's process number, or `unavailable`.
    public init(_ role: Role, in directory: String) throws(LibraryLockError) {
        let path = "\(directory)/\(role.rawValue)"
        let opened = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { throw .unavailable("\(path): \(String(cString: strerror(errno)))") }
        // Whatever the mask of the process, and whatever an earlier version gave it.
        _ = fchmod(opened, 0o600)
        var attempt = 1
        while flock(opened, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            if code == EWOULDBLOCK, attempt < Self.attempts {
                attempt += 1
                usleep(Self.pause)
                continue
            }
            let holder = Self.process(in: opened)
            Glibc.close(opened)
            if code == EWOULDBLOCK { throw .held(process: holder) }
            throw .unavailable("\(path): \(String(cString: strerror(code)))")
        }
        descriptor = opened
        // The number only informs whoever is refused; that it could not be written, on a full disk, harms nobody.
        let text = "\(getpid())\n"
        if ftruncate(opened, 0) == 0 { _ = text.withCString { pwrite(opened, $0, strlen($0), 0) } }
    }

    deinit { Glibc.close(descriptor) }

    /// Whether somebody has the role now. Nothing is made where there is no library yet.
    public static func isHeld(_ role: Role, in directory: String) -> Bool {
        let opened = Glibc.open("\(directory)/\(role.rawValue)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else { return false }
        defer { Glibc.close(opened) }
        return flock(opened, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private static func process(in descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count].prefix { $0 != 10 }, as: UTF8.self))
    }
}
