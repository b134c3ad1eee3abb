/// When a fetch that failed is tried again, and when it is given up. Times are nanoseconds.
public struct RetryPolicy: Sendable {
    /// The wait before the second try; doubles with each one after it.
    public var firstDelay: Int64 = 500_000_000
    /// The longest wait between tries.
    public var longestDelay: Int64 = 30_000_000_000
    /// How long without a new byte before it is given up.
    public var patience: Int64 = 300_000_000_000
    /// The same while no server was ever reached: a wrong name should not look like a slow network for minutes.
    public var patienceBeforeContact: Int64 = 30_000_000_000
    /// New bytes that make an answer a success: the try after it begins at once and counts from the start again.
    public var progress: Int64 = 16 << 10
    /// New bytes after which the next try comes after `pause`, however often that was so: 10 KB/s at least.
    public var useful: Int64 = 1 << 10
    /// The wait after an answer that brought `useful` bytes and not yet `progress`: ten requests a second at most.
    public var pause: Int64 = 100_000_000
    /// A number from 0 to 1 that spreads the tries of many listeners over time.
    public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// The usual policy.
    public init() {}

    /// The wait before a try.
    ///
    /// - Parameters:
    ///   - attempt: 1 for the first try after a failure.
    ///   - asked: what the server asked to wait, in seconds.
    func delay(beforeAttempt attempt: Int, asked: Int?) -> Int64 {
        let doubled = firstDelay << Int64(min(max(attempt - 1, 0), 16))
        let full = min(doubled, longestDelay)
        let spread = full / 2 + Int64(Double(full / 2) * random())
        return max(spread, Int64(min(asked ?? 0, 86_400)) * 1_000_000_000)
    }
}
