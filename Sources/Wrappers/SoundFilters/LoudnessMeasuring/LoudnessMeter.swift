internal import CEBUR128

/// Measures the loudness of interleaved float frames; one thread at a time.
@safe public final class LoudnessMeter {
    // ebur128's state, owned by this object.
    private var state: UnsafeMutablePointer<ebur128_state>?

    /// ebur128_init: integrated loudness, with a histogram, so that memory does not grow. Nil if memory is missing.
    /// - Parameter rate: frames per second.
    public init?(rate: Int, channels: Int) {
        let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_HISTOGRAM.rawValue
        guard let state = unsafe ebur128_init(UInt32(channels), UInt(rate), Int32(mode)) else { return nil }
        unsafe self.state = unsafe state
        // One channel is played by both speakers.
        if channels == 1 { _ = unsafe ebur128_set_channel(state, 0, Int32(EBUR128_DUAL_MONO.rawValue)) }
    }

    deinit { unsafe ebur128_destroy(&state) }

    public func add(_ samples: UnsafePointer<Float>, frames: Int) {
        guard let state = unsafe state else { return }
        _ = unsafe ebur128_add_frames_float(state, samples, frames)
    }

    /// The loudness of all frames since the beginning, in LUFS; nil for silence.
    public var loudness: Double? {
        guard let state = unsafe state else { return nil }
        var value = 0.0
        guard unsafe ebur128_loudness_global(state, &value) == EBUR128_SUCCESS.rawValue, value.isFinite else {
            return nil
        }
        return value
    }
}
