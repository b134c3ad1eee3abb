internal import SoundFilters

/// Adjusts an episode to a target loudness: measures it during playback and follows slowly.
///
/// The measurement covers everything decoded of the episode. The gain is decided at the first second; later changes are at most
/// 0.5 dB per second, so that no pumping is audible. If the recording was measured before, the gain is right and constant.
final class LoudnessProcessor: SampleProcessor {
    private let rate: Int
    private let channels: Int
    private let target: Double
    private let measurement: Measurement
    /// True for the gain of the whole recording, which needs no measuring.
    private let isFixed: Bool
    private let limiter: PeakLimiter
    /// Gain of the last frames, in decibels.
    private var gain: Double
    /// Frames since the last decision about the gain.
    private var frames = 0
    /// Required gain in decibels at the last measurement.
    private var wanted: Double?
    private var framesSinceMeasured = 0
    /// The beginning of an episode, held until its loudness is known, at most for a second.
    private var beginning: HeldFrames

    /// Measurement of an episode; outlives chains.
    final class Measurement {
        let meter: PeaklessMeter
        /// Where measuring continues, so that a part that is decoded twice counts once.
        var end: Int64 = 0
        /// The last gain, in decibels.
        var gain: Double?

        init(rate: Int, channels: Int) { meter = PeaklessMeter(rate: rate, channels: channels) }
    }

    /// In decibels.
    private static let gains = -20.0...20.0
    /// In decibels per second.
    private static let pace = 0.5
    private static let decisions = 10
    /// In frames.
    private static let grain = 64

    /// - Parameters:
    ///   - target: in LUFS.
    ///   - recording: loudness of the whole recording in hundredths of LUFS, if known.
    ///   - isFinal: true if no earlier processor changes the recording's loudness.
    init(
        target: Int, rate: Int, channels: Int, _ measurement: Measurement, recording: Int? = nil, isFinal: Bool = true
    ) {
        self.rate = rate
        self.channels = channels
        self.target = Double(target)
        self.measurement = measurement
        isFixed = recording != nil && isFinal
        if let recording, isFinal || measurement.gain == nil {
            measurement.gain = Self.gain(from: Double(recording) / 100, to: Double(target))
        }
        gain = measurement.gain ?? 0
        limiter = PeakLimiter(rate: rate, channels: channels)
        beginning = HeldFrames(capacity: rate, channels: channels)
    }

    func restart() {
        beginning.clear()
        gain = measurement.gain ?? gain
        limiter.restart()
    }

    func process(_ block: SoundBlock, _ next: (SoundBlock) -> Void) {
        if !isFixed { measure(block) }
        if measurement.gain == nil {
            decide(block.frames)
            if measurement.gain == nil, hold(block) { return }
        }
        beginning.passOn { level($0, next) }
        level(block, next)
    }

    func finish(_ next: (SoundBlock) -> Void) {
        beginning.passOn { level($0, next) }
        limiter.finish(next)
    }

    /// - Returns: false without room, or if a part of the file before the block is missing.
    private func hold(_ block: SoundBlock) -> Bool {
        guard block.frames <= beginning.room, beginning.isContinued(at: block.media.lowerBound) else { return false }
        beginning.append(block.samples[..<(block.frames * channels)], media: block.media.lowerBound)
        return true
    }

    private func level(_ block: SoundBlock, _ next: (SoundBlock) -> Void) {
        let before = gain
        decide(block.frames)
        amplify(block, from: Decibels.amplitude(before), to: Decibels.amplitude(gain))
        limiter.process(block, next)
    }

    private func measure(_ block: SoundBlock) {
        guard let samples = block.samples.baseAddress else { return }
        let known = max(0, min(Int64(block.frames), measurement.end - block.media.lowerBound))
        guard known < Int64(block.frames) else { return }
        let peak = measurement.gain.map { PeakLimiter.limit / Decibels.amplitude($0) }
        measurement.meter.add(samples + Int(known) * channels, frames: block.frames - Int(known), peak: peak)
        measurement.end = block.media.upperBound
    }

