public import PodcastModel

/// Monotonic time for limits and pacing, wall time for what is stored.
public typealias RefreshClock = MonotonicClock & WallClock
