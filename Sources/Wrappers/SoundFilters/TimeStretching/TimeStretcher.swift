internal import CSonic

/// Changes the tempo of one stream of interleaved 16-bit frames and keeps its pitch; one thread at a time.
///
/// libsonic works in steps of about a pitch period. It begins a step when enough frames are waiting, so that a caller
/// that writes few frames at once knows with which frames a step began.
@safe public final class TimeStretcher {
    // sonic's stream, owned by this object.
    private let stream: sonicStream

    /// sonicCreateStream. Nil if memory is missing.
    /// - Parameters:
    ///   - rate: frames per second.
    ///   - speed: input frames per output frame, 0.5 to 6.
    public init?(rate: Int, channels: Int, speed: Float) {
        guard let stream = unsafe sonicCreateStream(Int32(rate), Int32(channels)) else { return nil }
        unsafe self.stream = unsafe stream
        unsafe sonicSetSpeed(stream, speed)
    }

    deinit { unsafe sonicDestroyStream(stream) }

    /// Number of input frames for the first step at this rate: two periods of the lowest pitch, 65 Hz.
    public static func framesOfFirstStep(rate: Int) -> Int { 2 * (rate / Int(SONIC_MIN_PITCH)) }

    /// sonicWriteShortToStream, for whole frames.
    public func write(_ samples: UnsafeBufferPointer<Int16>, frames: Int) {
        _ = unsafe sonicWriteShortToStream(stream, UnsafeMutablePointer(mutating: samples.baseAddress), Int32(frames))
    }

    /// Number of readable frames: sonicSamplesAvailable.
    public var available: Int { Int(unsafe sonicSamplesAvailable(stream)) }

    /// sonicReadShortFromStream, for at most `frames` frames, for which there must be room. Returns their number.
    public func read(into samples: UnsafeMutableBufferPointer<Int16>, frames: Int) -> Int {
        Int(unsafe sonicReadShortFromStream(stream, samples.baseAddress, Int32(frames)))
    }

    /// Makes the output of all written frames readable: sonicFlushStream.
    public func flush() { _ = unsafe sonicFlushStream(stream) }
}
