internal import CMPG123
internal import MediaPorts

/// Reads MPEG-1, 2 and 2.5 audio, layers I to III: bytes in, MPEG frames and float samples out. One thread.
///
/// Uses only the library's frame functions. Functions for a whole file (Info frames, gaps, indexes, tags) are disabled,
/// so that decoding can begin at any byte. The search for the next frame skips any amount of junk; a header counts only
/// if a matching one follows the frame, so that random bytes are rarely mistaken for audio.
@safe final class MPEGFrameReader {
    // mpg123's handle, owned by this object.
    private let handle: OpaquePointer

    enum Step {
        /// A frame was found; it can be decoded or skipped.
        case frame
        /// Like `frame`, but the frame is the first one, or its rate or channels differ from the previous frame.
        case frameInNewFormat
        case needsBytes
    }

    struct Header {
        /// 1, 2 or 3.
        var layer: Int
        /// True for MPEG-2 and 2.5, with half the sample rate and half the samples per frame.
        var isLowRate: Bool
        /// Bits per second, 0 for free format.
        var bitRate: Int
    }

    /// mpg123_new(3), mpg123_open_feed(3).
    init() throws(MPEGAudioError) {
        var code: Int32 = 0
        guard let handle = unsafe mpg123_new(nil, &code) else { throw MPEGAudioError(code: code) }
        unsafe self.handle = handle
        let flags =
            MPG123_QUIET.rawValue | MPG123_FORCE_FLOAT.rawValue | MPG123_IGNORE_INFOFRAME.rawValue
            | MPG123_SKIP_ID3V2.rawValue
        try set(MPG123_ADD_FLAGS, Int(flags))
        try set(MPG123_REMOVE_FLAGS, Int(MPG123_GAPLESS.rawValue | MPG123_AUTO_RESAMPLE.rawValue))
        try set(MPG123_RESYNC_LIMIT, -1)
        try set(MPG123_INDEX_SIZE, 0)
        try set(MPG123_FEEDBUFFER, Self.feedSize)
        try set(MPG123_FEEDPOOL, 4)
        try reopen()
    }

    deinit { unsafe mpg123_delete(handle) }

    /// Recommended size of the pieces passed to `feed`.
    static let feedSize = 16_384
    /// Maximum bytes of a decoded frame: 1152 samples in two channels.
    static let largestFrame = 1152 * 2 * 4

    private func set(_ parameter: mpg123_parms, _ value: Int) throws(MPEGAudioError) {
        try check(unsafe mpg123_param2(handle, Int32(parameter.rawValue), value, 0))
    }

    private func check(_ code: Int32) throws(MPEGAudioError) {
        if code == Int32(MPG123_OK.rawValue) { return }
        throw MPEGAudioError(code: code == Int32(MPG123_ERR.rawValue) ? unsafe mpg123_errcode(handle) : code)
    }

    /// Discards all bytes and the state between frames; the next bytes may come from any place in a file.
    func reopen() throws(MPEGAudioError) { try check(unsafe mpg123_open_feed(handle)) }

    /// Passes the next bytes to the library, which copies them: mpg123_feed(3).
    func feed(_ bytes: UnsafeRawBufferPointer) throws(MPEGAudioError) {
        guard let base = bytes.baseAddress else { return }
        try check(unsafe mpg123_feed(handle, base.assumingMemoryBound(to: UInt8.self), bytes.count))
    }

    /// Advances to the next frame: mpg123_framebyframe_next(3).
    func next() throws(MPEGAudioError) -> Step {
        switch unsafe mpg123_framebyframe_next(handle) {
        case Int32(MPG123_OK.rawValue): return .frame
        case Int32(MPG123_NEW_FORMAT.rawValue): return .frameInNewFormat
        case Int32(MPG123_NEED_MORE.rawValue), Int32(MPG123_DONE.rawValue): return .needsBytes
        case let code:
            try check(code)
            return .needsBytes
        }
    }

    /// Decodes the frame that `next` found: mpg123_framebyframe_decode(3).
    /// - Parameter output: at least `largestFrame` bytes; receives the interleaved samples.
    /// - Returns: number of bytes written.
    func decode(into output: UnsafeMutableRawBufferPointer) throws(MPEGAudioError) -> Int {
        guard let base = output.baseAddress, output.count >= Self.largestFrame else {
            throw MPEGAudioError(code: Int32(MPG123_NO_SPACE.rawValue))
        }
        // The library writes directly to the caller's memory, which avoids a copy of every sample.
        try check(unsafe mpg123_replace_buffer(handle, base, output.count))
        var samples: UnsafeMutablePointer<UInt8>?
        var count = 0
        try check(unsafe mpg123_framebyframe_decode(handle, nil, &samples, &count))
        guard let samples = unsafe samples else { return 0 }
        count = min(count, output.count)
        if unsafe UnsafeMutableRawPointer(samples) != base { unsafe base.copyMemory(from: samples, byteCount: count) }
        return count
    }

    /// Offset of the frame that `next` found, in bytes passed to `feed` since `reopen`: mpg123_framepos(3).
    var framePosition: Int64 { Int64(unsafe mpg123_framepos(handle)) }

    /// Samples per channel: mpg123_spf(3).
    var samplesPerFrame: Int { Int(unsafe mpg123_spf(handle)) }

    /// The format of the frame that `next` found: mpg123_getformat2(3).
    func format() throws(MPEGAudioError) -> PCMFormat {
        var rate = 0
        var channels: Int32 = 0
        var encoding: Int32 = 0
        try check(unsafe mpg123_getformat(handle, &rate, &channels, &encoding))
        return PCMFormat(rate: rate, channels: Int(channels), type: .float32)
    }

    /// Properties in the header of the frame that `next` found: mpg123_info2(3).
    func header() throws(MPEGAudioError) -> Header {
        var info = mpg123_frameinfo2()
        try check(unsafe mpg123_info2(handle, &info))
        return Header(
            layer: Int(info.layer), isLowRate: info.version != Int32(MPG123_1_0.rawValue),
            bitRate: Int(info.bitrate) * 1000)
    }

    /// The bytes after the four bytes of the header: mpg123_framedata(3).
    private func frameData() throws(MPEGAudioError) -> UnsafeBufferPointer<UInt8> {
        var header: UInt = 0
        var data: UnsafeMutablePointer<UInt8>?
        var count = 0
        try check(unsafe mpg123_framedata(handle, &header, &data, &count))
        return unsafe UnsafeBufferPointer(start: data, count: data == nil ? 0 : count)
    }

    /// The frame's bytes after its header.
    func frameBody() throws(MPEGAudioError) -> [UInt8] { unsafe Array(try frameData()) }

    /// In bytes, with the header.
    func frameSize() throws(MPEGAudioError) -> Int64 { unsafe Int64(try frameData().count) + 4 }
}

/// A failed call of libmpg123, with the library's message.
struct MPEGAudioError: Error, CustomStringConvertible {
    /// `enum mpg123_errors`.
    let code: Int32
    /// The library's message: mpg123_plain_strerror(3).
    var description: String { unsafe String(cString: mpg123_plain_strerror(code)) }
}
