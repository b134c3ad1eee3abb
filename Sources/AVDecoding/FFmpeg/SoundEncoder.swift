internal import CFFmpeg

/// Encodes 16-bit stereo of 48 kHz for listeners that begin at any time: MP3 frames, or Opus in Ogg. One thread.
@safe public final class SoundEncoder {
    private enum Form: String {
        case mp3, opus

        /// FFmpeg's names of encoder and container, and the samples that the encoder takes.
        var codec: (encoder: String, muxer: String, samples: AVSampleFormat) {
            switch self {
            case .mp3: ("libmp3lame", "mp3", AV_SAMPLE_FMT_S16P)
            case .opus: ("libopus", "ogg", AV_SAMPLE_FMT_S16)
            }
        }

        /// In bits per second.
        var bitRate: Int64 { self == .mp3 ? 128_000 : 64_000 }
    }

    private static let rate: Int32 = 48_000
    private static let channels = 2

    private let context: CodecContext
    private var container: UnsafeMutablePointer<AVFormatContext>?
    private let frame: Frame
    private let packet: Packet
    private let form: Form
    /// Number of frames that were encoded.
    private var encoded: Int64 = 0
    /// Bytes that `encode` has not returned yet.
    private var output: [UInt8] = []

    /// - Parameter name: of the form.
    /// - Returns: nil for an unknown form.
    /// - Throws: if FFmpeg has no encoder for the form.
    public init?(_ name: String) throws {
        guard let form = Form(rawValue: name) else { return nil }
        FFmpegLibrary.prepareForSandbox()
        guard let codec = unsafe avcodec_find_encoder_by_name(form.codec.encoder) else {
            throw FFmpegError(code: shim_error_encoder)
        }
        self.form = form
        context = try unsafe CodecContext(codec) { context in
            unsafe context.pointee.sample_rate = Self.rate
            unsafe context.pointee.sample_fmt = form.codec.samples
            unsafe context.pointee.bit_rate = form.bitRate
            unsafe context.pointee.time_base = AVRational(num: 1, den: Self.rate)
            unsafe av_channel_layout_default(&context.pointee.ch_layout, Int32(Self.channels))
        }
        frame = try Frame()
        packet = try Packet()
        let (frame, settings) = unsafe (frame.pointer, context.pointer)
        unsafe frame.pointee.format = form.codec.samples.rawValue
        unsafe frame.pointee.nb_samples = settings.pointee.frame_size
        unsafe frame.pointee.sample_rate = settings.pointee.sample_rate
        try FFmpegError.check(unsafe av_channel_layout_copy(&frame.pointee.ch_layout, &settings.pointee.ch_layout))
        try FFmpegError.check(unsafe av_frame_get_buffer(frame, 0))
        try begin()
    }

    deinit {
        if let container = unsafe container {
            unsafe av_freep(&container.pointee.pb.pointee.buffer)
            unsafe avio_context_free(&container.pointee.pb)
            unsafe avformat_free_context(container)
        }
    }

    /// Writes the beginning of the stream to `output`.
    private func begin() throws(FFmpegError) {
        try FFmpegError.check(unsafe avformat_alloc_output_context2(&container, nil, form.codec.muxer, nil))
        guard let container = unsafe container, let buffer = unsafe av_malloc(Self.bufferSize) else {
            throw FFmpegError(code: shim_error_memory)
        }
        // The callback gets this object, which outlives the context.
        let bytes = unsafe avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 1,
            Unmanaged.passUnretained(self).toOpaque(), nil,
            { encoder, bytes, count in
                let encoder = unsafe Unmanaged<SoundEncoder>.fromOpaque(encoder!).takeUnretainedValue()
                unsafe encoder.output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
                return count
            }, nil)
        unsafe container.pointee.pb = bytes
        unsafe container.pointee.flags |= AVFMT_FLAG_FLUSH_PACKETS
        guard unsafe bytes != nil, let stream = unsafe avformat_new_stream(container, nil) else {
            throw FFmpegError(code: shim_error_memory)
        }
        try FFmpegError.check(unsafe avcodec_parameters_from_context(stream.pointee.codecpar, context.pointer))
        unsafe stream.pointee.time_base = context.pointer.pointee.time_base
        var options: OpaquePointer?
        defer { unsafe av_dict_free(&options) }
        // Without an index, which a stream cannot have, and in short pages, for little delay.
        for (name, value) in [("write_xing", "0"), ("id3v2_version", "0"), ("page_duration", "100000")] {
            try FFmpegError.check(unsafe av_dict_set(&options, name, value, 0))
        }
        try FFmpegError.check(unsafe avformat_write_header(container, &options))
        unsafe avio_flush(container.pointee.pb)
    }

    private static let bufferSize = 8192

    /// Number of frames that `encode` takes.
    public var frameCount: Int { unsafe Int(context.pointer.pointee.frame_size) }

    /// - Parameter frames: `frameCount` frames.
    /// - Returns: the next bytes of the stream.
    public func encode(_ frames: UnsafeRawBufferPointer) throws -> [UInt8] {
        let samples = unsafe frames.bindMemory(to: Int16.self)
        precondition(samples.count == frameCount * Self.channels)
        let frame = unsafe frame.pointer
        // The encoder may still hold the last buffer.
        try FFmpegError.check(unsafe av_frame_make_writable(frame))
        switch form {
        case .opus:
            let target = unsafe UnsafeMutableRawPointer(frame.pointee.data.0!)
            unsafe target.copyMemory(from: samples.baseAddress!, byteCount: samples.count * 2)
        case .mp3:
            for channel in 0..<Self.channels {
                let plane = unsafe UnsafeMutableRawPointer(frame.pointee.extended_data[channel]!)
                    .assumingMemoryBound(to: Int16.self)
                for index in 0..<frameCount { unsafe plane[index] = samples[index * Self.channels + channel] }
            }
        }
        unsafe frame.pointee.pts = encoded
        encoded += Int64(frameCount)
        try FFmpegError.check(unsafe avcodec_send_frame(context.pointer, frame))
        try writePackets()
        return exchange(&output, with: [])
    }

    private func writePackets() throws(FFmpegError) {
        guard let container = unsafe container else { return }
        let packet = unsafe packet.pointer
        while true {
            let code = unsafe avcodec_receive_packet(context.pointer, packet)
            if code == shim_error_again || code == shim_error_end { return }
            try FFmpegError.check(code)
            unsafe av_packet_rescale_ts(
                packet, context.pointer.pointee.time_base, container.pointee.streams[0]!.pointee.time_base)
            unsafe packet.pointee.stream_index = 0
            try FFmpegError.check(unsafe av_write_frame(container, packet))
        }
    }
}
