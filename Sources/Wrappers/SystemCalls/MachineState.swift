internal import CLinux
internal import Glibc

/// Room on a file system: statvfs(3).
public struct DiskRoom: Equatable, Sendable {
    /// Bytes that this user may still write.
    public var free: Int64
    /// Bytes that there are.
    public var total: Int64

    public init(free: Int64, total: Int64) {
        self.free = free
        self.total = total
    }

    /// The room where a path is, or will be: of the nearest folder that is there.
    public init(at path: String) throws(SystemError) {
        var status = statvfs()
        var place = path[...]
        while true {
            let name = place.isEmpty ? "/" : String(place)
            if unsafe statvfs(name, &status) == 0 { break }
            guard errno == ENOENT, let slash = place.lastIndex(of: "/") else {
                throw SystemError.last("statvfs \(name)")
            }
            place = place[..<slash]
        }
        let block = Int64(clamping: status.f_frsize)
        free = Int64(clamping: status.f_bavail).multipliedClamping(by: block)
        total = Int64(clamping: status.f_blocks).multipliedClamping(by: block)
    }
}

extension Int64 {
    fileprivate func multipliedClamping(by other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}

/// Whether something keeps the system's clock right: adjtimex(2), `STA_UNSYNC`. Nil where the kernel does not tell.
public func isClockKept() -> Bool? {
    switch shim_clock_is_kept() {
    case 1: true
    case 0: false
    default: nil
    }
}

/// The id that the kernel gave this boot: random(4). Nil if /proc hides it.
public func bootIdentifier() -> String? {
    guard let file = try? FileDescriptor.open("/proc/sys/kernel/random/boot_id", O_RDONLY),
        let bytes = try? StoredFile.read(file.raw, at: 0, count: 64)
    else { return nil }
    return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
}

/// The kernel's version of Landlock; 0 where there is none: landlock_create_ruleset(2).
public func landlockVersion() -> Int { max(0, Int(shim_landlock_version())) }

/// What is at a path, as far as this user may know: access(2).
public enum PathState: Equatable, Sendable {
    case missing
    /// Something that this user may read and write.
    case open
    /// Something that this user may not both read and write, or a folder on the way that may not be searched.
    case closed

    /// Looks at a path.
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

/// What answers at a socket's path.
public enum SocketState: Equatable, Sendable {
    /// There is no such path.
    case missing
    /// A socket that nobody serves.
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
