internal import CLinux
internal import Glibc
public import PodcastModel

/// One descriptor to wait for.
public struct PollEntry: Sendable {
    /// A negative descriptor is ignored.
    var descriptor: Int32
    /// True to wait for writing instead of reading.
    var forWriting: Bool
    /// Result: the descriptor can be read or written, or has ended or failed, which a read or write will show.
    public var isReady = false
    /// Result: the other end is gone.
    var isHungUp = false
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
    return try unsafe withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 40) { polled throws(SystemError) in
        for (index, entry) in entries.enumerated() {
            unsafe polled[index] = pollfd(
                fd: entry.descriptor, events: Int16(entry.forWriting ? POLLOUT : POLLIN), revents: 0)
        }
        let result = unsafe poll(polled.baseAddress, UInt(entries.count), deadline.pollTimeout)
        if result < 0 && errno != EINTR { throw SystemError.last("poll") }
        for index in entries.indices {
            let found = result > 0 ? unsafe Int32(polled[index].revents) : 0
            entries[index].isReady = found != 0
            entries[index].isHungUp = found & (POLLHUP | POLLERR | POLLNVAL) != 0
        }
        return result > 0
    }
}

/// Signals an eventfd, which wakes its waiters.
public func ringEvent(_ descriptor: Int32) {
    var one: UInt64 = 1
    _ = unsafe write(descriptor, &one, 8)
}

/// Makes an eventfd unreadable until it is signalled again.
public func clearEvent(_ descriptor: Int32) {
    var count: UInt64 = 0
    _ = unsafe read(descriptor, &count, 8)
}
