/// When a failed fetch is retried, and when it is given up. Durations are nanoseconds.
public struct RetryPolicy: Sendable {
    /// Delay before the second attempt; doubles with each further one.
    public var firstDelay: Int64 = 500_000_000
    /// Longest delay between attempts.
    public var longestDelay: Int64 = 30_000_000_000
    /// Time without a new byte after which the fetch fails.
    public var patience: Int64 = 300_000_000_000
    /// `patience` while no server was reached: a wrong host name should not look like a slow network for minutes.
    public var patienceBeforeContact: Int64 = 30_000_000_000
    /// New bytes after which an answer counts as a success: the next attempt starts at once and counts as the first.
    public var progress: Int64 = 16 << 10
    /// New bytes after which the next attempt follows after `pause`, without a limit: at least 10 KB/s.
    public var useful: Int64 = 1 << 10
    /// Delay after an answer with `useful` bytes but less than `progress`: at most ten requests a second.
    public var pause: Int64 = 100_000_000
    /// A number from 0 to 1 that spreads the attempts of many clients over time.
    public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    public init() {}

    /// - Parameters:
    ///   - attempt: 1 for the first attempt after a failure.
    ///   - asked: seconds from `Retry-After`.
    func delay(beforeAttempt attempt: Int, asked: Int?) -> Int64 {
        let doubled = firstDelay << Int64(min(max(attempt - 1, 0), 16))
        let full = min(doubled, longestDelay)
        let spread = full / 2 + Int64(Double(full / 2) * random())
        return max(spread, Int64(min(asked ?? 0, 86_400)) * 1_000_000_000)
    }
}
