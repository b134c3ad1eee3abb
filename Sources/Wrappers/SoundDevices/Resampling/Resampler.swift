internal import CSoxr

/// The library's error message.
public struct ResamplingError: Error, Equatable, CustomStringConvertible {
    var message: String
    public var description: String { message }
}

/// Resamples one stream of interleaved 32-bit float frames; one thread at a time.
///
/// The quality is libsoxr's default, HQ: 20 bits, linear phase.
@safe public final class Resampler {
    private let handle: soxr_t

    /// soxr_create(3). Rates are in frames per second.
    /// - Throws: if memory is missing or the ratio is out of range.
    public init(from: Int, to: Int, channels: Int) throws(ResamplingError) {
        var failure: soxr_error_t?
        let made = unsafe soxr_create(Double(from), Double(to), UInt32(channels), &failure, nil, nil, nil)
        guard let made = unsafe made else {
            let message = unsafe failure.map { unsafe String(cString: $0) } ?? "out of memory"
            throw ResamplingError(message: "\(from) to \(to) frames a second: \(message)")
        }
        unsafe handle = made
    }

    deinit { unsafe soxr_delete(handle) }

    /// Processes input frames and writes output frames: soxr_process(3).
    /// - Parameter input: whole frames; nil at the end of the stream, to get the remaining frames.
    /// - Returns: number of frames consumed and number of frames written.
    /// - Throws: `ResamplingError`; after that only `clear` may be called.
    public func process(
        _ input: UnsafeBufferPointer<Float>?, into output: UnsafeMutableBufferPointer<Float>, channels: Int
    ) throws(ResamplingError) -> (taken: Int, written: Int) {
        var taken = 0
        var written = 0
        let failure = unsafe soxr_process(
            handle, input?.baseAddress, (input?.count ?? 0) / channels, &taken,
            output.baseAddress, output.count / channels, &written)
        if let failure = unsafe failure { throw ResamplingError(message: unsafe String(cString: failure)) }
        return (taken, written)
    }

    /// Consumed input that is not written yet, in frames of the output rate: soxr_delay(3).
    public var delay: Double { unsafe soxr_delay(handle) }

    /// Discards all consumed input: soxr_clear(3).
    public func clear() { _ = unsafe soxr_clear(handle) }
}
