public import PodcastModel

/// Destination of PCM: a sound device, a pipe, a file, nothing.
///
/// Contract: all calls except `interrupt` and `settle` come from one thread, the sink thread. `open` is called first, and again for
/// another format after `drain` or `drop`. After an error only `close` and `open` are called.
public protocol Sink: AnyObject, Sendable {
    /// Opens or reopens the sink for a format. May block.
    /// - Returns: the format that the sink accepts; the caller converts to it.
    func open(_ wanted: PCMFormat) throws(SinkError) -> PCMFormat
    /// Writes whole frames; blocks until there is room for at least one.
    /// - Returns: number of bytes written, at least one frame; 0 only if interrupted.
    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int
    /// Delay, in frames, before the next frame written becomes audible: frames queued in the sink plus, until the first
    /// of them is audible, the device's own latency as far as known.
    var latency: Int { get }
    /// Shortest and longest time until written frames are heard, if the writer waits for room for a quarter of a second.
    var latencies: ClosedRange<Duration> { get }
    /// The time after the beginning of playback in which `latency` may be wrong.
    var learningTime: Duration { get }
    /// Blocks until all written frames were played, or until interrupted; after an interrupt `latency` is not 0.
    func drain() throws(SinkError)
    /// Discards frames that were written and not played yet.
    func drop()
    /// Removes up to this number of the last written frames during playback; they will not be played.
    /// - Returns: number of frames removed; 0 if the sink does not support it.
    func takeBack(_ frames: Int) -> Int
    /// Stops the sound and keeps all frames. If false, the caller must `drop` and write the frames again later.
    func pause() -> Bool
    func resume() throws(SinkError)
    /// Closes the device; `open` may follow.
    func close()
    /// Makes a blocked `write` or `drain` return soon; if none is blocked, the next one that would block. Any thread.
    func interrupt()
    /// Finishes, at the latest then, what must be done outside of this process after `close`. Any thread.
    func settle(until deadline: Instant)
    /// Number of underruns during playback. Any thread.
    var underruns: Int { get }
    /// The sink's own volume; nil if the caller changes the samples. Any thread.
    var mixer: (any SinkMixer)? { get }
}

/// A volume that a sink applies itself, and that the desktop or the device may change, too. Any thread.
public protocol SinkMixer: AnyObject, Sendable {
    /// - Parameter percent: from 0 to 100; equal steps sound equally large.
    func setVolume(_ percent: Int)
    /// - Parameter changed: is given each volume that somebody else set, in percent; must not block.
    func observe(_ changed: @escaping @Sendable (Int) -> Void)
}

extension Sink {
    public var underruns: Int { 0 }
    public func settle(until deadline: Instant) {}
    public func takeBack(_ frames: Int) -> Int { 0 }
    public var learningTime: Duration { .zero }
    public var latencies: ClosedRange<Duration> { .zero ... .zero }
    public var mixer: (any SinkMixer)? { nil }
}

/// Why a sink failed.
public struct SinkError: Error, Equatable, CustomStringConvertible {
    public enum Kind: Sendable {
        /// A device that is missing at start.
        case permanent
        /// A retry makes sense: a busy or unplugged device.
        case temporary
        /// All outputs are disabled.
        case noOutput
    }

    public let kind: Kind
    /// What failed and what to do, in one line for users.
    public let message: String

    private init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public init(_ message: String, isTemporary: Bool = false) {
        self.init(isTemporary ? .temporary : .permanent, message)
    }

    public var isTemporary: Bool { kind == .temporary }
    public var description: String { message }

    public static let stillOpening = SinkError("its device or server does not answer yet", isTemporary: true)
    public static let noOutput = SinkError(.noOutput, "no output is enabled; enable one: podcastctl output enable NAME")
}
