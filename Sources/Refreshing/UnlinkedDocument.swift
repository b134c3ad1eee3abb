internal import Glibc
internal import Synchronization
public import SystemCalls

/// A file without a name; it ends with its last descriptor.
public final class UnlinkedDocument: Sendable {
    /// Reads and writes it.
    public let descriptor: FileDescriptor

    public init(in folder: String) throws(SystemError) {
        let path = "\(folder)/.document-\(CurrentProcess.number)-\(Self.number.add(1, ordering: .relaxed).newValue)"
        descriptor = try FileDescriptor.openPrivate(path, O_RDWR | O_EXCL | O_NOFOLLOW)
        try StoredFile.remove(path)
    }

    /// A text in memory that is only read, such as a secret, which must not reach a disk.
    public init(inMemory text: String) throws(SystemError) {
        let bytes = Array(text.utf8)
        let file = try MemoryFile(name: "document", capacity: Int64(bytes.count))
        let written = bytes.withUnsafeBytes { bytes in
            Result { () throws(SystemError) in try unsafe file.write(bytes, at: 0) }
        }
        try written.get()
        descriptor = try file.openForReading()
    }

    /// An empty document in memory, which needs no room on a disk.
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
