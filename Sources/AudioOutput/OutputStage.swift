internal import MediaPorts
internal import PodcastModel
internal import SoundDevices

/// Converts frames of a source to frames for a sink: sample type, channels, rate and gain; sink thread only.
///
/// `take` adds frames, which wait in the outbox until the sink accepts them. If nothing has to be converted, the stage
/// `isTransparent` and is bypassed. All memory is allocated at creation.
final class OutputStage {
    let source: PCMFormat
    let sink: PCMFormat
    var gain: GainRamp

    private let channels: ChannelMap
    private let resampler: Resampler?
    /// Maximum number of source frames for one `take`.
    private let limit: Int
    private let input: UnsafeMutablePointer<Float>
    private let mixed: UnsafeMutablePointer<Float>
    private let resampled: UnsafeMutablePointer<Float>
    private let resampledFrames: Int
    private let outbox: UnsafeMutableRawPointer
    private var outboxStart = 0
    private var outboxEnd = 0

    /// Creates a stage between two formats; `take` accepts at most `limit` frames at once.
    /// - Throws: `SinkError` if the conversion is not possible.
    init(from source: PCMFormat, to sink: PCMFormat, limit: Int, gain: GainRamp) throws(SinkError) {
        self.source = source
        self.sink = sink
        self.limit = limit
        self.gain = gain
        channels = ChannelMap(from: source.channels, to: sink.channels)
        if source.rate == sink.rate {
            resampler = nil
            resampledFrames = limit
        } else {
            resampler = try mapError(
                of: Resampler(from: source.rate, to: sink.rate, channels: sink.channels), Self.failure)
            resampledFrames = limit * sink.rate / source.rate + 1024
        }
        input = .allocate(capacity: limit * source.channels)
        mixed = .allocate(capacity: limit * sink.channels)
        resampled = .allocate(capacity: resampledFrames * sink.channels)
        outbox = .allocate(byteCount: resampledFrames * sink.frameSize, alignment: 64)
    }

    deinit {
        input.deallocate()
        mixed.deallocate()
        resampled.deallocate()
        outbox.deallocate()
    }

    /// Whether frames pass unchanged.
    var isTransparent: Bool { source == sink && gain.isUnity && outboxStart == outboxEnd }

    /// Whether output frames correspond one to one to input frames.
    var keepsFrames: Bool { resampler == nil }

    var waiting: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: outbox + outboxStart, count: outboxEnd - outboxStart)
    }

    /// Number of source frames in this stage and in `latency` frames of the sink, at the source's rate.
    func heldFrames(beyond latency: Int) -> Int64 {
        let waiting = (outboxEnd - outboxStart) / sink.frameSize + latency
        guard let resampler else { return Int64(waiting) }
        let frames = (Double(waiting) + max(0, resampler.delay)) * Double(source.rate) / Double(sink.rate)
        return Int64(frames.rounded())
    }

    /// Converts source frames; call it only when nothing is waiting.
    /// - Returns: number of frames taken.
    func take(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        let count = min(limit, frames.count / source.frameSize)
        let bytes = UnsafeRawBufferPointer(rebasing: frames[..<(count * source.frameSize)])
        SampleConversion.toFloat(bytes, source.type, into: input)
        var samples = input
        if !channels.isIdentity {
            channels.apply(input, frames: count, into: mixed)
            samples = mixed
        }
        guard resampler != nil else {
            put(samples, frames: count)
            return count
        }
        return try resample(UnsafeBufferPointer(start: samples, count: count * sink.channels))
    }

    /// Flushes the resampler; no frames may be added before `discard`.
    /// - Returns: whether there were frames; call it again until there are none.
    func finish() throws(SinkError) -> Bool {
        guard resampler != nil else { return false }
        _ = try resample(nil)
        return outboxEnd > outboxStart
    }

    /// Removes bytes that the sink has accepted from `waiting`.
    func sent(_ bytes: Int) {
        outboxStart += bytes
        if outboxStart >= outboxEnd {
            outboxStart = 0
            outboxEnd = 0
        }
    }

    func discard() {
        outboxStart = 0
        outboxEnd = 0
        resampler?.clear()
    }

    private func resample(_ samples: UnsafeBufferPointer<Float>?) throws(SinkError) -> Int {
        guard let resampler else { return 0 }
        let room = UnsafeMutableBufferPointer(start: resampled, count: resampledFrames * sink.channels)
        do {
            let (taken, written) = try resampler.process(samples, into: room, channels: sink.channels)
            put(resampled, frames: written)
            return taken
        } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: ResamplingError) -> SinkError {
        SinkError("cannot convert the audio: \(error)")
    }

    private func put(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        if !gain.isUnity { gain.apply(to: samples, frames: frames, channels: sink.channels) }
        SampleConversion.fromFloat(samples, count: frames * sink.channels, sink.type, into: outbox)
        outboxStart = 0
        outboxEnd = frames * sink.frameSize
    }
}
