internal import CLinux
internal import Glibc

/// A nameless file in memory for another process: memfd_create(2). Allocates as it is written. Any thread.
public final class MemoryFile: Sendable {
    private let file: FileDescriptor

    public init(name: String) throws(SystemError) {
        file = FileDescriptor(owning: try retrying("memfd_create") { unsafe shim_memfd_create(name) })
    }

    /// Another descriptor, for reading only.
    public func openForReading() throws(SystemError) -> FileDescriptor {
        try FileDescriptor.open("/proc/self/fd/\(file.raw)", O_RDONLY)
    }

    public func openForWriting() throws(SystemError) -> FileDescriptor { try file.duplicate() }

    public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
        try unsafe StoredFile.write(file.raw, at: offset, bytes)
    }

    /// Returns fewer bytes at the end.
    public func read(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
        try StoredFile.read(file.raw, at: offset, count: count)
    }
}
