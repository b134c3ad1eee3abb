internal import MediaPorts

/// Converts samples between types. Values beyond full scale are clamped.
enum SampleConversion {
    private typealias Floats = SIMD8<Float>
    private typealias Shorts = SIMD8<Int16>

    static func convert(_ source: UnsafeBufferPointer<Float>, to target: UnsafeMutableBufferPointer<Int16>) {
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        let count = min(source.count, target.count)
        let whole = count / 8 * 8
        for index in stride(from: 0, to: whole, by: 8) {
            let samples = UnsafeRawPointer(from + index).loadUnaligned(as: Floats.self) * 32768
            let clamped = samples.clamped(lowerBound: Floats(repeating: -32768), upperBound: Floats(repeating: 32767))
            UnsafeMutableRawPointer(to + index).storeBytes(
                of: Shorts(truncatingIfNeeded: SIMD8<Int32>(clamped, rounding: .toNearestOrEven)), as: Shorts.self)
        }
        for index in whole..<count { to[index] = Int16(min(max(from[index] * 32768, -32768), 32767).rounded()) }
    }

    static func convert(_ source: UnsafeBufferPointer<Int16>, to target: UnsafeMutableBufferPointer<Float>) {
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        let count = min(source.count, target.count)
        let whole = count / 8 * 8
        for index in stride(from: 0, to: whole, by: 8) {
            let samples = UnsafeRawPointer(from + index).loadUnaligned(as: Shorts.self)
            UnsafeMutableRawPointer(to + index).storeBytes(
                of: Floats(SIMD8<Int32>(truncatingIfNeeded: samples)) * (1 / 32768), as: Floats.self)
        }
        for index in whole..<count { to[index] = Float(from[index]) / 32768 }
    }

    /// Reads frames of any type as floats.
    static func read(
        _ bytes: UnsafeRawBufferPointer, _ type: SampleType, into target: UnsafeMutableBufferPointer<Float>
    ) {
        switch type {
        case .float32:
            UnsafeMutableRawBufferPointer(target).copyMemory(from: bytes)
        case .int16: bytes.withMemoryRebound(to: Int16.self) { convert($0, to: target) }
        case .int32:
            for index in 0..<(bytes.count / 4) {
                target[index] = Float(bytes.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)) / 2_147_483_648
            }
        }
    }

    /// Writes floats as samples of any type.
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