    private func decide(_ count: Int) {
        if isFixed { return }
        frames += count
        guard frames >= rate / Self.decisions || measurement.gain == nil else { return }
        let seconds = Double(frames) / Double(rate)
        framesSinceMeasured += frames
        if wanted == nil || framesSinceMeasured >= rate {
            wanted = measurement.meter.loudness.map { Self.gain(from: $0, to: target) }
            framesSinceMeasured = 0
        }
        guard let wanted else { return }
        frames = 0
        if measurement.gain == nil {
            gain = wanted
        } else {
            gain += min(max(wanted - gain, -Self.pace * seconds), Self.pace * seconds)
        }
        measurement.gain = gain
    }

    /// In decibels.
    private static func gain(from loudness: Double, to target: Double) -> Double {
        min(max(target - loudness, gains.lowerBound), gains.upperBound)
    }

    /// - Parameters:
    ///   - from: the factor of the frame before these.
    ///   - to: the factor of the last one. Frames of one grain have the same factor: the steps are inaudible.
    private func amplify(_ block: SoundBlock, from: Float, to: Float) {
        let step = (to - from) / Float(max(1, block.frames))
        for frame in stride(from: 0, to: block.frames, by: Self.grain) {
            let end = min(frame + Self.grain, block.frames)
            let factor = from + step * Float(end)
            for index in (frame * channels)..<(end * channels) { block.samples[index] *= factor }
        }
    }
}

/// Measures a recording's loudness. Passes on one frame per ten seconds, which shows that the decoder works.
final class LoudnessSurvey: SampleProcessor {
    /// In decibels above the loudness: the limiter takes higher peaks away at the target -16.
    private static let crest = 15.0

    private let meter: PeaklessMeter
    private let interval: Int64
    private var nextFrame: Int64 = 0
    private var peak: Float?

    init(rate: Int, channels: Int) {
        meter = PeaklessMeter(rate: rate, channels: channels)
        interval = Int64(rate) * 10
    }

    /// In hundredths of LUFS; nil for silence.
    var hundredths: Int? { meter.loudness.map { Int(($0 * 100).rounded()) } }

    func process(_ block: SoundBlock, _ next: (SoundBlock) -> Void) {
        guard let samples = block.samples.baseAddress else { return }
        meter.add(samples, frames: block.frames, peak: peak)
        guard block.frames > 0, block.media.lowerBound >= nextFrame else { return }
        peak = meter.loudness.map { Decibels.amplitude($0 + Self.crest) }
        nextFrame = block.media.lowerBound + interval
        let media = block.media.lowerBound..<(block.media.lowerBound + 1)
        next(SoundBlock(samples: block.samples, frames: 1, media: media))
    }

    func finish(_ next: (SoundBlock) -> Void) {}
    func restart() {}
}

/// Measures loudness without the peaks that a limiter takes away: clicks would make speech seem loud.
final class PeaklessMeter {
    private let meter: LoudnessMeter?
    private let channels: Int
    private var clipped: [Float] = []

    init(rate: Int, channels: Int) {
        meter = LoudnessMeter(rate: rate, channels: channels)
        self.channels = channels
    }

    /// In LUFS; nil for silence.
    var loudness: Double? { meter?.loudness }

    /// - Parameter peak: the highest amplitude that is left; nil for all.
    func add(_ samples: UnsafeMutablePointer<Float>, frames: Int, peak: Float?) {
        let all = UnsafeMutableBufferPointer(start: samples, count: frames * channels)
        guard let peak, !SampleLevel.isWithin(peak, all) else { return meter?.add(samples, frames: frames) ?? () }
        clipped.removeAll(keepingCapacity: true)
        clipped.append(contentsOf: all.lazy.map { min(max($0, -peak), peak) })
        clipped.withUnsafeMutableBufferPointer { clipped in
            if let start = clipped.baseAddress { meter?.add(start, frames: frames) }
        }
    }
}
