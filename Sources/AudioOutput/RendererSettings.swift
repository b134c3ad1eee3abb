/// Timing of a renderer and its sink.
public struct RendererSettings: Sendable {
    /// Seconds of frames written to the sink at once; the sink thread wakes up about as often.
    public var period: Double = 0.9
    /// Seconds of frames that are kept until they are heard; the sink's latency is kept below this. A multiple of the
    /// period, so that no period is split at the end of the ring.
    public var capacity: Double = 3.6
    /// Seconds after which a paused or stopped sink is closed, so that other programs can use the device; infinite to
    /// keep it open.
    public var closeDelay: Double = 10
    /// Seconds before the first retry of a failed sink; doubles with each retry.
    public var firstRetryDelay: Double = 0.5
    /// Maximum number of seconds between two retries.
    public var maximumRetryDelay: Double = 10
    /// Seconds over which a change of volume is spread.
    public var gainRamp: Double = 0.02
    /// Seconds of frames that remain in a device when frames are removed for a new volume, so that there is no
    /// underrun.
    public var gainMargin: Double = 0.1

    /// The settings of a daemon.
    public init() {}
}
