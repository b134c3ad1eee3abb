public import PodcastModel

/// Takes the times that the commands of one section take. Any thread; returns at once.
public protocol CommandMeter: MonotonicClock {
    /// A command was answered.
    func answered(after duration: Duration, isFailure: Bool)
}
