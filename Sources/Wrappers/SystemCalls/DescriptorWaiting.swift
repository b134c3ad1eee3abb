internal import CLinux
internal import Glibc
public import PodcastModel

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
