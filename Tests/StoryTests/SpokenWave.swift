import Glibc

/// A self-made recording of 16 bit, one channel.
struct SpokenWave {
    let bytes: [UInt8]

    /// Bursts of a tone of 200 Hz with silence after each.
    ///
    /// - Parameters:
    ///   - burst: seconds of each.
    ///   - pause: seconds after each.
    init(bursts: Int, burst: Double, pause: Double, rate: Int = 8000) {
        var samples: [Int16] = []
        for _ in 0..<bursts {
            let step = 400 * Double.pi / Double(rate)
            samples += (0..<Int(burst * Double(rate))).map { Int16(12_000 * sin(Double($0) * step)) }
            samples += Array(repeating: 0, count: Int(pause * Double(rate)))
        }
        self.init(samples, rate: rate)
    }

    init(_ samples: [Int16], rate: Int) {
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        let size = samples.count * 2
        bytes =
            Array("RIFF".utf8) + little(36 + size, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2)
            + little(1, 2) + little(rate, 4) + little(rate * 2, 4) + little(2, 2) + little(16, 2) + Array("data".utf8)
            + little(size, 4) + samples.flatMap { little(Int($0), 2) }
    }
}
