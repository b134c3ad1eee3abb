public import PodcastModel

/// The figures of the daemon's other parts at one moment.
public struct PartReadings: Sendable {
    /// How much of opened episodes was on disk.
    public struct Cache: Sendable {
        /// Opened episodes of which everything was on disk.
        public var complete = 0
        /// Opened episodes of which a part was on disk.
        public var partial = 0
        /// Opened episodes of which nothing was on disk.
        public var missing = 0
        /// Bytes on disk when an episode was opened.
        public var reusedBytes: Int64 = 0
        /// Bytes fetched over the network.
        public var fetchedBytes: Int64 = 0
    }

    /// Connections to the control socket, and their events.
    public struct Connections: Sendable {
        /// Connections that are open now.
        public var open = 0
        public var accepted = 0
        public var refused = 0
        /// Events that were sent.
        public var sentEvents = 0
        /// Events that were dropped because the client did not read fast enough.
        public var droppedEvents = 0
    }

    /// Times an output ran dry while it played.
    public var underruns = 0
    /// Seconds of decoded audio ahead of the playhead.
    public var bufferedSeconds = 0.0
    public var cache = Cache()
    public var connections = Connections()
    /// Entries of the queue.
    public var queueEntries = 0
    public var activities = 0
    /// Jobs that wait, by thread.
    public var waitingJobs: [(thread: String, jobs: Int)] = []
    /// When the figures were read.
    public var instant = Instant(nanoseconds: 0)

    /// Zeros; set the figures that are known.
    public init() {}
}
