internal import CFFmpeg

/// The first picture of a container, decoded. One thread.
@safe public final class StillPicture {
    private let frame: PixelFrame

    /// Larger pictures are refused; covers have at most 3,000 × 3,000 pixels.
    private static let mostPixels: Int64 = 40_000_000
    /// Maximum packets of a picture. A progressive file has one.
    private static let mostPackets = 8

    /// - Parameter container: opened for its picture.
    public init(_ container: MediaContainer) throws(FFmpegError) { frame = try Self.decode(container) }

    private static func decode(_ container: MediaContainer) throws(FFmpegError) -> PixelFrame {
        let parameters = unsafe container.stream.pointee.codecpar
        let codec = try unsafe CodecContext.decoder(of: parameters!)
        let context = try unsafe CodecContext(codec)
        unsafe context.pointer.pointee.max_pixels = mostPixels
        try unsafe context.open(codec, parameters)
        let frame = try PixelFrame()
        for _ in 0..<mostPackets {
            let packet = try unsafe container.readPacket() ? container.packet : nil
            try FFmpegError.check(unsafe avcodec_send_packet(context.pointer, packet))
            let code = unsafe avcodec_receive_frame(context.pointer, frame.pointer)
            if code == shim_error_again { continue }
            try FFmpegError.check(code)
            guard frame.width > 0, frame.height > 0 else { break }
            return frame
        }
        throw FFmpegError(code: shim_error_data)
    }

    /// Encodes a JPEG file of at most `mostBytes`, on white where the picture is transparent, in the best quality that
    /// fits.
    /// - Parameter longestSide: in pixels; a smaller picture is not enlarged. Smaller if no quality fits.
    public func jpeg(longestSide: Int, mostBytes: Int) throws(FFmpegError) -> [UInt8] {
        var side = longestSide
        while true {
            let small = try scaled(side, shim_pixels_jpeg)
            for quality in Self.qualities {
                let file = try Self.encode(small, quality: quality)
                if file.count <= mostBytes || side <= 1 { return file }
            }
            side /= 2
        }
    }

    /// MJPEG's scale is from 2, the best, to 31.
    private static let qualities: [Int32] = [3, 8, 20]

    /// Encodes a raw pixmap file, ppm(5), on white where the picture is transparent.
    /// - Parameter longestSide: in pixels; a smaller picture is not enlarged.
    public func pixmap(longestSide: Int) throws(FFmpegError) -> [UInt8] {
        let small = try scaled(longestSide, AV_PIX_FMT_RGB24)
        return Array("P6\n\(small.width) \(small.height)\n255\n".utf8) + small.packedPixels(bytesPerPixel: 3)
    }

    private func scaled(_ longestSide: Int, _ format: AVPixelFormat) throws(FFmpegError) -> PixelFrame {
        let longest = max(frame.width, frame.height)
        let scale = { (side: Int32) in
            max(1, Int32(Int64(side) * Int64(min(Int(longest), longestSide)) / Int64(longest)))
        }
        let (width, height) = (scale(frame.width), scale(frame.height))
        let small = try PixelFrame(width, height, format)
        if frame.mayBeTransparent {
            let blended = try PixelFrame(width, height, AV_PIX_FMT_RGBA)
            try blended.draw(frame)
            blended.blendOnWhite()
            try small.draw(blended)
        } else {
            try small.draw(frame)
        }
        return small
    }

