/// Maps the channels of a source to those of a sink.
///
/// Channel order as in WAV files: left, right, centre, low frequencies, surround left, surround right.
struct ChannelMap {
    let from: Int
    let to: Int
    /// `to` rows of `from` factors; the sum of each row is at most 1, so nothing clips.
    private let factors: [Float]

    init(from: Int, to: Int) {
        self.from = from
        self.to = to
        var rows = [Float](repeating: 0, count: from * to)
        if to <= 2, from > 2 {
            Self.fold(from: from, to: to, into: &rows)
        } else if from == 2, to == 1 {
            rows = [0.5, 0.5]
        } else if from == 1 {
            for row in 0..<min(2, to) { rows[row] = 1 }
        } else {
            for row in 0..<min(from, to) { rows[row * from + row] = 1 }
        }
        factors = rows
    }

    var isIdentity: Bool { from == to }

    func apply(_ input: UnsafePointer<Float>, frames: Int, into output: UnsafeMutablePointer<Float>) {
        switch (from, to) {
        case (1, 2):
            for frame in 0..<frames {
                output[2 * frame] = input[frame]
                output[2 * frame + 1] = input[frame]
            }
        case (2, 1): for frame in 0..<frames { output[frame] = (input[2 * frame] + input[2 * frame + 1]) * 0.5 }
        default:
            factors.withUnsafeBufferPointer { factors in
                for frame in 0..<frames {
                    for row in 0..<to {
                        var sum: Float = 0
                        for column in 0..<from { sum += factors[row * from + column] * input[frame * from + column] }
                        output[frame * to + row] = sum
                    }
                }
            }
        }
    }

    /// Centre and surrounds at -3 dB, without low frequencies (ITU-R BS.775), scaled so that nothing clips.
    private static func fold(from: Int, to: Int, into rows: inout [Float]) {
        let down = Float(0.5).squareRoot()
        // Quad has no centre; with six or more channels, the fourth is the low frequencies.
        let hasCentre = from != 4
        let lowFrequencies = from >= 6 ? 3 : -1
        for column in 0..<from where column != lowFrequencies {
            let isCentre = hasCentre && column == 2
            let isSurround = column > 2 || (column == 2 && !hasCentre)
            let firstSurround = from >= 6 ? 4 : (hasCentre ? 3 : 2)
            let side = isSurround ? (column - firstSurround) % 2 : column
            let factor: Float = isCentre || isSurround ? down : 1
            for row in 0..<to where to == 1 || isCentre || side == row { rows[row * from + column] = factor }
        }
        for row in 0..<to {
            let sum = rows[(row * from)..<((row + 1) * from)].reduce(0, +)
            for column in 0..<from { rows[row * from + column] /= max(1, sum) }
        }
    }
}

/// A gain that changes gradually over a few milliseconds, so that no step is heard.
struct GainRamp {
    private(set) var current: Float
    private(set) var target: Float
    private var left = 0
    private var step: Float = 0

    init(_ gain: Float) {
        current = gain
        target = gain
    }

    /// Whether samples pass unchanged.
    var isUnity: Bool { left == 0 && current == 1 }

    /// Starts changing to a gain over this number of frames.
    mutating func approach(_ gain: Float, over frames: Int) {
        guard gain != target else { return }
        target = gain
        left = max(1, frames)
        step = (gain - current) / Float(left)
    }

    /// Applies the target gain at once; after silence no step is heard.
    mutating func reachTarget() {
        current = target
        left = 0
    }

    mutating func apply(to samples: UnsafeMutablePointer<Float>, frames: Int, channels: Int) {
        let ramped = min(left, frames)
        for frame in 0..<ramped {
            current += step
            for channel in 0..<channels { samples[frame * channels + channel] *= current }
        }
        left -= ramped
        if left == 0 { current = target }
        guard current != 1, frames > ramped else { return }
        let gain = current
        for index in (ramped * channels)..<(frames * channels) { samples[index] *= gain }
    }
}
