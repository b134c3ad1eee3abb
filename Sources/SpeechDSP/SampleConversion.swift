internal import MediaPorts

/// Converts samples between types. Values beyond full scale are clamped.
///
/// The loops have no checks that trap, so that the compiler uses vector instructions.
enum SampleConversion {
    static func convert(_ source: UnsafeBufferPointer<Float>, to target: UnsafeMutableBufferPointer<Int16>) {
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        for index in 0..<min(source.count, target.count) { to[index] = int16(from[index]) }
    }

    /// Rounds to the nearest integer, and halves to the even one.
    static func int16(_ sample: Float) -> Int16 {
        let scaled = min(max(sample * 32768, -32768), 32767)
        // A float of this size has no fraction bits, so adding it rounds; the lowest bits are the integer.
        return Int16(truncatingIfNeeded: (scaled + 1.5 * 0x1p23).bitPattern)
    }

    static func convert(_ source: UnsafeBufferPointer<Int16>, to target: UnsafeMutableBufferPointer<Float>) {
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        for index in 0..<min(source.count, target.count) { to[index] = Float(from[index]) * (1 / 32768) }
    }

    /// Reads frames of any type as floats. Floats must be in the target already.
    static func read(
        _ bytes: UnsafeRawBufferPointer, _ type: SampleType, into target: UnsafeMutableBufferPointer<Float>
    ) {
        switch type {
        case .float32: SampleLevel.bound(UnsafeMutableBufferPointer(rebasing: target[..<(bytes.count / type.size)]))
        case .int16: bytes.withMemoryRebound(to: Int16.self) { convert($0, to: target) }
        case .int32:
            for index in 0..<(bytes.count / 4) {
                target[index] = Float(bytes.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)) / 2_147_483_648
            }
        }
    }

    static func write(_ source: UnsafeBufferPointer<Float>, _ type: SampleType, to bytes: UnsafeMutableRawBufferPointer)
    {
        switch type {
        case .float32: bytes.copyMemory(from: UnsafeRawBufferPointer(source))
        case .int16: convert(source, to: bytes.bindMemory(to: Int16.self))
        case .int32:
            for (index, sample) in source.enumerated() {
                let scaled = min(max(Double(sample) * 2_147_483_648, -2_147_483_648), 2_147_483_647)
                bytes.storeBytes(of: Int32(scaled), toByteOffset: index * 4, as: Int32.self)
            }
        }
    }
}
