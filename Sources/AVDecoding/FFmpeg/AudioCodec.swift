internal import CFFmpeg

/// Decodes the packets of a container's audio stream to interleaved 32-bit float frames. One thread.
@safe final class AudioCodec {
    /// Rate, channels and time of decoded frames.
    struct Block {
        /// Frames per second.
        var rate: Int
        var channels: Int
        var count: Int
        /// In units of the container's `timeBase`; nil if unknown.
        var time: Int64?
    }

    enum Step {
        /// `convert` writes the block's frames.
        case block(Block)
        case needsPacket
        /// Everything was decoded after `finish`.
        case end
    }

    private let context: CodecContext
    private let frame: Frame
    private var converter: OpaquePointer?
    /// The format for which `converter` was made.
    private var convertedFormat: SourceFormat?

    private struct SourceFormat: Equatable {
        var rate: Int32
        var channels: Int32
        var mask: UInt64
        var type: Int32
    }

    /// - Throws: `FFmpegError`; with `isMissingDecoder` if the library does not know the codec.
    init(_ container: MediaContainer) throws(FFmpegError) {
        frame = try Frame()
        context = try unsafe CodecContext(decoding: container) { context in
            unsafe context.pointee.pkt_timebase = container.stream.pointee.time_base
        }
    }

    deinit { unsafe swr_free(&converter) }

    /// Sends the container's packet: avcodec_send_packet.
    /// - Returns: false if the packet was skipped because it cannot be decoded.
    func send(_ container: MediaContainer) throws(FFmpegError) -> Bool {
        let code = unsafe avcodec_send_packet(context.pointer, container.packet.pointer)
        if code == shim_error_memory { throw FFmpegError(code: code) }
        return code >= 0
    }

    /// Signals the end of the packets to the decoder.
    func finish() { _ = unsafe avcodec_send_packet(context.pointer, nil) }

    /// Discards sent packets, before packets of another place: avcodec_flush_buffers.
    func flush() { unsafe avcodec_flush_buffers(context.pointer) }

    /// The next decoded frames: avcodec_receive_frame.
    func receive() throws(FFmpegError) -> Step {
        let code = unsafe avcodec_receive_frame(context.pointer, frame.pointer)
        if code == shim_error_again { return .needsPacket }
        if code == shim_error_end { return .end }
        if code < 0 && code != shim_error_memory { return .needsPacket }
        try FFmpegError.check(code)
        let frame = unsafe frame.pointer
        let time = unsafe frame.pointee.pts
        return unsafe .block(
            Block(
                rate: Int(frame.pointee.sample_rate), channels: Self.kept(frame.pointee.ch_layout.nb_channels),
                count: Int(frame.pointee.nb_samples), time: time == shim_no_time ? nil : time))
    }

    /// More channels are mixed to stereo.
    private static let mostChannels: Int32 = 8

    private static func kept(_ channels: Int32) -> Int { Int(channels > mostChannels ? 2 : channels) }

    /// Converts the frames of the last block into `output`, which must have room, and returns their number.
    func convert(into output: UnsafeMutableRawBufferPointer) throws(FFmpegError) -> Int {
        let frame = unsafe frame.pointer
        guard unsafe frame.pointee.nb_samples > 0 else { return 0 }
        try unsafe prepareConverter(for: frame)
        var target = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let channels = unsafe Self.kept(frame.pointee.ch_layout.nb_channels)
        let room = Int32(clamping: output.count / (4 * channels))
        let count = unsafe frame.pointee.nb_samples
        // `extended_data` is an array of planes; swr_convert does not change it.
        let source = unsafe UnsafeMutableRawPointer(frame.pointee.extended_data)
            .assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
        return Int(try FFmpegError.check(unsafe swr_convert(converter, &target, room, source, count)))
    }

    private func prepareConverter(for frame: UnsafeMutablePointer<AVFrame>) throws(FFmpegError) {
        let format = unsafe SourceFormat(
            rate: frame.pointee.sample_rate, channels: frame.pointee.ch_layout.nb_channels,
            mask: frame.pointee.ch_layout.u.mask, type: frame.pointee.format)
        if format == convertedFormat { return }
        convertedFormat = nil
        var input = unsafe AVChannelLayout()
        var output = unsafe AVChannelLayout()
        unsafe av_channel_layout_default(&output, Int32(Self.kept(format.channels)))
        if unsafe frame.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC {
            unsafe av_channel_layout_default(&input, format.channels)
        } else {
            try FFmpegError.check(unsafe av_channel_layout_copy(&input, &frame.pointee.ch_layout))
        }
        if format.channels <= Self.mostChannels { _ = unsafe av_channel_layout_copy(&output, &input) }
        defer {
            unsafe av_channel_layout_uninit(&input)
            unsafe av_channel_layout_uninit(&output)
        }
        try FFmpegError.check(
            unsafe swr_alloc_set_opts2(
                &converter, &output, AV_SAMPLE_FMT_FLT, format.rate, &input,
                AVSampleFormat(rawValue: format.type), format.rate, 0, nil))
        try FFmpegError.check(unsafe swr_init(converter))
        convertedFormat = format
    }
}
