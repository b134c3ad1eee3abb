internal import CLinux
internal import Glibc

/// Reports when a program closes a file, also by exiting: inotify(7). One thread at a time.
public final class ClosingWatch: Sendable {
    private let descriptor: FileDescriptor

    /// The file must exist.
    public init(_ path: String) throws(SystemError) {
        descriptor = FileDescriptor(
            owning: try retrying("inotify_init") { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) })
        let raw = descriptor.raw
        try retrying("inotify_add_watch \(path)") {
            unsafe inotify_add_watch(raw, path, UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE))
        }
    }

    /// For poll(2); readable from the first time that the file is closed to the next `take`.
    public var raw: Int32 { descriptor.raw }

    /// True if the file was closed since the last call.
    public func take() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var wasClosed = false
        while unsafe Glibc.read(descriptor.raw, &bytes, bytes.count) > 0 { wasClosed = true }
        return wasClosed
    }
}
