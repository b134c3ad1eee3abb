internal import CFFmpeg
internal import MediaPorts

/// The container of a media file: its streams, tags and chapters, and the packets of one stream. One thread.
@safe final class MediaContainer {
    enum Content {
        case audio
        /// A picture: the file itself, or a cover within an audio file.
        case picture
    }

    private let reader: ByteReader
    var context: UnsafeMutablePointer<AVFormatContext>?
    let packet: Packet
    private let streamIndex: Int32

    /// Reads the beginning of a file.
    /// - Parameters:
    ///   - formats: short names of the formats to try, as listed by `ffmpeg -formats`, separated by commas.
    ///   - probeSize: maximum bytes to read to detect the format and its streams.
    init(
        _ input: any DecoderInput, formats: String, probeSize: Int64, content: Content = .audio
    ) throws(FFmpegError) {
        reader = try ByteReader(input)
        packet = try Packet()
        do throws(FFmpegError) {
            streamIndex = try unsafe Self.open(&context, reader, formats, probeSize, content)
        } catch {
            unsafe avformat_close_input(&context)
            throw reader.wasInterrupted ? FFmpegError(code: shim_error_exit) : error
        }
    }

    deinit { unsafe avformat_close_input(&context) }

    /// - Returns: index of the stream.
    private static func open(
        _ context: inout UnsafeMutablePointer<AVFormatContext>?, _ reader: ByteReader, _ formats: String,
        _ probeSize: Int64, _ content: Content
    ) throws(FFmpegError) -> Int32 {
        guard let made = unsafe avformat_alloc_context() else { throw FFmpegError(code: shim_error_memory) }
        unsafe made.pointee.pb = reader.context
        unsafe made.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        unsafe made.pointee.probesize = probeSize
        unsafe made.pointee.max_analyze_duration = 2 * Int64(AV_TIME_BASE)
        unsafe made.pointee.format_whitelist = av_strdup(formats)
        unsafe context = made
        // Frees and clears `context` on failure.
        try FFmpegError.check(unsafe avformat_open_input(&context, nil, nil, nil))
        guard let opened = unsafe context else { throw FFmpegError(code: shim_error_data) }
        var index = unsafe stream(of: opened, content)
        if index.map({ unsafe !isDescribed(opened, $0) }) ?? true {
            try FFmpegError.check(unsafe avformat_find_stream_info(opened, nil))
            index = unsafe stream(of: opened, content)
        }
        guard let index else { throw FFmpegError(code: shim_error_data) }
        for other in 0..<Int32(unsafe opened.pointee.nb_streams) where other != index {
            unsafe opened.pointee.streams[Int(other)]?.pointee.discard = AVDISCARD_ALL
        }
        return index
    }

    private static func stream(of context: UnsafeMutablePointer<AVFormatContext>, _ content: Content) -> Int32? {
        let kind = content == .audio ? AVMEDIA_TYPE_AUDIO : AVMEDIA_TYPE_VIDEO
        let index = unsafe av_find_best_stream(context, kind, -1, -1, nil, 0)
        return index >= 0 ? index : nil
    }

    /// True if the header contained everything that decoding needs.
    private static func isDescribed(_ context: UnsafeMutablePointer<AVFormatContext>, _ index: Int32) -> Bool {
        guard let parameters = unsafe context.pointee.streams[Int(index)]?.pointee.codecpar else { return false }
        if unsafe parameters.pointee.codec_id == AV_CODEC_ID_NONE { return false }
        if unsafe parameters.pointee.codec_type != AVMEDIA_TYPE_AUDIO { return true }
        return unsafe parameters.pointee.sample_rate > 0 && parameters.pointee.ch_layout.nb_channels > 0
    }

    var stream: UnsafeMutablePointer<AVStream> {
        // `init` found the stream; streams are never removed.
        unsafe context!.pointee.streams[Int(streamIndex)]!
    }

    // MARK: Properties

    /// Short names of the format, separated by commas.
    var formatName: String { unsafe String(cString: context!.pointee.iformat.pointee.name) }

    var codecName: String { unsafe String(cString: avcodec_get_name(stream.pointee.codecpar.pointee.codec_id)) }

