internal import Glibc
internal import Synchronization
public import SystemCalls

/// A temporary file without a name; deleted when the last descriptor is closed.
public final class UnlinkedDocument: Sendable {
    public let descriptor: FileDescriptor

    public init(in folder: String) throws(SystemError) {
        let path = "\(folder)/.document-\(CurrentProcess.number)-\(Self.number.add(1, ordering: .relaxed).newValue)"
        descriptor = try FileDescriptor.openPrivate(path, O_RDWR | O_EXCL | O_NOFOLLOW)
        try StoredFile.remove(path)
    }

    /// A read-only text in memory, such as a secret that must not be written to a disk.
    public init(inMemory text: String) throws(SystemError) {
        let bytes = Array(text.utf8)
        let file = try MemoryFile(name: "document", capacity: Int64(bytes.count))
        let written = bytes.withUnsafeBytes { bytes in
            Result { () throws(SystemError) in try unsafe file.write(bytes, at: 0) }
        }
        try written.get()
        descriptor = try file.openForReading()
    }

    /// An empty document in memory, which needs no disk space.
    public init() throws(SystemError) {
        descriptor = try MemoryFile(name: "document", capacity: .max).openForWriting()
    }

    private static let number = Atomic<Int>(0)

    public func text(atMost bytes: Int) throws(SystemError) -> String {
        String(decoding: try StoredFile.read(descriptor.raw, at: 0, count: bytes), as: UTF8.self)
    }

    public func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        try StoredFile.write(descriptor.raw, at: offset, bytes)
    }
}
