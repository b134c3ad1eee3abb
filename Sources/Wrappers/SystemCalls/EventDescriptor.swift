internal import CLinux
internal import Glibc

/// An eventfd(2): one thread signals it, another polls it. Any thread.
public final class EventDescriptor: Sendable {
    private let descriptor: FileDescriptor

    /// - Throws: `SystemError` if the process has no descriptors left.
    public init() throws(SystemError) {
        descriptor = FileDescriptor(owning: try retrying("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) })
    }

    /// For an inherited descriptor.
    init(owning raw: Int32) { descriptor = FileDescriptor(owning: raw) }

    /// For poll(2); readable from the first `signal` to the next `clear`.
    public var raw: Int32 { descriptor.raw }

    /// Does not block; several signals before a `clear` count as one.
    public func signal() {
        var one: UInt64 = 1
        // The only possible failure is a full counter, and then the descriptor is readable already.
        _ = unsafe Glibc.write(descriptor.raw, &one, MemoryLayout<UInt64>.size)
    }

    /// Clears all signals so far. Returns true if there was one.
    @discardableResult
    public func clear() -> Bool {
        var count: UInt64 = 0
        return unsafe Glibc.read(descriptor.raw, &count, MemoryLayout<UInt64>.size) > 0
    }
}
