/// How a renderer treats its sink.
public struct RendererSettings: Sendable {
    /// Seconds of frames that go to the sink at once; the sink thread wakes about as often.
    public var period: Double = 0.9
    /// Seconds that are kept until they were heard; the sink's latency is held below this. Whole periods, so that none is split
    /// where the memory ends.
    public var capacity: Double = 3.6
    /// Seconds after which a paused or stopped sink is closed, so that others can have the device; infinite keeps it.
    public var closeDelay: Double = 10
    /// Seconds before a sink that failed is first tried again; doubles at each try.
    public var firstRetryDelay: Double = 0.5
    /// Most seconds between two tries.
    public var maximumRetryDelay: Double = 10
    /// Seconds over which a change of volume is spread.
    public var gainRamp: Double = 0.02
    /// Seconds that a device keeps when frames are taken back from it for a new volume, so that it never runs dry.
    public var gainMargin: Double = 0.1

    /// The settings of a daemon.
    public init() {}
}
