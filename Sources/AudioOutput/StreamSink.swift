public import MediaPorts
internal import SystemCalls

/// Where the bytes of a stream go: a file, a pipe, nowhere. Never waits; sink thread only.
protocol ByteStream: AnyObject {
    /// Opens for a format, which stays the same for the stream's life; after `close`, goes on behind what was written.
    func open(_ format: PCMFormat) throws(SinkError)
    /// Takes whole frames.
    /// - Returns: bytes taken; 0 when `descriptor` must become writable first.
    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int
    /// Takes back the last bytes that were written, as far as they can be.
    func takeBack(_ bytes: Int)
    /// Whether `takeBack` takes as much as it is asked to, neither less nor more.
    var takesBackExactly: Bool { get }
    /// Bytes that a reader has not taken yet.
    var unread: Int { get }
    /// What to wait on when `write` took nothing; negative when that cannot be.
    var descriptor: Int32 { get }
    /// Makes what was written complete, and lets go.
    func close()
}

extension ByteStream {
    func takeBack(_ bytes: Int) {}
    var takesBackExactly: Bool { false }
    var unread: Int { 0 }
    var descriptor: Int32 { -1 }
}

/// A sink without a device: a stream of bytes, written as fast as it would be heard, or as fast as it goes.
///
/// The pace is that of a device whose buffer lies before the stream: what was written ahead of the ear is taken back
/// by `drop` where the stream can, so that a file holds what was heard and nothing else.
public final class StreamSink: Sink {
    /// How the stream is timed.
    enum Pace {
        /// As fast as it goes.
        case none
        /// Like a device with so many seconds of buffer, which may run fast by a factor of a little above 1.
        case realTime(buffer: Double, haste: Double)
    }

    /// What decides the format.
    struct FormatRule {
        var rate: Int?
        var channels: Int?
        var type: SampleType?
        /// Whether a stream cannot say that its format changed, so that the first one stays.
        var keepsFirst: Bool
    }

    private struct State {
        let stream: any ByteStream
        var format: PCMFormat?
        var buffer: PacedBuffer?
        var isOpen = false
    }

    /// What `outputs` shows.
    public let name: String
    private let pace: Pace
    private let rule: FormatRule
    private let clock: any OutputClock
    private let bell: EventDescriptor
    private let confined: ThreadConfined<State>

    init(
        name: String, pace: Pace, rule: FormatRule, clock: any OutputClock, stream: any ByteStream
    ) throws(SystemError) {
        self.name = name
        self.pace = pace
        self.rule = rule
        self.clock = clock
        bell = try EventDescriptor()
        confined = ThreadConfined(State(stream: stream))
    }

    /// Whether it takes frames no faster than they are heard.
    public var isPaced: Bool {
        switch pace {
        case .none: false
        case .realTime: true
        }
    }

    /// Opens the stream; a stream that was opened before keeps its format.
    public func open(_ wanted: PCMFormat) throws(SinkError) -> PCMFormat {
        var format = wanted
        if rule.keepsFirst, let first = confined.state.format {
            format = first
        } else {
            format.rate = rule.rate ?? wanted.rate
            format.channels = rule.channels ?? wanted.channels
            format.type = rule.type ?? wanted.type
        }
        if !confined.state.isOpen { try confined.state.stream.open(format) }
        confined.state.isOpen = true
        confined.state.format = format
        switch pace {
        case .none: confined.state.buffer = nil
        case .realTime(let seconds, let haste):
            confined.state.buffer = PacedBuffer(
                rate: Int(Double(format.rate) * haste), capacity: Int(Double(format.rate) * seconds))
        }
        return format
    }

    /// Takes what there is room for; waits for room for half the buffer, and for the stream.
    public func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        guard let format = confined.state.format else { throw SinkError("\(name) is closed") }
        let offered = frames.count / format.frameSize
        while true {
            let now = clock.now
            var count = offered
            if let buffer = confined.state.buffer {
                let needed = min(offered, max(1, buffer.capacity / 2))
                count = min(offered, buffer.room(at: now))
                guard count >= needed else {
                    clock.wait(readable: bell.raw, until: buffer.instant(whenRoomFor: needed))
                    if bell.clear() { return 0 }
                    continue
                }
            }
            let bytes = UnsafeRawBufferPointer(rebasing: frames[..<(count * format.frameSize)])
            let taken = try confined.state.stream.write(bytes)
            if taken > 0 {
                confined.state.buffer?.deliver(taken / format.frameSize, at: now)
                return taken
            }
            clock.wait(readable: bell.raw, -1, writable: confined.state.stream.descriptor, until: .max)
            if bell.clear() { return 0 }
        }
    }

    /// What a device would not have played yet, or a reader has not taken yet, whichever is more; without a pace what
    /// is written counts as heard.
    public var latency: Int {
        guard let buffer = confined.state.buffer, let format = confined.state.format else { return 0 }
        return max(confined.state.stream.unread / format.frameSize, buffer.latency(at: clock.now))
    }

    /// Waits until all would have been heard, and for a reader to take the rest: at most a second longer.
    public func drain() throws(SinkError) {
        var deadline = max(clock.now, confined.state.buffer?.instantWhenEmpty ?? 0)
        guard deadline < .max else { return }
        let limit = deadline + 1_000_000_000
        while latency > 0, clock.now < limit {
            clock.wait(readable: bell.raw, until: max(deadline, clock.now))
            if bell.clear() { return }
            deadline = clock.now + 20_000_000
        }
    }

    /// Takes back what would not have been heard.
    public func drop() {
        guard latency > 0, let format = confined.state.format else { return }
        let frames = confined.state.buffer?.drop(at: clock.now) ?? 0
        confined.state.stream.takeBack(frames * format.frameSize)
    }

    /// Takes back the end of what would not have been heard, from files; what is in a pipe may be read already.
    public func takeBack(_ frames: Int) -> Int {
        guard confined.state.stream.takesBackExactly, let format = confined.state.format else { return 0 }
        let taken = confined.state.buffer?.takeBack(frames, at: clock.now) ?? 0
        confined.state.stream.takeBack(taken * format.frameSize)
        return taken
    }

    /// Stops the clock of the buffer; nothing is written until `resume`.
    public func pause() -> Bool {
        confined.state.buffer?.hold(at: clock.now)
        return true
    }

    /// Lets the clock of the buffer run on.
    public func resume() throws(SinkError) { confined.state.buffer?.release(at: clock.now) }

    /// Takes back what would not have been heard, makes the stream complete and lets it go.
    public func close() {
        drop()
        guard confined.state.isOpen else { return }
        confined.state.isOpen = false
        confined.state.buffer = nil
        confined.state.stream.close()
    }

    /// Makes a waiting call return.
    public func interrupt() { bell.signal() }
}

/// Nothing: frames are gone when they are written.
final class NullStream: ByteStream {
    func open(_ format: PCMFormat) {}
    func write(_ frames: UnsafeRawBufferPointer) -> Int { frames.count }
    var takesBackExactly: Bool { true }
    func close() {}
}
