internal import CLinux
internal import Glibc

/// An eventfd(2): one thread rings it, another polls it. May be used from any thread.
public final class EventDescriptor: Sendable {
    private let descriptor: FileDescriptor

    /// A doorbell that has not rung.
    /// - Throws: `SystemError` when the process has no descriptors left.
    public init() throws(SystemError) {
        descriptor = FileDescriptor(owning: try retrying("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) })
    }

    /// Takes over a descriptor that was inherited.
    public init(owning raw: Int32) { descriptor = FileDescriptor(owning: raw) }

    /// The number, for poll(2); readable from the first `signal` to the next `clear`.
    public var raw: Int32 { descriptor.raw }

    /// Rings; never waits, and many rings before a `clear` count as one.
    public func signal() {
        var one: UInt64 = 1
        // The only failure there can be is a full counter, and then it is readable already.
        _ = unsafe Glibc.write(descriptor.raw, &one, MemoryLayout<UInt64>.size)
    }

    /// Takes all rings so far.
    /// - Returns: whether there was one.
    @discardableResult
    public func clear() -> Bool {
        var count: UInt64 = 0
        return unsafe Glibc.read(descriptor.raw, &count, MemoryLayout<UInt64>.size) > 0
    }
}
