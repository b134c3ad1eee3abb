internal import Glibc

/// The highest levels of samples. Without their sign bit, floats are ordered like their bits as integers, which the
/// compiler compares with vector instructions; NaN is above all other values.
enum SampleLevel {
    /// Floats of a damaged file can have any value, and a filter would keep it. 24 dB above full scale is impossible.
    private static let highest: Float = 16

    /// Clamps samples to possible values, and replaces NaN by silence.
    static func bound(_ samples: UnsafeMutableBufferPointer<Float>) {
        if isWithin(highest, samples) { return }
        for (index, sample) in samples.enumerated() {
            samples[index] = sample.isNaN ? 0 : min(max(sample, -highest), highest)
        }
    }

    static func isWithin(_ level: Float, _ samples: UnsafeMutableBufferPointer<Float>) -> Bool {
        // A sum overflows to a negative number if its sample is above the level; then `sums` is negative.
        let margin = Int32.max - bits(level)
        var sums: Int32 = 0
        for sample in samples { sums |= bits(sample) &+ margin }
        return sums >= 0
    }

    static func peak(_ samples: UnsafeMutableBufferPointer<Float>) -> Float {
        var highest: Int32 = 0
        for sample in samples { highest = max(highest, bits(sample)) }
        return Float(bitPattern: UInt32(bitPattern: highest))
    }

    private static func bits(_ sample: Float) -> Int32 { Int32(bitPattern: sample.magnitude.bitPattern) }
}

/// Levels relative to full scale.
enum Decibels {
    static func power(_ decibels: Double) -> Float { Float(pow(10, decibels / 10)) }
    static func amplitude(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }
}
