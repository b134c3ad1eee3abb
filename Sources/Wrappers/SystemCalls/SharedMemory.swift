internal import CLinux
internal import Glibc

/// Memory that two processes share: a memfd, mapped so that a ring in it needs no special case where it wraps.
///
/// The mapping is `prefix` bytes, followed by the rest twice: byte `prefix + capacity + n` is byte `prefix + n`.
/// Positions and flags are read and written with atomics only; the other process may change its bytes at any time, so
/// they are copied before they are checked. The caller must keep offsets inside `mappedLength`.
public final class SharedMemory: Sendable {
    private let file: FileDescriptor
    /// Bytes before the ring, whole pages.
    public let prefix: Int
    /// Bytes of the ring, whole pages.
    public let capacity: Int
    var mappedLength: Int { prefix + 2 * capacity }
    public var descriptor: Int32 { file.raw }
    // The address as a number, because pointers are not Sendable; constant, and valid as long as this object.
    private let address: UInt

    /// Makes memory of zeros: memfd_create(2). `F_ADD_SEALS` seals its size: if a process shrank it, reading would raise SIGBUS.
    public convenience init(name: String, prefix: Int, capacity: Int) throws(SystemError) {
        let made = FileDescriptor(owning: try retrying("memfd_create") { unsafe shim_memfd_create(name) })
        let number = made.raw
        try retrying("ftruncate memfd") { ftruncate(number, off_t(prefix + capacity)) }
        try retrying("seal memfd") { shim_seal_size(number) }
        try self.init(owning: made.release(), prefix: prefix, capacity: capacity)
    }

    /// Maps memory that another process made; its size must be `prefix + capacity`.
    public init(owning descriptor: Int32, prefix: Int, capacity: Int) throws(SystemError) {
        self.prefix = prefix
        self.capacity = capacity
        file = FileDescriptor(owning: descriptor)
        // Reserve first, so that both copies are adjacent.
        let length = prefix + 2 * capacity
        let reserved = unsafe mmap(nil, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let reserved = unsafe reserved, unsafe reserved != MAP_FAILED else { throw SystemError.last("mmap") }
        let first = unsafe mmap(
            reserved, prefix + capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0)
        let second = unsafe mmap(
            reserved + prefix + capacity, capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor,
            off_t(prefix))
        if unsafe first == MAP_FAILED || second == MAP_FAILED {
            let error = SystemError.last("mmap")
            unsafe munmap(reserved, length)
            throw error
        }
        address = UInt(bitPattern: reserved)
    }

    deinit { unsafe munmap(base, mappedLength) }

    /// Valid while this object lives.
    public var base: UnsafeMutableRawPointer {
        // mmap returned the address, so it is not null.
        unsafe UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped
    }

    /// Load-acquire: the other side's earlier writes are visible afterwards.
    public func load64(_ offset: Int) -> UInt64 { unsafe shim_load_acquire_u64(base + offset) }
    /// Store-release: after all earlier writes.
    public func store64(_ offset: Int, _ value: UInt64) { unsafe shim_store_release_u64(base + offset, value) }
    /// Ordered like `load64`.
    public func load32(_ offset: Int) -> UInt32 { unsafe shim_load_acquire_u32(base + offset) }
    /// Ordered like `store64`.
    public func store32(_ offset: Int, _ value: UInt32) { unsafe shim_store_release_u32(base + offset, value) }
    /// Returns the earlier value; sequentially consistent with every other exchange and `fence`.
    public func exchange32(_ offset: Int, _ value: UInt32) -> UInt32 { unsafe shim_exchange_u32(base + offset, value) }
    /// Prevents reordering of earlier writes and later reads.
    public func fence() { shim_fence() }
}

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
