internal import Glibc

/// Keeps peaks, also those between samples, below -1 dB of full scale.
///
/// Sound is delayed by 5 ms, over which the gain falls before a peak; afterwards it rises again, within 20 ms after a click. Peaks between samples
/// are interpolated at four times the rate (ITU-R BS.1770, annex 2), only where samples come near the limit.
final class PeakLimiter: SampleProcessor {
    private let channels: Int
    /// Frames of a segment; the gain is linear within one.
    private let segment: Int
    /// By how much the gain rises in a segment: after peaks that follow one another, and after a click, around which the sound keeps
    /// its level.
    private let (recovery, quickRecovery): (Float, Float)
    /// Share of the segments in the last 0.2 s that had peaks.
    private var density: Float = 0
    private static let clickDensity: Float = 0.25
    /// Delayed segments: the gain of the one before the newest must suit both.
    private var waiting: Segment
    private var newest: Segment
    private var gain: Float = 1

    private struct Segment {
        /// The segment's samples, after the last samples before it, which interpolation needs.
        let history: UnsafeMutableBufferPointer<Float>
        let samples: UnsafeMutableBufferPointer<Float>
        var frames = 0
        var media: Int64 = 0
        /// The highest peak's share of the limit; at least 1.
        var excess: Float = 1

        init(frames: Int, channels: Int) {
            let before = (PeakLimiter.taps - 1) * channels
            history = .allocate(capacity: before + frames * channels)
            history.initialize(repeating: 0)
            samples = UnsafeMutableBufferPointer(rebasing: history[before...])
        }

        func follow(_ last: Segment, channels: Int) {
            let before = history.count - samples.count
            let source = last.history[(last.frames * channels)..<(last.frames * channels + before)]
            _ = history.update(fromContentsOf: source)
        }
    }

    static let limit = Decibels.amplitude(-1)
    /// Peaks between samples are searched for from this level on.
    private static let watched = Decibels.amplitude(-4)

    init(rate: Int, channels: Int) {
        self.channels = channels
        segment = max(8, rate / 200)
        recovery = Float(segment) / Float(rate) / 0.15
        quickRecovery = Float(segment) / Float(rate) / 0.02
        waiting = Segment(frames: segment, channels: channels)
        newest = Segment(frames: segment, channels: channels)
    }

    deinit {
        waiting.history.deallocate()
        newest.history.deallocate()
    }

    func restart() {
        waiting.frames = 0
        newest.frames = 0
        newest.history.update(repeating: 0)
        gain = 1
    }

    func process(_ block: SoundBlock, _ next: (SoundBlock) -> Void) {
        // A part of the file is missing here.
        if newest.frames > 0, newest.media + Int64(newest.frames) != block.media.lowerBound { complete(next) }
        var place = 0
        while place < block.frames {
            let count = min(block.frames - place, segment - newest.frames)
            if newest.frames == 0 { newest.media = block.media.lowerBound + Int64(place) }
            let target = UnsafeMutableBufferPointer(rebasing: newest.samples[(newest.frames * channels)...])
            _ = target.update(
                fromContentsOf: UnsafeBufferPointer(
                    rebasing: block.samples[(place * channels)..<((place + count) * channels)]))
            newest.frames += count
            place += count
            if newest.frames == segment { complete(next) }
        }
    }

    func finish(_ next: (SoundBlock) -> Void) {
        complete(next)
        complete(next)
        restart()
    }

    /// Called when the newest segment is complete: outputs the one before.
    private func complete(_ next: (SoundBlock) -> Void) {
        newest.excess = newest.frames > 0 ? excess(newest) : 1
        passOn(next)
        swap(&waiting, &newest)
        newest.follow(waiting, channels: channels)
        newest.frames = 0
    }

    private func passOn(_ next: (SoundBlock) -> Void) {
        guard waiting.frames > 0 else { return }
        // Until the segment's end the gain falls to the requirement of the next segment, or rises slowly.
        let allowed = 1 / max(waiting.excess, newest.excess)
        density += ((waiting.excess > 1 ? 1 : 0) - density) / 40
        let target = min(allowed, gain + (density < Self.clickDensity ? quickRecovery : recovery))
        let start = min(gain, 1 / waiting.excess)
        if start != 1 || target != 1 {
            let step = (target - start) / Float(waiting.frames)
            for frame in 0..<waiting.frames {
                let factor = start + step * Float(frame + 1)
                for channel in 0..<channels { waiting.samples[frame * channels + channel] *= factor }
            }
        }
        gain = target
        let media = waiting.media..<(waiting.media + Int64(waiting.frames))
        next(SoundBlock(samples: waiting.samples, frames: waiting.frames, media: media))
        waiting.frames = 0
    }

    private func excess(_ segment: Segment) -> Float {
        let samples = UnsafeMutableBufferPointer(rebasing: segment.samples[..<(segment.frames * channels)])
        if SampleLevel.isWithin(Self.watched, samples) { return 1 }
        return max(1, max(SampleLevel.peak(samples), betweenSamples(segment)) / Self.limit)
    }

    /// Weights of the samples around a quarter, a half and three quarters of the way between two: windowed sinc.
    private static let weights: [[Float]] = [0.25, 0.5, 0.75].map { (place: Double) in
        let weights = (0..<taps).map { tap -> Double in
            let distance = Double(tap - taps / 2 + 1) - place
            let window = 0.5 + 0.5 * cos(.pi * distance / Double(taps / 2 + 1))
            return sin(.pi * distance) / (.pi * distance) * window
        }
        let sum = weights.reduce(0, +)
        return weights.map { Float($0 / sum) }
    }
    private static let taps = 12

    /// The highest peak between the segment's samples, and between those just before it.
    private func betweenSamples(_ segment: Segment) -> Float {
        var peak: Float = 0
        let samples = segment.history
        let count = Self.taps - 1 + segment.frames
        for channel in 0..<channels {
            for frame in (Self.taps / 2 - 1)..<(count - Self.taps / 2) {
                let place = frame * channels + channel
                guard max(abs(samples[place]), abs(samples[place + channels])) >= Self.watched else { continue }
                let start = place - (Self.taps / 2 - 1) * channels
                for weights in Self.weights {
                    var sum: Float = 0
                    for tap in 0..<Self.taps { sum += weights[tap] * samples[start + tap * channels] }
                    peak = max(peak, abs(sum))
                }
            }
        }
        return peak
    }
}
