internal import MediaPorts

/// Joins two places of a sound.
struct CrossFade {
    private let format: PCMFormat
    init(_ format: PCMFormat) { self.format = format }

    /// - Parameter frames: twice as many as are left out or repeated.
    func corrected(_ frames: UnsafeRawBufferPointer, _ count: Int, leavesOut: Bool) -> [UInt8] {
        let samples = 2 * count * format.channels
        let input = [Float](unsafeUninitializedCapacity: samples) { buffer, size in
            SampleConversion.toFloat(frames, format.type, into: buffer.baseAddress!)
            size = samples
        }
        let half = count * format.channels
        let first = input[..<half]
        let second = input[half...]
        func fade(_ from: ArraySlice<Float>, _ to: ArraySlice<Float>) -> [Float] {
            zip(from, to).enumerated().map { index, pair in
                let part = Float(index / format.channels) / Float(count)
                return pair.0 * (1 - part) + pair.1 * part
            }
        }
        let output = leavesOut ? fade(first, second) : Array(first) + fade(second, first) + Array(second)
        return [UInt8](unsafeUninitializedCapacity: output.count * format.type.size) { buffer, size in
            output.withUnsafeBufferPointer {
                SampleConversion.fromFloat($0.baseAddress!, count: output.count, format.type, into: buffer.baseAddress!)
            }
            size = output.count * format.type.size
        }
    }
}
