internal import CSoxr

/// A resampler that could not be made or could not go on, in the library's own words.
public struct ResamplingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What soxr said.
    public var message: String
    /// The message.
    public var description: String { message }
}

/// One stream of interleaved 32-bit float frames on its way from one rate to another; used by one thread at a time.
///
/// The quality is libsoxr's HQ, 20 bits and linear phase: its default.
@safe public final class Resampler {
    private let handle: soxr_t

    /// soxr_create(3).
    ///
    /// - Parameters:
    ///   - from: frames per second that come in, positive.
    ///   - to: frames per second that go out, positive.
    ///   - channels: samples of a frame, positive.
    /// - Throws: `ResamplingError`, for lack of memory or a ratio out of bounds.
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

    /// Takes some frames and gives some: soxr_process(3).
    ///
    /// - Parameters:
    ///   - input: whole frames; nil says that the stream is over and asks for what is left inside.
    ///   - output: room for whole frames.
    ///   - channels: as in `init`.
    /// - Returns: frames taken and frames written.
    /// - Throws: `ResamplingError`; only `clear` helps then.
    public func process(
        _ input: UnsafeBufferPointer<Float>?, into output: UnsafeMutableBufferPointer<Float>, channels: Int
    ) throws(ResamplingError) -> (taken: Int, written: Int) {
        var (taken, written) = (0, 0)
        let failure = unsafe soxr_process(
            handle, input?.baseAddress, (input?.count ?? 0) / channels, &taken,
            output.baseAddress, output.count / channels, &written)
        if let failure = unsafe failure { throw ResamplingError(message: unsafe String(cString: failure)) }
        return (taken, written)
    }

    /// Frames of the output's rate that were taken in and not yet given: soxr_delay(3).
    public var delay: Double { unsafe soxr_delay(handle) }

    /// Forgets everything taken in: soxr_clear(3).
    public func clear() { _ = unsafe soxr_clear(handle) }
}
