/// Where PCM goes: a sound device, a pipe, a file, nothing.
///
/// Contract: all calls come from one thread, the sink thread, except `interrupt`. `open` comes first and may
/// come again for another format after `drain` or `drop`. After an error only `close` and `open` are called.
public protocol Sink: AnyObject, Sendable {
    /// What `outputs` shows: `alsa:default`, `wav:/tmp/x.wav`.
    var name: String { get }
    /// Whether the sink takes frames no faster than they are heard; files and pipes with a reader do not.
    var isPaced: Bool { get }
    /// Opens or reopens for a format. May wait for the device.
    /// - Returns: the format that it really takes; the caller converts to it.
    func open(_ wanted: PCMFormat) throws(SinkError) -> PCMFormat
    /// Takes whole frames; waits until there is room for some.
    /// - Returns: bytes taken, at least one frame; 0 only when it was interrupted.
    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int
    /// Frames that go by until a frame that is written next would be heard: those taken and not yet heard, and on top, until
    /// the first of them is heard, the device's own delay as far as it is known.
    var latency: Int { get }
    /// Whether `latency` is right only some time after the sound began.
    var learnsLatency: Bool { get }
    /// Waits until everything taken was heard, or until it is interrupted: then `latency` is not 0 yet.
    func drain() throws(SinkError)
    /// Forgets what was taken and not heard.
    func drop()
    /// Takes back the last frames it took, at most so many, while the sound goes on: they are not heard then.
    /// - Returns: how many; 0 where it cannot.
    func takeBack(_ frames: Int) -> Int
    /// Stops the sound with everything kept, if it can; false asks the caller to `drop` and write again later.
    func pause() -> Bool
    /// Goes on after `pause`.
    func resume() throws(SinkError)
    /// Lets the device go; `open` may follow.
    func close()
    /// Makes a waiting `write` or `drain` return soon, or the next one that waits; from any thread.
    func interrupt()
    /// Times the device ran dry while it played; any thread.
    var underruns: Int { get }
}

extension Sink {
    /// It cannot run dry, or does not notice.
    public var underruns: Int { 0 }
    /// Nothing can be taken back.
    public func takeBack(_ frames: Int) -> Int { 0 }
    /// It is right at once.
    public var learnsLatency: Bool { false }
}

/// Why a sink cannot go on.
public struct SinkError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What happened and what to do, in one line for people.
    public var message: String
    /// Whether trying again later makes sense: a busy or unplugged device does, a missing one at start does not.
    public var isTemporary: Bool
    /// A sink's failure.
    public init(_ message: String, isTemporary: Bool = false) {
        self.message = message
        self.isTemporary = isTemporary
    }
    /// The message.
    public var description: String { message }
}
