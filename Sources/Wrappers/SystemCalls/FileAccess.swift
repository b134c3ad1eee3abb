internal import CLinux
internal import Glibc

/// Permissions for access(2).
public struct FileAccess: OptionSet, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    public static let read = FileAccess(rawValue: R_OK)
    /// Write a file, or create and remove files in a directory.
    public static let write = FileAccess(rawValue: W_OK)
    /// Run a program, or search a directory.
    public static let execute = FileAccess(rawValue: X_OK)

    /// True if this user has all these permissions; links are followed. An empty set checks that the path exists.
    public func isAllowed(_ path: String) -> Bool { unsafe access(path, rawValue) == 0 }

    /// Throws `SystemError` with path and reason unless this user has all these permissions.
    public func check(_ path: String) throws(SystemError) {
        if !isAllowed(path) { throw SystemError.last("access \(path)", program: path) }
    }
}

extension FileDescriptor {
    /// open(2). A named pipe without a writer blocks.
    public static func openForReading(_ path: String) throws(SystemError) -> FileDescriptor { try open(path, O_RDONLY) }

    /// Reads available bytes, at least one unless the end is reached: read(2).
    public borrowing func readSome(upTo count: Int) throws(SystemError) -> [UInt8] {
        try Self.readSome(raw, upTo: count)
    }

    static func readSome(_ raw: Int32, upTo count: Int, _ call: String = "read") throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = try retrying(call) {
            unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(raw, $0.baseAddress, count) }
        }
        bytes.removeLast(count - got)
        return bytes
    }

    /// Reads from the file position until `count` bytes were read or the end is reached: read(2).
    public borrowing func read(upTo count: Int) throws(SystemError) -> [UInt8] { try Self.read(self.raw, upTo: count) }

    /// Reads from a descriptor of the caller, such as stdin, until `count` bytes were read or the end is reached.
    public static func read(_ raw: Int32, upTo count: Int) throws(SystemError) -> [UInt8] {
        try unsafe StoredFile.bytes(upTo: count) { (rest, _) throws(SystemError) in
            try retrying("read") { unsafe Glibc.read(raw, rest.baseAddress, rest.count) }
        }
    }

    /// Writes all bytes at the file position, to a descriptor of the caller: write(2).
    public static func write(_ raw: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let count = try retrying("write") { unsafe Glibc.write(raw, rest.baseAddress, rest.count) }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Writes all bytes at the file position, to a descriptor of the caller: write(2).
    public static func write(_ raw: Int32, _ bytes: [UInt8]) throws(SystemError) {
        try unsafe bytes.span.bytes.withUnsafeBytes { (buffer) throws(SystemError) in try unsafe write(raw, buffer) }
    }
}

/// A page of a file, mapped into memory and shared: mmap(2). Written data survives the end of the process without a
/// further system call, but not a power failure. One thread at a time.
public final class MappedPage {
    private static let bytes = 4_096
    // The mapping's address, which does not change and is never handed out.
    private let address: UInt

    /// Maps the file's first page and creates the file if it is missing.
    public init(path: String) throws(SystemError) {
        let file = try FileDescriptor.openPrivate(path, O_RDWR | O_NOFOLLOW)
        // Without an allocated block, a write to the memory would end the process on a full disk.
        let result = posix_fallocate(file.raw, 0, off_t(Self.bytes))
        if result != 0 { throw SystemError(code: result, call: "fallocate \(path)") }
        let mapped = unsafe mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.raw, 0)
        guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else { throw SystemError.last("mmap \(path)") }
        address = UInt(bitPattern: mapped)
    }

    deinit { unsafe munmap(memory, Self.bytes) }

    // mmap(2) returned the address, so it is not null.
    private var memory: UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped
    }

    /// `index` is from 0 to 511.
    public subscript(index: Int) -> Int64 {
        get { unsafe memory.load(fromByteOffset: index % 512 * 8, as: Int64.self) }
        set { unsafe memory.storeBytes(of: newValue, toByteOffset: index % 512 * 8, as: Int64.self) }
    }
}
