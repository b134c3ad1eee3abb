internal import Glibc

/// Emphasizes voices: removes rumble, raises the range of consonants, and compresses.
final class VoiceProcessor: SampleProcessor {
    private let channels: Int
    private let filters: [Filter]
    /// State of each filter for each channel.
    private var states: [SIMD2<Float>]
    private let attack: Float
    private let release: Float
    private var envelope: Float = 0
    private var gain: Float = 1

    /// Level above which sound is compressed, in dBFS.
    private static let threshold = -26.0
    private static let ratio = 3.0
    /// In decibels; compensates for the compression of voices at the usual level.
    private static let makeup = 6.0
    /// The gain is computed once per this number of frames.
    private static let grain = 32

    /// A second-order filter (Robert Bristow-Johnson, Audio EQ Cookbook), transposed direct form 2.
    private struct Filter {
        var b0, b1, b2, a1, a2: Float

        init(b: (Double, Double, Double), a: (Double, Double, Double)) {
            b0 = Float(b.0 / a.0)
            b1 = Float(b.1 / a.0)
            b2 = Float(b.2 / a.0)
            a1 = Float(a.1 / a.0)
            a2 = Float(a.2 / a.0)
        }

        static func highPass(_ frequency: Double, rate: Double) -> Filter {
            let w = 2 * Double.pi * frequency / rate
            let alpha = sin(w) / (2 * 0.7071)
            return Filter(
                b: ((1 + cos(w)) / 2, -(1 + cos(w)), (1 + cos(w)) / 2), a: (1 + alpha, -2 * cos(w), 1 - alpha))
        }

        static func peak(_ frequency: Double, decibels: Double, q: Double, rate: Double) -> Filter {
            let w = 2 * Double.pi * frequency / rate
            let alpha = sin(w) / (2 * q)
            let amplitude = pow(10, decibels / 40)
            return Filter(
                b: (1 + alpha * amplitude, -2 * cos(w), 1 - alpha * amplitude),
                a: (1 + alpha / amplitude, -2 * cos(w), 1 - alpha / amplitude))
        }
    }

    init(rate: Int, channels: Int) {
        self.channels = channels
        let rate = Double(rate)
        // Frequencies near half the rate cannot be filtered.
        let bands: [(Double, Double, Double)] = [(3000, 4, 0.8), (250, -2, 1)]
        filters =
            [Filter.highPass(80, rate: rate)]
            + bands.filter { $0.0 < rate * 0.4 }.map { Filter.peak($0.0, decibels: $0.1, q: $0.2, rate: rate) }
        states = Array(repeating: SIMD2(), count: filters.count * channels)
        attack = 1 - Float(exp(-Double(Self.grain) / (rate * 0.005)))
        release = 1 - Float(exp(-Double(Self.grain) / (rate * 0.15)))
    }

    func restart() {
        for index in states.indices { states[index] = SIMD2() }
        envelope = 0
        gain = 1
    }

    func process(_ block: SoundBlock, _ next: (SoundBlock) -> Void) {
        for (index, filter) in filters.enumerated() {
            for channel in 0..<channels { run(filter, index * channels + channel, block, channel) }
        }
        for frame in stride(from: 0, to: block.frames, by: Self.grain) {
            compress(block.samples, frame, min(Self.grain, block.frames - frame))
        }
        next(block)
    }

    func finish(_ next: (SoundBlock) -> Void) {}

    private func run(_ filter: Filter, _ state: Int, _ block: SoundBlock, _ channel: Int) {
        var memory = states[state]
        for place in stride(from: channel, to: block.frames * channels, by: channels) {
            let input = block.samples[place]
            let output = filter.b0 * input + memory.x
            memory.x = filter.b1 * input - filter.a1 * output + memory.y
            memory.y = filter.b2 * input - filter.a2 * output
            block.samples[place] = output
        }
        states[state] = memory
    }

    private func compress(_ samples: UnsafeMutableBufferPointer<Float>, _ frame: Int, _ count: Int) {
        var sum: Float = 0
        let range = (frame * channels)..<((frame + count) * channels)
        for place in range { sum += samples[place] * samples[place] }
        let power = sum / Float(range.count)
        envelope += (power - envelope) * (power > envelope ? attack : release)
        let excess = max(0, 10 * log10(Double(envelope) + 1e-10) - Self.threshold)
        let target = Decibels.amplitude(Self.makeup - excess * (1 - 1 / Self.ratio))
        let step = (target - gain) / Float(count)
        for index in 0..<count {
            gain += step
            for channel in 0..<channels {
                // Never beyond full scale, also without the loudness limiter.
                let place = (frame + index) * channels + channel
                samples[place] = min(max(samples[place] * gain, -1), 1)
            }
        }
    }
}
