internal import CLinux
internal import Glibc
public import PodcastModel

/// One descriptor to wait for.
public struct PollEntry: Sendable {
    /// A negative descriptor is ignored.
    var descriptor: Int32
    var forWriting: Bool
    /// Result: the descriptor can be read or written, or has ended or failed, which a read or write will show.
    public var isReady = false
    public init(_ descriptor: Int32, forWriting: Bool = false) {
        self.descriptor = descriptor
        self.forWriting = forWriting
    }
}

/// Waits until one of at most 40 descriptors is ready: poll(2). A signal ends the wait early with no descriptor ready.
/// - Parameter deadline: on CLOCK_MONOTONIC; `distantFuture` for none.
/// - Returns: true if any is ready.
@discardableResult
public func waitForAny(_ entries: inout [PollEntry], until deadline: Instant) throws(SystemError) -> Bool {
    precondition(entries.count <= 40)
    // A result, because the function rethrows errors without their type before Swift 6.3.
    let result: Result<Bool, SystemError> = unsafe withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 40) {
        polled in
        for (index, entry) in entries.enumerated() {
            unsafe polled[index] = pollfd(
                fd: entry.descriptor, events: Int16(entry.forWriting ? POLLOUT : POLLIN), revents: 0)
        }
        let result = unsafe poll(polled.baseAddress, UInt(entries.count), deadline.pollTimeout)
        if result < 0 && errno != EINTR { return .failure(SystemError.last("poll")) }
        for index in entries.indices { entries[index].isReady = unsafe result > 0 && polled[index].revents != 0 }
        return .success(result > 0)
    }
    return try result.get()
}

/// Signals an eventfd, which wakes its waiters.
public func ringEvent(_ descriptor: Int32) {
    var one: UInt64 = 1
    // The only possible failure is a full counter, and then the descriptor is readable already.
    _ = unsafe write(descriptor, &one, 8)
}

/// Makes an eventfd unreadable until it is signalled again. Returns false if it was not signalled.
@discardableResult
public func clearEvent(_ descriptor: Int32) -> Bool {
    var count: UInt64 = 0
    return unsafe read(descriptor, &count, 8) > 0
}

/// Waits with poll(2) until a descriptor is ready or the deadline, on CLOCK_MONOTONIC, is reached. Allocates nothing.
/// - Parameter first: wakes when readable, like `second` to `fourth`; poll(2) ignores a negative number.
/// - Returns: true if a descriptor is ready.
@discardableResult
public func waitForDescriptors(
    readable first: Int32, _ second: Int32 = -1, _ third: Int32 = -1, _ fourth: Int32 = -1, writable: Int32 = -1,
    until deadline: Instant
) -> Bool {
    unsafe withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 5) { polled in
        unsafe polled[0] = pollfd(fd: first, events: Int16(POLLIN), revents: 0)
        unsafe polled[1] = pollfd(fd: second, events: Int16(POLLIN), revents: 0)
        unsafe polled[2] = pollfd(fd: third, events: Int16(POLLIN), revents: 0)
        unsafe polled[3] = pollfd(fd: fourth, events: Int16(POLLIN), revents: 0)
        unsafe polled[4] = pollfd(fd: writable, events: Int16(POLLOUT), revents: 0)
        while true {
            let count = unsafe poll(polled.baseAddress, 5, deadline.pollTimeout)
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }
}

/// An eventfd(2): one thread signals it, another polls it. Any thread.
public final class EventDescriptor: Sendable {
    private let descriptor: FileDescriptor

    /// - Throws: `SystemError` if the process has no descriptors left.
    public init() throws(SystemError) {
        descriptor = FileDescriptor(owning: try retrying("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) })
    }

    /// For poll(2); readable from the first `signal` to the next `clear`.
    public var raw: Int32 { descriptor.raw }

    /// Does not block; several signals before a `clear` count as one.
    public func signal() { ringEvent(descriptor.raw) }

    /// Clears all signals so far. Returns true if there was one.
    @discardableResult
    public func clear() -> Bool { clearEvent(descriptor.raw) }
}
