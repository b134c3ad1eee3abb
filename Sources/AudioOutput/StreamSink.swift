internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// Destination of a byte stream: a file, a pipe, nothing. Never blocks; sink thread only.
protocol ByteStream: AnyObject {
    /// Opens for a format, which stays the same for the stream's life; after `close`, continues after the bytes already written.
    func open(_ format: PCMFormat) throws(SinkError)
    /// Writes whole frames.
    /// - Returns: number of bytes written; 0 if `descriptor` must become writable first.
    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int
    /// Removes the last bytes that were written, if possible.
    func takeBack(_ bytes: Int)
    /// Whether `takeBack` removes exactly the requested number of bytes.
    var takesBackExactly: Bool { get }
    var unread: Int { get }
    /// The descriptor to wait for if `write` returned 0; negative if there is none.
    var descriptor: Int32 { get }
    /// Time after which `write` may make room by itself although `descriptor` is not writable; nil if it never does.
    var patience: Duration? { get }
    /// Completes what was written, and closes.
    func close()
}

extension ByteStream {
    func takeBack(_ bytes: Int) {}
    var takesBackExactly: Bool { false }
    var unread: Int { 0 }
    var descriptor: Int32 { -1 }
    var patience: Duration? { nil }
}

/// A stream into a pipe or a socket.
protocol PipedStream: ByteStream {
    /// Nil if the stream is closed.
    var end: PipeEnd? { get }
}

extension PipedStream {
    func takeBack(_ bytes: Int) { end?.discardUnread() }
    var unread: Int { end?.unread ?? 0 }
    var descriptor: Int32 { end?.raw ?? -1 }
}

/// A sink without a device: a stream of bytes, written in real time or at full speed.
///
/// In real time it simulates a device whose buffer precedes the stream. `drop` removes bytes that would not have been
/// heard yet, if the stream can, so that a file contains exactly what was heard.
final class StreamSink: PacedSink {
    /// Like a device with a buffer of this duration, faster by a factor slightly above 1.
    struct Pace {
        var buffer: Duration
        var speed: Double

        /// As deep as a device's, for few wake-ups.
        static let deep = Pace(buffer: .milliseconds(1800), speed: 1)
        /// For encoders, whose listeners hear a pause and another volume later anyway.
        static let shallow = Pace(buffer: .milliseconds(500), speed: 1)
        /// For a program that reads the stream. The program may run on its own clock, up to 0.1 % faster than ours, so we write
        /// slightly faster and let back-pressure set the pace.
        static let ofReader = Pace(buffer: .milliseconds(500), speed: 1.001)
    }

    private final class State {
        let stream: any ByteStream
        var format: PCMFormat?
        var buffer: PacedBuffer?
        var isOpen = false

        init(_ stream: any ByteStream) { self.stream = stream }
    }

    private let specification: OutputSpecification
    /// Nil writes at full speed.
    private let pace: Pace?
    private let keepsFirst: Bool
    let clock: any OutputClock
    let wakeUp: EventDescriptor
    private let confined: ThreadConfined<State>
    private var state: State { confined.state }

    /// - Parameter keepsFirst: whether the first format stays, because a stream cannot announce a change.
    init(
        _ specification: OutputSpecification, _ stream: any ByteStream, pace: Pace?, keepsFirst: Bool,
        clock: any OutputClock
    ) throws(SystemError) {
        self.specification = specification
        self.pace = pace
        self.keepsFirst = keepsFirst
        self.clock = clock
        wakeUp = try EventDescriptor()
        confined = ThreadConfined(State(stream))
    }

    func open(_ wanted: PCMFormat) throws(SinkError) -> PCMFormat {
        var wanted = wanted
        // Most consumers expect 16 bit.
        if keepsFirst { wanted.type = .int16 }
        let format = (keepsFirst ? state.format : nil) ?? specification.format(for: wanted)
        if !state.isOpen { try state.stream.open(format) }
        state.isOpen = true
        state.format = format
        state.buffer = pace.map { pace in
            PacedBuffer(rate: Int(Double(format.rate) * pace.speed), capacity: format.frames(in: pace.buffer))
        }
        return format
    }

    var timeout: Duration? { nil }
    var stalled: SinkError { SinkError("\(specification.name) accepts no more sound", isTemporary: true) }

    func attempt(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> WriteAttempt {
        guard let format = state.format else { throw SinkError("\(specification.name) is closed") }
        let now = clock.now
        var part = frames
        if let buffer = state.buffer {
            let needed = frames.needed(format, ofBuffer: buffer.capacity)
            let room = buffer.room(at: now)
            guard room >= needed else { return .full(until: buffer.instant(whenRoomFor: needed)) }
            part = frames.prefix(room, format)
        }
        let stream = state.stream
        let taken = try stream.write(part)
        guard taken > 0 else {
            return .full(until: stream.patience.map { now + $0 } ?? .distantFuture, writable: stream.descriptor)
        }
        state.buffer?.deliver(taken / format.frameSize, at: now)
        return .took(taken)
    }

    var latencies: ClosedRange<Duration> { .zero...max(.zero, (pace?.buffer ?? .zero) - .milliseconds(250)) }

    /// Frames that a device would not have played yet, or that a reader has not read yet, whichever is more; at full
    /// speed, written frames count as heard.
    var latency: Int {
        guard let buffer = state.buffer, let format = state.format else { return 0 }
        return max(state.stream.unread / format.frameSize, buffer.latency(at: clock.now))
    }

    /// Waits until all frames would have been heard, and at most another second for a reader to read the rest.
    func drain() throws(SinkError) {
        var deadline = max(clock.now, state.buffer?.instantWhenEmpty ?? .distantPast)
        guard deadline < .distantFuture else { return }
        let limit = deadline + .seconds(1)
        while latency > 0, clock.now < limit {
            clock.wait(readable: wakeUp.raw, until: max(deadline, clock.now))
            if wakeUp.clear() { return }
            deadline = clock.now + .milliseconds(20)
        }
    }

    func drop() {
        guard latency > 0, let format = state.format else { return }
        let frames = state.buffer?.drop(at: clock.now) ?? 0
        state.stream.takeBack(frames * format.frameSize)
    }

    /// Removes the last of these frames from files; a pipe's reader may have read them already.
    func takeBack(_ frames: Int) -> Int {
        guard state.stream.takesBackExactly, let format = state.format else { return 0 }
        let taken = state.buffer?.takeBack(frames, at: clock.now) ?? 0
        state.stream.takeBack(taken * format.frameSize)
        return taken
    }

    /// Stops the clock of the buffer; nothing is written until `resume`.
    func pause() -> Bool {
        state.buffer?.hold(at: clock.now)
        return true
    }

    func resume() throws(SinkError) { state.buffer?.release(at: clock.now) }

    /// Removes frames that would not have been heard, completes the stream and closes it.
    func close() {
        drop()
        guard state.isOpen else { return }
        state.isOpen = false
        state.buffer = nil
        state.stream.close()
    }
}

extension OutputKind {
    /// Plays silently in real time.
    public static let null = OutputKind(
        name: "null", parameter: .none, isClientAddable: { _ in true }, isSameDevice: { _, _ in false },
        note: "it plays silently",
        makeSink: { try $1.sink($0, NullStream(), keepsFirst: false) })
}

final class NullStream: ByteStream {
    func open(_ format: PCMFormat) {}
    func write(_ frames: UnsafeRawBufferPointer) -> Int { frames.count }
    var takesBackExactly: Bool { true }
    func close() {}
}
