public import MediaPorts
public import PodcastModel

/// Processes frames of one format by `PlaybackParameters`. One thread. Can be used again after `restart` or `finish`.
public final class SoundChain {
    /// Frames for the ring, all from one run of the file.
    public struct Chunk: Equatable {
        public var bytes: Int
        /// First frame, and the frame after the last one, in frames of the file.
        public var media: Range<Int64>
    }

    public let format: PCMFormat
    private let parameters: PlaybackParameters
    /// Buffer for the decoder's next frames.
    public let room: UnsafeMutableRawBufferPointer

    /// Channels of the processors: one for mono.
    private let channels: Int
    private let processors: [any SampleProcessor]
    private let measurement: LoudnessProcessor.Measurement?
    private let survey: LoudnessSurvey?
    /// Decoded frames as floats; in `room` if they are floats.
    private let samples: UnsafeMutableBufferPointer<Float>
    private var collected: CollectedFrames
    private let grain: Int

    /// Large enough for a frame of any codec.
    private static let roomSize = 32_768
    /// Chunks at other speeds are this short, so that their frames' times are exact.
    private static let chunksPerSecond = 43

    /// - Parameter previous: the chain of the same episode before a change, whose loudness measurement continues.
    /// - Returns: nil if there is nothing to process.
    public init?(_ parameters: PlaybackParameters, _ format: PCMFormat, after previous: SoundChain? = nil) {
        guard parameters.changesSamples else { return nil }
        self.format = format
        self.parameters = parameters
        let channels = parameters.isMono ? 1 : format.channels
        self.channels = channels
        room = .allocate(byteCount: Self.roomSize, alignment: 64)
        samples =
            format.type == .float32
            ? room.bindMemory(to: Float.self) : .allocate(capacity: Self.roomSize / format.type.size)
        collected = CollectedFrames(channels: channels, capacity: format.rate)
        grain = max(1, format.rate / Self.chunksPerSecond)
        var processors: [any SampleProcessor] = []
        survey = parameters.measuresLoudness ? LoudnessSurvey(rate: format.rate, channels: channels) : nil
        if let survey {
            measurement = nil
            self.processors = [survey]
            return
        }
        if let silence = parameters.silence {
            processors.append(
                SilenceProcessor(
                    (silence.threshold, silence.shortest, silence.kept), rate: format.rate, channels: channels))
        }
        if parameters.hasVoiceBoost { processors.append(VoiceProcessor(rate: format.rate, channels: channels)) }
        if let target = parameters.loudness {
            let known = previous.flatMap { $0.format == format && $0.channels == channels ? $0.measurement : nil }
            let measurement = known ?? LoudnessProcessor.Measurement(rate: format.rate, channels: channels)
            self.measurement = measurement
            processors.append(
                LoudnessProcessor(
                    target: target, rate: format.rate, channels: channels, measurement,
                    recording: parameters.measuredLoudness,
                    // Both change the loudness of the recording.
                    isFinal: !parameters.hasVoiceBoost && !parameters.isMono))
        } else {
            measurement = previous?.measurement
        }
        if parameters.speed != .normal {
            processors.append(
                TempoProcessor(rate: format.rate, channels: channels, speed: Float(parameters.speed.factor)))
        }
        self.processors = processors
    }

    deinit {
        if format.type != .float32 { samples.deallocate() }
        room.deallocate()
    }

    public func canContinue(with wanted: PlaybackParameters) -> Bool {
        var wanted = wanted
        // Skipped ranges are removed before the chain.
        wanted.skips = parameters.skips
        return wanted == parameters
    }

    /// Processes frames that were written to `room`.
    /// - Parameter frame: the first frame's number in the file.
    public func process(bytes: Int, frame: Int64) {
        let frames = bytes / format.frameSize
        guard frames > 0 else { return }
        if format.type == .float32 {
            SampleLevel.bound(UnsafeMutableBufferPointer(rebasing: samples[..<(frames * format.channels)]))
        } else if let base = samples.baseAddress {
            let decoded = UnsafeRawBufferPointer(rebasing: room[..<(frames * format.frameSize)])
            SampleConversion.toFloat(decoded, format.type, into: base)
        }
        if channels < format.channels { mix(frames) }
        pass(SoundBlock(samples: samples, frames: frames, media: frame..<(frame + Int64(frames))), to: 0)
    }

    /// Processes held frames at the end of the file.
    public func finish() { for index in processors.indices { processors[index].finish { pass($0, to: index + 1) } } }

    /// Discards all frames, because the next ones come from another place of the file.
    public func restart() {
        for processor in processors { processor.restart() }
        collected.removeAll()
    }

    /// The loudness of everything decoded, in hundredths of LUFS; nil if not requested.
    public var surveyedLoudness: Int? { survey?.hundredths }

    public var hasFrames: Bool { !collected.isEmpty }

    /// Writes finished frames. Returns nil if there are none.
    public func take(into target: UnsafeMutableRawBufferPointer) -> Chunk? {
        guard let output = target.baseAddress else { return nil }
        let taken = collected.take(limit: target.count / format.frameSize, grain: grain) { samples in
            guard let start = samples.baseAddress else { return }
            SampleConversion.fromFloat(start, count: samples.count, format.type, into: output)
        }
        guard let taken else { return nil }
        if channels < format.channels {
            switch format.type {
            case .int16: spread(taken.frames, output.assumingMemoryBound(to: Int16.self))
            case .int32, .float32: spread(taken.frames, output.assumingMemoryBound(to: UInt32.self))
            }
        }
        return Chunk(bytes: taken.frames * format.frameSize, media: taken.media)
    }

    private func pass(_ block: SoundBlock, to index: Int) {
        guard index < processors.count else { return collected.append(block) }
        processors[index].process(block) { pass($0, to: index + 1) }
    }

    /// Replaces all channels by one, their average, in place.
    private func mix(_ frames: Int) {
        let share = 1 / Float(format.channels)
        for frame in 0..<frames {
            var sum: Float = 0
            for channel in 0..<format.channels { sum += samples[frame * format.channels + channel] }
            samples[frame] = sum * share
        }
    }

    /// Copies one channel to all channels, in place, from the last frame on.
    private func spread<Sample>(_ frames: Int, _ samples: UnsafeMutablePointer<Sample>) {
        for frame in (0..<frames).reversed() {
            let sample = samples[frame]
            for channel in 0..<format.channels { samples[frame * format.channels + channel] = sample }
        }
    }
}
