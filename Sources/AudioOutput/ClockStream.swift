internal import MediaPorts
internal import PodcastModel

/// Sets the pace of a `ClockStream`.
protocol PaceSource: AnyObject {
    func open(_ format: PCMFormat) throws(SinkError)
    /// How many seconds of sound count as heard in a second now.
    /// - Throws: why nothing can be heard.
    func pace() throws(SinkError) -> Double
}

/// A stream without a reader: frames count as heard at the pace of their source, whose player plays the file itself.
final class ClockStream: ByteStream {
    private let source: any PaceSource
    private let buffer: Duration
    private let clock: any OutputClock
    private var format = PCMFormat(rate: 44_100, channels: 2, type: .int16)
    /// Frames that were written and not heard at `instant`, and the pace from then on.
    private var unheard = 0.0
    private var instant: Instant
    private var pace = 0.0

    init(_ source: any PaceSource, buffer: Duration, clock: any OutputClock) {
        self.source = source
        self.buffer = buffer
        self.clock = clock
        instant = clock.now
    }

    func open(_ format: PCMFormat) throws(SinkError) {
        self.format = format
        try source.open(format)
        try advance()
    }

    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        try advance()
        let room = max(0, Int(PacedBuffer.frames(in: buffer, rate: format.rate)) - Int(unheard.rounded()))
        let count = min(frames.count / format.frameSize, room)
        unheard += Double(count)
        return count * format.frameSize
    }

    func takeBack(_ bytes: Int) { unheard = 0 }

    var unread: Int {
        // `write` reports a failure.
        try? advance()
        return Int(unheard.rounded()) * format.frameSize
    }

    /// Time after which half of the buffer is free again, and after which a failure is seen.
    var patience: Duration? { buffer / 2 }

    /// The source stays, because a pause closes outputs.
    func close() {}

    private func advance() throws(SinkError) {
        let now = clock.now
        unheard = max(0, unheard - max(.zero, now - instant).inSeconds * pace * Double(format.rate))
        instant = now
        pace = 0
        pace = try source.pace()
    }
}
