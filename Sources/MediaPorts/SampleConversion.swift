/// Converts samples from one type to another, through 32-bit float at ±1: simple loops over raw memory that the
/// compiler vectorizes, without a branch or a trap for any input. Values beyond full scale are clamped; NaN becomes full
/// scale. Values are rounded to the nearest integer, and halves to the even one.
public enum SampleConversion {
    public static func toFloat(
        _ bytes: UnsafeRawBufferPointer, _ type: SampleType, into output: UnsafeMutablePointer<Float>
    ) {
        guard let base = bytes.baseAddress else { return }
        let count = bytes.count / type.size
        switch type {
        case .int16:
            let input = base.assumingMemoryBound(to: Int16.self)
            for index in 0..<count { output[index] = Float(input[index]) * (1 / 32_768) }
        case .int32:
            let input = base.assumingMemoryBound(to: Int32.self)
            for index in 0..<count { output[index] = Float(input[index]) * (1 / 2_147_483_648) }
        case .float32: output.update(from: base.assumingMemoryBound(to: Float.self), count: count)
        }
    }

    public static func fromFloat(
        _ input: UnsafePointer<Float>, count: Int, _ type: SampleType, into output: UnsafeMutableRawPointer
    ) {
        switch type {
        case .int16:
            // Adding 1.5 × 2^23 leaves the nearest integer in the low bits of the sum.
            let magic: Float = 12_582_912
            let output = output.assumingMemoryBound(to: Int16.self)
            for index in 0..<count {
                let clipped = clip(input[index] * 32_768, -32_768, 32_767)
                output[index] = Int16(truncatingIfNeeded: (clipped + magic).bitPattern &- magic.bitPattern)
            }
        case .int32:
            // The same with 1.5 × 2^52 in double.
            let magic = 6_755_399_441_055_744.0
            let output = output.assumingMemoryBound(to: Int32.self)
            for index in 0..<count {
                let clipped = clip(Double(input[index]) * 2_147_483_648, -2_147_483_648, 2_147_483_647)
                output[index] = Int32(truncatingIfNeeded: (clipped + magic).bitPattern)
            }
        case .float32: output.assumingMemoryBound(to: Float.self).update(from: input, count: count)
        }
    }

    @inline(__always) private static func clip<Number: BinaryFloatingPoint>(
        _ value: Number, _ low: Number, _ high: Number
    ) -> Number { value < high ? (value > low ? value : low) : high }
}