    private static func encode(_ frame: PixelFrame, quality: Int32) throws(FFmpegError) -> [UInt8] {
        guard let codec = unsafe avcodec_find_encoder(AV_CODEC_ID_MJPEG) else {
            throw FFmpegError(code: shim_error_decoder)
        }
        let context = try unsafe CodecContext(codec)
        unsafe context.pointer.pointee.width = frame.width
        unsafe context.pointer.pointee.height = frame.height
        unsafe context.pointer.pointee.pix_fmt = shim_pixels_jpeg
        unsafe context.pointer.pointee.time_base = AVRational(num: 1, den: 1)
        unsafe context.pointer.pointee.flags |= AV_CODEC_FLAG_QSCALE
        unsafe context.pointer.pointee.global_quality = quality * FF_QP2LAMBDA
        unsafe frame.pointer.pointee.quality = quality * FF_QP2LAMBDA
        try unsafe context.open(codec)
        try FFmpegError.check(unsafe avcodec_send_frame(context.pointer, frame.pointer))
        _ = unsafe avcodec_send_frame(context.pointer, nil)
        var packet = unsafe av_packet_alloc()
        defer { unsafe av_packet_free(&packet) }
        guard let packet = unsafe packet else { throw FFmpegError(code: shim_error_memory) }
        try FFmpegError.check(unsafe avcodec_receive_packet(context.pointer, packet))
        return unsafe Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
    }
}

@safe private final class PixelFrame {
    let pointer: UnsafeMutablePointer<AVFrame>

    init() throws(FFmpegError) {
        guard let made = unsafe av_frame_alloc() else { throw FFmpegError(code: shim_error_memory) }
        unsafe pointer = made
    }

    init(_ width: Int32, _ height: Int32, _ format: AVPixelFormat) throws(FFmpegError) {
        var made = unsafe av_frame_alloc()
        unsafe made?.pointee.width = width
        unsafe made?.pointee.height = height
        unsafe made?.pointee.format = format.rawValue
        guard let frame = unsafe made, unsafe av_frame_get_buffer(frame, 0) >= 0 else {
            unsafe av_frame_free(&made)
            throw FFmpegError(code: shim_error_memory)
        }
        unsafe pointer = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = unsafe pointer
        unsafe av_frame_free(&frame)
    }

    var width: Int32 { unsafe pointer.pointee.width }
    var height: Int32 { unsafe pointer.pointee.height }
    private var format: AVPixelFormat { unsafe AVPixelFormat(pointer.pointee.format) }

    var mayBeTransparent: Bool {
        guard let description = unsafe av_pix_fmt_desc_get(format) else { return false }
        // A palette may contain transparent colours.
        return unsafe description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL) != 0
    }

    /// Draws another picture, scaled and converted: sws_scale_frame.
    func draw(_ source: PixelFrame) throws(FFmpegError) {
        let scaler = unsafe sws_getContext(
            source.width, source.height, source.format, width, height, format, SWS_AREA, nil, nil, nil)
        guard let scaler = unsafe scaler else { throw FFmpegError(code: shim_error_unsupported) }
        defer { unsafe sws_freeContext(scaler) }
        try FFmpegError.check(unsafe sws_scale_frame(scaler, pointer, source.pointer))
    }

    /// The lines without the bytes between them, of a format with one plane.
    func packedPixels(bytesPerPixel: Int) -> [UInt8] {
        guard let pixels = unsafe pointer.pointee.data.0 else { return [] }
        var packed: [UInt8] = []
        for row in 0..<Int(height) {
            let line = unsafe pixels + row * Int(pointer.pointee.linesize.0)
            unsafe packed.append(contentsOf: UnsafeBufferPointer(start: line, count: Int(width) * bytesPerPixel))
        }
        return packed
    }

    func blendOnWhite() {
        guard let pixels = unsafe pointer.pointee.data.0 else { return }
        for row in 0..<Int(height) {
            let line = unsafe pixels + row * Int(pointer.pointee.linesize.0)
            for column in 0..<Int(width) {
                let pixel = unsafe line + 4 * column
                let alpha = unsafe UInt32(pixel[3])
                for channel in 0..<3 {
                    unsafe pixel[channel] = UInt8((UInt32(pixel[channel]) * alpha + 255 * (255 - alpha)) / 255)
                }
                unsafe pixel[3] = 255
            }
        }
    }
}
