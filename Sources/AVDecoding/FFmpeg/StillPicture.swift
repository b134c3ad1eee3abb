internal import CFFmpeg

/// The first picture of a container, decoded. One thread.
@safe final class StillPicture {
    private let frame: Frame

    /// Larger pictures are refused; covers have at most 3,000 × 3,000 pixels.
    private static let mostPixels: Int64 = 40_000_000
    /// Maximum packets of a picture. A progressive file has one.
    private static let mostPackets = 8

    /// - Parameter container: opened for its picture.
    init(_ container: MediaContainer) throws(FFmpegError) {
        let context = try unsafe CodecContext(decoding: container) { unsafe $0.pointee.max_pixels = Self.mostPixels }
        frame = try Frame()
        for _ in 0..<Self.mostPackets {
            let packet = try unsafe container.readPacket() ? container.packet.pointer : nil
            try FFmpegError.check(unsafe avcodec_send_packet(context.pointer, packet))
            let code = unsafe avcodec_receive_frame(context.pointer, frame.pointer)
            if code == shim_error_again { continue }
            try FFmpegError.check(code)
            guard frame.width > 0, frame.height > 0 else { break }
            return
        }
        throw FFmpegError(code: shim_error_data)
    }

    /// Encodes a JPEG file in the best quality that fits into `mostBytes`, on white where the picture is transparent.
    /// - Parameter longestSide: in pixels; a smaller picture is not enlarged. Smaller if no quality fits.
    func jpeg(longestSide: Int, mostBytes: Int) throws(FFmpegError) -> [UInt8] {
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
    func pixmap(longestSide: Int) throws(FFmpegError) -> [UInt8] {
        let small = try scaled(longestSide, AV_PIX_FMT_RGB24)
        return Array("P6\n\(small.width) \(small.height)\n255\n".utf8) + small.packedPixels(bytesPerPixel: 3)
    }

    private func scaled(_ longestSide: Int, _ format: AVPixelFormat) throws(FFmpegError) -> Frame {
        let longest = max(frame.width, frame.height)
        let scale = { (side: Int32) in
            max(1, Int32(Int64(side) * Int64(min(Int(longest), longestSide)) / Int64(longest)))
        }
        let width = scale(frame.width)
        let height = scale(frame.height)
        let small = try Frame(width, height, format)
        if frame.mayBeTransparent {
            let blended = try Frame(width, height, AV_PIX_FMT_RGBA)
            try blended.draw(frame)
            blended.blendOnWhite()
            try small.draw(blended)
        } else {
            try small.draw(frame)
        }
        return small
    }

    private static func encode(_ frame: Frame, quality: Int32) throws(FFmpegError) -> [UInt8] {
        guard let codec = unsafe avcodec_find_encoder(AV_CODEC_ID_MJPEG) else {
            throw FFmpegError(code: shim_error_decoder)
        }
        unsafe frame.pointer.pointee.quality = quality * FF_QP2LAMBDA
        let context = try unsafe CodecContext(codec) { context in
            unsafe context.pointee.width = frame.width
            unsafe context.pointee.height = frame.height
            unsafe context.pointee.pix_fmt = shim_pixels_jpeg
            unsafe context.pointee.time_base = AVRational(num: 1, den: 1)
            unsafe context.pointee.flags |= AV_CODEC_FLAG_QSCALE
            unsafe context.pointee.global_quality = quality * FF_QP2LAMBDA
        }
        try FFmpegError.check(unsafe avcodec_send_frame(context.pointer, frame.pointer))
        _ = unsafe avcodec_send_frame(context.pointer, nil)
        let packet = try Packet()
        try FFmpegError.check(unsafe avcodec_receive_packet(context.pointer, packet.pointer))
        let encoded = unsafe packet.pointer.pointee
        return unsafe Array(UnsafeBufferPointer(start: encoded.data, count: Int(encoded.size)))
    }
}

/// Pixels.
extension Frame {
    fileprivate convenience init(_ width: Int32, _ height: Int32, _ format: AVPixelFormat) throws(FFmpegError) {
        try self.init()
        unsafe pointer.pointee.width = width
        unsafe pointer.pointee.height = height
        unsafe pointer.pointee.format = format.rawValue
        try FFmpegError.check(unsafe av_frame_get_buffer(pointer, 0))
    }

    fileprivate var width: Int32 { unsafe pointer.pointee.width }
    fileprivate var height: Int32 { unsafe pointer.pointee.height }
    private var format: AVPixelFormat { unsafe AVPixelFormat(pointer.pointee.format) }

    fileprivate var mayBeTransparent: Bool {
        guard let description = unsafe av_pix_fmt_desc_get(format) else { return false }
        // A palette may contain transparent colours.
        return unsafe description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL) != 0
    }

    /// Draws another picture, scaled and converted: sws_scale_frame.
    fileprivate func draw(_ source: Frame) throws(FFmpegError) {
        let scaler = unsafe sws_getContext(
            source.width, source.height, source.format, width, height, format, shim_scale_by_area, nil, nil, nil)
        guard let scaler = unsafe scaler else { throw FFmpegError(code: shim_error_unsupported) }
        defer { unsafe sws_freeContext(scaler) }
        try FFmpegError.check(unsafe sws_scale_frame(scaler, pointer, source.pointer))
    }

    /// The lines without the bytes between them, of a format with one plane.
    fileprivate func packedPixels(bytesPerPixel: Int) -> [UInt8] {
        guard let pixels = unsafe pointer.pointee.data.0 else { return [] }
        var packed: [UInt8] = []
        for row in 0..<Int(height) {
            let line = unsafe pixels + row * Int(pointer.pointee.linesize.0)
            unsafe packed.append(contentsOf: UnsafeBufferPointer(start: line, count: Int(width) * bytesPerPixel))
        }
        return packed
    }

    fileprivate func blendOnWhite() {
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
