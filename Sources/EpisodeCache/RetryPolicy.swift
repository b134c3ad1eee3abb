/// When a failed fetch is retried, and when it is given up.
struct RetryPolicy: Sendable {
    /// Delay before the second attempt; doubles with each further one.
    var firstDelay = Duration.milliseconds(500)
    /// Longest delay between attempts.
    var longestDelay = Duration.seconds(30)
    /// Time without a new byte after which the fetch fails.
    var patience = Duration.seconds(300)
    /// `patience` while no server was reached: a wrong host name should not look like a slow network for minutes.
    var patienceBeforeContact = Duration.seconds(30)
    /// `patience` while no server has answered: one that accepts connections and stays silent must not hold up the queue.
    var patienceBeforeAnswer = Duration.seconds(90)
    /// New bytes after which an answer counts as a success: the next attempt starts at once and counts as the first.
    var progress: Int64 = 16 << 10
    /// New bytes after which the next attempt follows after `pause`, without a limit: at least 10 KB/s.
    var useful: Int64 = 1 << 10
    /// Delay after an answer with `useful` bytes but less than `progress`: at most ten requests a second.
    var pause = Duration.milliseconds(100)
    /// A number from 0 to 1 that spreads the attempts of many clients over time.
    var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// - Parameters:
    ///   - attempt: 1 for the first attempt after a failure.
    ///   - asked: seconds from `Retry-After`.
    func delay(beforeAttempt attempt: Int, asked: Int?) -> Duration {
        let doubled = firstDelay * (1 << min(max(attempt - 1, 0), 16))
        let half = min(doubled, longestDelay) / 2
        return max(half + half * random(), .seconds(min(asked ?? 0, 86_400)))
    }
}
