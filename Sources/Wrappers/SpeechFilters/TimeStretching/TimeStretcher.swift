internal import CSonic

/// Changes the tempo of one stream of interleaved 16-bit frames and keeps its pitch; used by one thread at a time.
///
/// libsonic works in steps of about a pitch period. It begins a step as soon as enough frames are waiting, so a caller that writes
/// few frames at once knows which frames a step began with.
@safe public final class TimeStretcher {
    // sonic's stream, owned by this object.
    private nonisolated(unsafe) let stream: sonicStream

    /// sonicCreateStream.
    ///
    /// - Parameters:
    ///   - rate: frames per second.
    ///   - channels: number of channels, positive.
    ///   - speed: input frames per output frame, 0.5 to 6.
    /// - Returns: nil if memory is missing.
    public init?(rate: Int, channels: Int, speed: Float) {
        guard let stream = unsafe sonicCreateStream(Int32(rate), Int32(channels)) else { return nil }
        unsafe self.stream = unsafe stream
        unsafe sonicSetSpeed(stream, speed)
    }

    deinit { unsafe sonicDestroyStream(stream) }

    /// Number of input frames that the first step needs at this rate: two periods of the lowest pitch, 65 Hz.
    public static func framesOfFirstStep(rate: Int) -> Int { 2 * (rate / Int(SONIC_MIN_PITCH)) }

    /// sonicWriteShortToStream.
    /// - Parameter samples: whole frames.
    public func write(_ samples: UnsafeBufferPointer<Int16>, frames: Int) {
        _ = unsafe sonicWriteShortToStream(stream, UnsafeMutablePointer(mutating: samples.baseAddress), Int32(frames))
    }

    /// Number of frames that can be read: sonicSamplesAvailable.
    public var available: Int { Int(unsafe sonicSamplesAvailable(stream)) }

    /// sonicReadShortFromStream.
    /// - Parameter frames: at most; there must be room for them.
    /// - Returns: number of frames.
    public func read(into samples: UnsafeMutableBufferPointer<Int16>, frames: Int) -> Int {
        Int(unsafe sonicReadShortFromStream(stream, samples.baseAddress, Int32(frames)))
    }

    /// Makes the output of all frames written readable: sonicFlushStream.
    public func flush() { _ = unsafe sonicFlushStream(stream) }
}
