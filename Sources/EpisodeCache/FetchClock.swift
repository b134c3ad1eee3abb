public import HTTP
internal import SystemCalls

/// Time, as the cache sees it.
public protocol FetchClock: Sendable {
    /// Nanoseconds since some instant; never goes back.
    func now() -> Int64
    /// Runs a step after this number of nanoseconds, on any thread.
    func schedule(after delay: Int64, _ step: @escaping @Sendable () -> Void)
}

/// CLOCK_MONOTONIC, and timers on the thread that fetches.
public struct FetchThreadClock: FetchClock {
    private let http: HTTPThread

    /// A clock whose timers run on a thread.
    public init(_ http: HTTPThread) { self.http = http }

    /// CLOCK_MONOTONIC.
    public func now() -> Int64 { monotonicNanoseconds() }

    /// A timer of the thread.
    public func schedule(after delay: Int64, _ step: @escaping @Sendable () -> Void) {
        http.schedule(after: .nanoseconds(delay), step)
    }
}
