public import PodcastModel

/// Records the durations of one section's commands. May be called from any thread; does not block.
public protocol CommandMeter: MonotonicClock {
    func answered(after duration: Duration, isFailure: Bool)
}
