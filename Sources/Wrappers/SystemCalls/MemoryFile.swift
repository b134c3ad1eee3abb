internal import CLinux
internal import Glibc

/// A file without a name that is kept in memory, for bytes that another process is to read: memfd_create(2). Takes memory as it
/// is written; any thread.
public final class MemoryFile: Sendable {
    /// Bytes that it may hold; users stay within.
    public let capacity: Int64
    private let file: FileDescriptor

    public init(name: String, capacity: Int64) throws(SystemError) {
        self.capacity = capacity
        file = FileDescriptor(owning: try retrying("memfd_create") { unsafe shim_memfd_create(name) })
    }

    /// Another descriptor of it, for reading only.
    public func openForReading() throws(SystemError) -> FileDescriptor {
        try FileDescriptor.open("/proc/self/fd/\(file.raw)", O_RDONLY)
    }

    /// Another descriptor of it.
    public func openForWriting() throws(SystemError) -> FileDescriptor { try file.duplicate() }

    public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
        try unsafe StoredFile.write(file.raw, at: offset, bytes)
    }

    /// Reads at an offset; fewer bytes than asked for at the end.
    public func read(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
        try StoredFile.read(file.raw, at: offset, count: count)
    }
}
