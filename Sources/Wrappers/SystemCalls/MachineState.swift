internal import CLinux
internal import Glibc

/// Bytes that this user may still write to a file system: statvfs(3). Nil if unknown.
/// - Parameter path: may not exist yet; the nearest existing directory counts.
public func freeDiskBytes(at path: String) -> Int64? {
    var status = statvfs()
    var place = path[...]
    while unsafe statvfs(place.isEmpty ? "/" : String(place), &status) != 0 {
        guard errno == ENOENT, let slash = place.lastIndex(of: "/") else { return nil }
        place = place[..<slash]
    }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
}

/// True if a time service keeps the system's clock right: adjtimex(2), `STA_UNSYNC`. Nil if unknown.
public func isClockKept() -> Bool? {
    switch shim_clock_is_kept() {
    case 1: true
    case 0: false
    default: nil
    }
}

/// The kernel's id of this boot: random(4). Nil if /proc hides it.
public func bootIdentifier() -> String? {
    StoredFile.text(of: "/proc/sys/kernel/random/boot_id", upTo: 64).map { String($0.prefix { $0 > " " }) }
}

/// The state of a path, as far as this user may know: access(2).
public enum PathState: Sendable {
    case missing
    /// This user may read and write the object.
    case open
    /// This user may not both read and write the object, or may not search a directory on the way.
    case closed

    public init(of path: String) {
        if unsafe access(path, R_OK | W_OK) == 0 {
            self = .open
        } else if errno == EACCES || errno == EPERM || errno == EROFS {
            self = .closed
        } else {
            self = .missing
        }
    }
}

/// The state of a socket's path.
public enum SocketState: Sendable {
    case missing
    /// A socket that no process serves.
    case dead
    /// This user may not connect.
    case forbidden
    case serving

    /// Connects for a moment: connect(2).
    public init(of path: String) {
        do throws(SystemError) {
            _ = try LocalSocket.connect(to: path)
            self = .serving
        } catch {
            switch error.code {
            case EACCES, EPERM: self = .forbidden
            case ECONNREFUSED, ECONNRESET: self = .dead
            default: self = .missing
            }
        }
    }
}
