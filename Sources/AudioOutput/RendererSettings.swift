/// Timing of a renderer and its sink.
public struct RendererSettings: Sendable {
    /// Frames of this time are written to the sink at once; the sink thread wakes up about as often.
    var period = Duration.milliseconds(900)
    /// Frames of this time are kept until they are heard; the sink's latency is kept below this. A multiple of the
    /// period, so that no period is split at the end of the ring.
    var capacity = Duration.milliseconds(3600)
    /// A paused or stopped sink is closed after this time, so that other programs can use the device; nil to keep it
    /// open.
    public var closeDelay: Duration? = .seconds(10)
    /// Time before the first retry of a failed sink; doubles with each retry.
    var firstRetryDelay = Duration.milliseconds(500)
    /// Maximum time between two retries.
    var maximumRetryDelay = Duration.seconds(10)
    /// A change of volume is spread over this time.
    var gainRamp = Duration.milliseconds(20)
    /// Frames of this time remain in a device when frames are removed for a new volume, so that there is no underrun.
    var gainMargin = Duration.milliseconds(100)

    /// The settings of a daemon.
    public init() {}
}
