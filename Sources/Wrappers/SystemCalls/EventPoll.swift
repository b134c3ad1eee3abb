internal import CLinux
internal import Glibc
public import PodcastModel

/// An epoll(7) instance, level-triggered: waits for any of many descriptors. One thread.
@safe public final class EventPoll {
    public struct Readiness: OptionSet, Hashable, Sendable {
        /// Bits of epoll_ctl(2).
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// Bytes can be read, or the peer has closed.
        public static let readable = Readiness(rawValue: UInt32(EPOLLIN.rawValue))
        /// There is room to write.
        public static let writable = Readiness(rawValue: UInt32(EPOLLOUT.rawValue))
        /// The connection is gone; always reported.
        public static let failed = Readiness(rawValue: UInt32(EPOLLERR.rawValue) | UInt32(EPOLLHUP.rawValue))
    }

    private let descriptor: FileDescriptor
    // Unsafe for its union alone, of which this file uses only `u64`.
    private var events: [epoll_event]

    /// - Parameter capacity: maximum descriptors that one `wait` reports.
    public init(capacity: Int = 64) throws(SystemError) {
        descriptor = FileDescriptor(owning: try retrying("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
        unsafe events = unsafe Array(repeating: epoll_event(), count: capacity)
    }

    /// Starts waiting for a descriptor, until it is closed.
    /// - Parameter token: identifies the descriptor in `wait`.
    public func add(_ raw: Int32, token: UInt64, for readiness: Readiness) throws(SystemError) {
        try control(EPOLL_CTL_ADD, raw, token, readiness)
    }

    public func change(_ raw: Int32, token: UInt64, to readiness: Readiness) throws(SystemError) {
        try control(EPOLL_CTL_MOD, raw, token, readiness)
    }

    private func control(
        _ operation: Int32, _ raw: Int32, _ token: UInt64, _ readiness: Readiness
    ) throws(SystemError) {
        var event = unsafe epoll_event(events: readiness.rawValue, data: epoll_data_t(u64: token))
        let poll = descriptor.raw
        try retrying("epoll_ctl") { unsafe epoll_ctl(poll, operation, raw, &event) }
    }

    /// Waits until a descriptor is ready: epoll_wait(2). Calls `body` for each.
    /// - Parameter deadline: on CLOCK_MONOTONIC; `distantFuture` for none.
    public func wait(
        until deadline: Instant, _ body: (_ token: UInt64, _ readiness: Readiness) -> Void
    ) throws(SystemError) {
        let poll = descriptor.raw
        let capacity = unsafe Int32(events.count)
        let count = try retrying("epoll_wait") { unsafe epoll_wait(poll, &events, capacity, deadline.pollTimeout) }
        for index in 0..<Int(count) {
            let event = unsafe events[index]
            unsafe body(event.data.u64, Readiness(rawValue: event.events))
        }
    }
}