    /// The codec's four-character code in the container, as printable text.
    var codecTag: String {
        let tag = unsafe stream.pointee.codecpar.pointee.codec_tag
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> ($0 * 8)) }
        return bytes.allSatisfy { (0x20..<0x7F).contains($0) } ? String(decoding: bytes, as: UTF8.self) : ""
    }

    /// The unit of times, as a fraction of a second.
    var timeBase: (num: Int64, den: Int64) {
        let base = unsafe stream.pointee.time_base
        return (Int64(base.num), Int64(base.den))
    }

    /// In nanoseconds, as stated by the container.
    var duration: Int64? {
        let own = unsafe stream.pointee.duration
        // An invalid duration is too large for nanoseconds, and becomes negative.
        let nanoseconds =
            own > 0
            ? unsafe Self.nanoseconds(own, stream.pointee.time_base)
            : unsafe Self.nanoseconds(context!.pointee.duration, AVRational(num: 1, den: AV_TIME_BASE))
        return nanoseconds > 0 ? nanoseconds : nil
    }

    /// True if `duration` is estimated from the file's size and the bit rate, because the container states none.
    var isDurationEstimated: Bool {
        unsafe context!.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
    }

    /// Duration of the audio stream in units of `timeBase`, as stated by the container; nil if unknown.
    var streamDuration: Int64? {
        let own = unsafe stream.pointee.duration
        return own > 0 ? own : nil
    }

    /// Bits per second; 0 if unknown.
    var bitRate: Int64 {
        let own = unsafe stream.pointee.codecpar.pointee.bit_rate
        return own > 0 ? own : unsafe context!.pointee.bit_rate
    }

    /// File offset of the last packet; nil if unknown.
    var packetOffset: Int64? {
        let offset = unsafe packet.pointer.pointee.pos
        return offset >= 0 ? offset : nil
    }

    /// Tags of the file, then those of the audio stream.
    var tags: [(name: String, value: String)] {
        unsafe Self.entries(context!.pointee.metadata) + Self.entries(stream.pointee.metadata)
    }

    /// The numbers of the chapters, their starts in nanoseconds, and their titles.
    var chapters: [(id: Int64, start: Int64, title: String?)] {
        (0..<Int(unsafe context!.pointee.nb_chapters)).compactMap { index in
            guard let chapter = unsafe context!.pointee.chapters[index] else { return nil }
            let title = unsafe Self.entries(chapter.pointee.metadata).first { $0.name == "title" }
            let start = unsafe Self.nanoseconds(chapter.pointee.start, chapter.pointee.time_base)
            return unsafe (chapter.pointee.id, start, title?.value)
        }
    }

    /// The first cover picture whose bytes the file contains unencoded: MIME type, file offset and length.
    var cover: (mime: String, offset: Int64, length: Int64)? {
        for index in 0..<Int(unsafe context!.pointee.nb_streams) {
            guard let stream = unsafe context!.pointee.streams[index],
                unsafe stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0,
                unsafe stream.pointee.attached_pic.pos >= 0
            else { continue }
            let mime =
                switch unsafe stream.pointee.codecpar.pointee.codec_id {
                case AV_CODEC_ID_PNG: "image/png"
                case AV_CODEC_ID_MJPEG: "image/jpeg"
                case AV_CODEC_ID_GIF: "image/gif"
                case AV_CODEC_ID_BMP: "image/bmp"
                case AV_CODEC_ID_WEBP: "image/webp"
                default: "image/unknown"
                }
            return unsafe (mime, stream.pointee.attached_pic.pos, Int64(stream.pointee.attached_pic.size))
        }
        return nil
    }

    private static func entries(_ dictionary: OpaquePointer?) -> [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while true {
            unsafe entry = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX)
            guard let entry = unsafe entry, found.count < 256 else { return found }
            unsafe found.append((String(cString: entry.pointee.key).lowercased(), String(cString: entry.pointee.value)))
        }
    }

    private static func nanoseconds(_ time: Int64, _ unit: AVRational) -> Int64 {
        av_rescale_q(time, unit, AVRational(num: 1, den: 1_000_000_000))
    }

    // MARK: Packets

    /// Reads a packet for `AudioCodec.send`, av_read_frame. Returns false at the end.
    func readPacket() throws(FFmpegError) -> Bool {
        while true {
            unsafe av_packet_unref(packet.pointer)
            let code = unsafe av_read_frame(context, packet.pointer)
            if code == shim_error_end, !reader.wasInterrupted { return false }
            try check(code)
            if unsafe packet.pointer.pointee.stream_index == streamIndex { return true }
        }
    }

    /// Continues at the last packet at or before a time: av_seek_frame.
    func seek(to time: Int64) throws(FFmpegError) {
        reader.resume()
        try check(unsafe av_seek_frame(context, streamIndex, time, AVSEEK_FLAG_BACKWARD))
    }

    /// Continues at a file offset, for formats without times.
    func seek(toByte offset: Int64) throws(FFmpegError) {
        reader.resume()
        try check(unsafe av_seek_frame(context, streamIndex, offset, AVSEEK_FLAG_BYTE))
    }

    private func check(_ code: Int32) throws(FFmpegError) {
        try FFmpegError.check(reader.wasInterrupted ? shim_error_exit : code)
    }
}
