public import PodcastModel

/// A decoder process at work on one byte source. All methods may be called from any thread and return at once.
public protocol DecoderSession: AnyObject, Sendable {
    /// Where the decoded frames come out; for the sink thread.
    var pcm: any PCMSource { get }
    /// Drops everything that is decoded ahead and goes on at a media time, under a new generation.
    func seek(to time: MediaTime, generation: UInt32)
    /// Ends the process and lets its memory go. No event follows.
    func stop()
}

/// What a decoder session tells, in order, from its own thread.
public enum DecoderEvent: Equatable, Sendable {
    /// The beginning was understood; may come again when more becomes known (a length, a measured duration).
    case opened(StreamInfo)
    /// Decoding cannot go on before bytes from this offset are there; the byte source was told.
    case waitingForBytes(offset: Int64)
    /// Bytes came and decoding goes on.
    case decoding
    /// A seek arrived: the first frame of this generation stands at this time.
    case positioned(generation: UInt32, at: MediaTime)
    /// The last frame is in the ring. The duration is the measured one; nil when it is not known exactly, as after a jump
    /// over parts that were never decoded.
    case reachedEnd(generation: UInt32, duration: MediaTime?)
    /// The process died or hung and was started again past the bad spot.
    case restarted(reason: String)
    /// It cannot go on; nothing follows.
    case failed(MediaFailure)
}

/// Starts decoder sessions.
public protocol DecoderStarting: Sendable {
    /// Starts a process for a source.
    ///
    /// - Parameters:
    ///   - source: stays with the caller, who closes it after the session has stopped.
    ///   - time: where to begin.
    ///   - generation: the number its first chunks carry.
    ///   - events: called from the session's own thread; must return at once.
    /// - Throws: `MediaFailure` when the process cannot be started.
    func start(
        _ source: any ByteSource, at time: MediaTime, generation: UInt32,
        events: @escaping @Sendable (DecoderEvent) -> Void
    ) throws(MediaFailure) -> any DecoderSession
}

/// Opens media by URL or path.
public protocol MediaOpening: Sendable {
    /// Makes a byte source; connects no earlier than its first `want`, so it returns at once.
    /// - Throws: `MediaFailure` for what can be refused without asking the network.
    func open(_ url: String) throws(MediaFailure) -> any ByteSource
}

/// Pulls decoded frames on the sink thread and gives them to the sink. All methods may be called from any thread and
/// return at once; events come from the sink thread through a queue, never between two chunks.
public protocol AudioRendering: AnyObject, Sendable {
    /// Plays from a source: chunks of other generations are passed over. Sound begins when `prebuffer` seconds are
    /// decoded, or the end is; after it ran dry it begins again at `rebuffer` seconds. What an earlier source left is dropped.
    func play(_ source: any PCMSource, generation: UInt32, prebuffer: Double, rebuffer: Double)
    /// Another generation of the same source, after a seek.
    func switchGeneration(_ generation: UInt32)
    /// Holds the sound or lets it go on.
    func setPaused(_ paused: Bool)
    /// Silence; the source is let go. The device is closed after the output's own delay.
    func stop()
    /// Linear gain, 0 to 1 and a little above.
    func setGain(_ gain: Float)
    /// What is audible now.
    var playhead: Playhead { get }
    /// Where events go; called from a thread of the renderer's, must return at once.
    func observe(_ handler: (@Sendable (RendererEvent) -> Void)?)
}

/// What is audible at one instant.
public struct Playhead: Equatable, Sendable {
    /// The generation of the frame that is heard.
    public var generation: UInt32
    /// Its media time.
    public var position: MediaTime
    /// When that is true: CLOCK_MONOTONIC in nanoseconds. A moment to come while the frame is on its way to the ear.
    public var instant: Int64
    /// Media seconds per second: the speed while it sounds, 0 while it does not.
    public var speed: Double
    /// A playhead.
    public init(generation: UInt32, position: MediaTime, instant: Int64, speed: Double) {
        self.generation = generation
        self.position = position
        self.instant = instant
        self.speed = speed
    }

    /// What is heard at an instant of the same clock.
    public func position(at now: Int64) -> MediaTime {
        guard speed > 0, now > instant else { return position }
        return position + MediaTime(nanoseconds: Int64(Double(now - instant) * speed))
    }
}

/// What the renderer tells.
public enum RendererEvent: Equatable, Sendable {
    /// The first frame of this generation was handed to the sink.
    case started(generation: UInt32)
    /// The ring ran dry before the end; the renderer waits for `rebuffer` seconds.
    case underrun(generation: UInt32)
    /// It goes on after an underrun.
    case resumed(generation: UInt32)
    /// The last frame was heard.
    case ended(generation: UInt32)
    /// The sink failed; the renderer holds and tries again when `isTemporary`.
    case sinkFailed(SinkError)
    /// The sink works again.
    case sinkRecovered
}
