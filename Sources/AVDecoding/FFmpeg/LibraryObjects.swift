internal import CFFmpeg

// Objects of the libraries, each freed with its owner. One thread.

@safe final class CodecContext {
    let pointer: UnsafeMutablePointer<AVCodecContext>

    /// - Parameters:
    ///   - parameters: of the stream to decode; nil for an encoder.
    ///   - configure: sets fields before the codec is opened.
    init(
        _ codec: UnsafePointer<AVCodec>, _ parameters: UnsafePointer<AVCodecParameters>? = nil,
        configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(FFmpegError) {
        guard let made = unsafe avcodec_alloc_context3(codec) else { throw FFmpegError(code: shim_error_memory) }
        unsafe pointer = made
        unsafe made.pointee.thread_count = 1
        unsafe configure(made)
        if let parameters = unsafe parameters {
            try FFmpegError.check(unsafe avcodec_parameters_to_context(made, parameters))
        }
        try FFmpegError.check(unsafe avcodec_open2(made, codec, nil))
    }

    /// A decoder of the container's stream.
    convenience init(
        decoding container: MediaContainer, configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(FFmpegError) {
        let parameters = unsafe container.stream.pointee.codecpar!
        guard let codec = unsafe avcodec_find_decoder(parameters.pointee.codec_id) else {
            throw FFmpegError(code: shim_error_decoder)
        }
        try unsafe self.init(codec, parameters, configure: configure)
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = unsafe pointer
        unsafe avcodec_free_context(&context)
    }
}

/// Decoded samples or pixels.
@safe final class Frame {
    let pointer: UnsafeMutablePointer<AVFrame>

    init() throws(FFmpegError) {
        guard let made = unsafe av_frame_alloc() else { throw FFmpegError(code: shim_error_memory) }
        unsafe pointer = made
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = unsafe pointer
        unsafe av_frame_free(&frame)
    }
}

/// Encoded bytes.
@safe final class Packet {
    let pointer: UnsafeMutablePointer<AVPacket>

    init() throws(FFmpegError) {
        guard let made = unsafe av_packet_alloc() else { throw FFmpegError(code: shim_error_memory) }
        unsafe pointer = made
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = unsafe pointer
        unsafe av_packet_free(&packet)
    }
}
