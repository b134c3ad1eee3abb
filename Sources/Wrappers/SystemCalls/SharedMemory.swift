internal import CLinux
internal import Glibc

/// Memory that two processes share: a memfd, mapped so that a ring in it needs no special case where it wraps.
///
/// The mapping is `prefix` bytes, followed by the rest twice: byte `prefix + capacity + n` is byte `prefix + n`.
/// Positions and flags are read and written with atomics only; what the other process wrote may change at any
/// time, so it is copied before it is checked. Offsets are the caller's to keep inside `mappedLength`.
public final class SharedMemory: Sendable {
    public let descriptor: Int32
    /// The bytes before the ring, whole pages.
    public let prefix: Int
    /// The ring's bytes, whole pages.
    public let capacity: Int
    /// All bytes that may be touched.
    public var mappedLength: Int { prefix + 2 * capacity }
    // The address as a number, because pointers are not Sendable; it never changes, and the memory outlives this object only.
    private let address: UInt

    /// Makes new memory of zeros whose size nobody can change: with a size that a hostile process could shrink, reading
    /// it would raise SIGBUS here. memfd_create(2), `F_ADD_SEALS`.
    public convenience init(name: String, prefix: Int, capacity: Int) throws(SystemError) {
        let made = FileDescriptor(
            owning: try retrying("memfd_create") {
                unsafe shim_memfd_create(name)
            })
        let number = made.raw
        try retrying("ftruncate memfd") { ftruncate(number, off_t(prefix + capacity)) }
        try retrying("seal memfd") {
            shim_seal_size(number)
        }
        try self.init(owning: made.release(), prefix: prefix, capacity: capacity)
    }

    /// Maps memory that another process made; its size must be `prefix + capacity`.
    public init(owning descriptor: Int32, prefix: Int, capacity: Int) throws(SystemError) {
        self.descriptor = descriptor
        self.prefix = prefix
        self.capacity = capacity
        address = try Self.map(descriptor, prefix: prefix, capacity: capacity)
    }

    deinit {
        unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), mappedLength)
        _ = Glibc.close(descriptor)
    }

    private static func map(_ descriptor: Int32, prefix: Int, capacity: Int) throws(SystemError) -> UInt {
        // A reservation first, so that both copies lie side by side.
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
        return UInt(bitPattern: reserved)
    }

    /// The first byte. Valid while this object lives.
    public var base: UnsafeMutableRawPointer {
        // mmap gave it, so it is not null.
        unsafe UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped
    }

    /// Reads a number of which the other side's earlier writes are seen with it.
    public func load64(_ offset: Int) -> UInt64 { unsafe shim_load_acquire_u64(base + offset) }
    /// Writes a number after everything written before.
    public func store64(_ offset: Int, _ value: UInt64) { unsafe shim_store_release_u64(base + offset, value) }
    /// Reads a small number, ordered like `load64`.
    public func load32(_ offset: Int) -> UInt32 { unsafe shim_load_acquire_u32(base + offset) }
    /// Writes a small number, ordered like `store64`.
    public func store32(_ offset: Int, _ value: UInt32) { unsafe shim_store_release_u32(base + offset, value) }
    /// Writes a small number and gives the one before; in one order with every other exchange and `fence`.
    public func exchange32(_ offset: Int, _ value: UInt32) -> UInt32 {
        unsafe shim_exchange_u32(base + offset, value)
    }
    /// Keeps a write before from passing a read after.
    public func fence() { shim_fence() }
}
