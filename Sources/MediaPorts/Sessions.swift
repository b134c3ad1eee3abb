public import PodcastModel

/// A decoder process that decodes one byte source. Methods may be called from any thread and do not block.
public protocol DecoderSession: AnyObject, Sendable {
    var pcm: any PCMSource { get }
    /// Discards frames decoded ahead and continues at a media time, as a new generation, perhaps with new parameters.
    func seek(to time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters)
    /// Ends the process and releases its memory. No event follows.
    func stop()
}

/// Events of a decoder session, sent in order from its own thread.
public enum DecoderEvent: Equatable, Sendable {
    /// The stream's properties were read. Sent again if more becomes known (a length, a measured duration).
    case opened(StreamInfo)
    /// Decoding needs the bytes at this offset; the byte source was asked for them.
    case waitingForBytes(offset: Int64)
    case decoding
    /// A seek finished: the first frame of this generation is at this time.
    case positioned(generation: UInt32, at: MediaTime)
    /// The last frame is in the ring. `duration` is measured; nil for example after a seek over parts that were not decoded.
    case reachedEnd(generation: UInt32, duration: MediaTime?)
    /// The process died or hung and was restarted after the position that caused it.
    case restarted(reason: String)
    /// Decoding failed permanently; no event follows.
    case failed(MediaFailure)
}

/// Starts a decoder process, or a decoder in a test's own process.
public protocol DecoderStarting: Sendable {
    /// Starts a process for a source, which the caller closes after the session has stopped.
    /// - Parameters:
    ///   - generation: the generation of the first chunks.
    ///   - events: called on the session's own thread; must not block.
    /// - Throws: `MediaFailure` if the process cannot be started.
    func start(
        _ source: any ByteSource, at time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters,
        events: @escaping @Sendable (DecoderEvent) -> Void
    ) throws(MediaFailure) -> any DecoderSession
}

/// Opens media by URL or path.
public protocol MediaOpening: Sendable {
    /// Creates a byte source, which connects at its first `want`. Opens files on a thread that may wait for a disk.
    /// - Throws: `MediaFailure` if the URL can be rejected without a request.
    func open(_ url: String) async throws(MediaFailure) -> any ByteSource
}

/// Reads decoded frames on the sink thread and writes them to the sink. Methods may be called from any thread and do
/// not block. Events are sent from the sink thread through a queue, never between two chunks.
public protocol AudioRendering: AnyObject, Sendable {
    /// Plays a source. Skips chunks of other generations. Sound starts when `prebuffer` is decoded or the end is
    /// reached, and after an underrun when `rebuffer` is decoded. Discards frames of an earlier source.
    func play(_ source: any PCMSource, generation: UInt32, prebuffer: Duration, rebuffer: Duration)
    /// Plays another generation of the same source, after a seek.
    func switchGeneration(_ generation: UInt32)
    /// Continues with another generation at the audible position once enough is decoded; queued audio plays until then.
    func continueWithGeneration(_ generation: UInt32)
    func setPaused(_ paused: Bool)
    /// Stops and releases the source. The device is closed after the output's suspend delay.
    func stop()
    /// Sets the linear gain, from 0 to slightly above 1.
    func setGain(_ gain: Float)
    var playhead: Playhead { get }
    /// The handler is called on a thread of the renderer and must not block.
    func observe(_ handler: (@Sendable (RendererEvent) -> Void)?)
}

/// The audible position at one point in time.
public struct Playhead: Equatable, Sendable {
    public var generation: UInt32
    public var position: MediaTime
    /// In the future if the frame is not audible yet.
    public var instant: Instant
    /// Media seconds per second: the playback speed; 0 if nothing is audible.
    public var speed: Double
    /// Media time skipped before `position` since the sound began: shortened pauses and skipped ranges.
    public var omitted = MediaTime.zero
    public var turns = PlayheadTurns()
    public init(generation: UInt32, position: MediaTime, instant: Instant, speed: Double) {
        self.generation = generation
        self.position = position
        self.instant = instant
        self.speed = speed
    }

    public func speed(at now: Instant) -> Double {
        guard speed > 0, now > instant else { return speed }
        return turns.last(within: (now - instant).nanoseconds)?.speed ?? speed
    }

    public func position(at now: Instant) -> MediaTime {
        guard speed > 0, now > instant else { return position }
        let elapsed = (now - instant).nanoseconds
        if let turn = turns.last(within: elapsed) {
            return turn.position + MediaTime(nanoseconds: Int64(Double(elapsed - turn.delay) * turn.speed))
        }
        return position + MediaTime(nanoseconds: Int64(Double(elapsed) * speed))
    }

    public func omitted(at now: Instant) -> MediaTime {
        guard speed > 0, now > instant else { return omitted }
        let elapsed = (now - instant).nanoseconds
        var sum = omitted
        var delay = Int64(0)
        var place = position
        var pace = speed
        for index in 0..<turns.count {
            let turn = turns[index]
            guard turn.delay <= elapsed else { break }
            let expected = place + MediaTime(nanoseconds: Int64(Double(turn.delay - delay) * pace))
            if turn.position > expected { sum = sum + (turn.position - expected) }
            delay = turn.delay
            place = turn.position
            pace = turn.speed
        }
        return sum
    }
}

/// Jumps of the position and changes of the speed within the queued audio, for example at a shortened pause.
public struct PlayheadTurns: Equatable, Sendable {
    public struct Turn: Equatable, Sendable {
        /// Nanoseconds after the playhead's `instant`.
        public var delay: Int64
        public var position: MediaTime
        /// Media seconds per second after the turn.
        public var speed: Double

        public init(delay: Int64, position: MediaTime, speed: Double) {
            self.delay = delay
            self.position = position
            self.speed = speed
        }
    }

    public static let capacity = 8
    public private(set) var count = 0
    private var delays = SIMD8<Int64>()
    private var positions = SIMD8<Int64>()
    private var speeds = SIMD8<Double>()

    public init() {}

    public var isFull: Bool { count == Self.capacity }

    /// Adds a turn, later than all earlier ones, if there is room.
    public mutating func append(_ turn: Turn) {
        guard !isFull else { return }
        delays[count] = turn.delay
        positions[count] = turn.position.nanoseconds
        speeds[count] = turn.speed
        count += 1
    }

    public subscript(index: Int) -> Turn {
        Turn(delay: delays[index], position: MediaTime(nanoseconds: positions[index]), speed: speeds[index])
    }

    /// The last turn until `elapsed`, in nanoseconds.
    func last(within elapsed: Int64) -> Turn? {
        var index = count - 1
        while index >= 0, delays[index] > elapsed { index -= 1 }
        return index >= 0 ? self[index] : nil
    }
}

/// Events of the renderer.
public enum RendererEvent: Equatable, Sendable {
    /// The first frame of this generation was written to the sink.
    case started(generation: UInt32)
    /// Underrun: the ring is empty before the end; the renderer waits for `rebuffer` seconds.
    case underrun(generation: UInt32)
    case resumed(generation: UInt32)
    case ended(generation: UInt32)
    /// The sink failed; the renderer waits, and retries if `isTemporary`.
    case sinkFailed(SinkError)
    case sinkRecovered
}
