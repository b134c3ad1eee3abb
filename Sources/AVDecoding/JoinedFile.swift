internal import MediaPorts

/// Detects an MP3 file directly after the last packet of an AAC stream: in joined files FFmpeg skips the rest.
enum JoinedFile {
    private static let id3HeaderLength = 10

    /// - Parameter offset: file offset of an ADTS packet.
    static func isMP3(afterPacketAt offset: Int64, in input: any DecoderInput) throws(DecoderError) -> Bool {
        let header = try bytes(ADTSCounter.headerLength, at: offset, input)
        let frame = header.withUnsafeBytes { $0.count < ADTSCounter.headerLength ? nil : ADTSCounter.Frame($0) }
        guard let frame else { return false }
        return try isMP3(at: offset + frame.length, in: input)
    }

    static func isMP3(at offset: Int64, in input: any DecoderInput) throws(DecoderError) -> Bool {
        var next = offset
        let tag = try bytes(Int64(id3HeaderLength), at: next, input)
        if tag.count == id3HeaderLength, tag.starts(with: "ID3".utf8) {
            // Seven bits of each byte (ID3v2.4 structure, section 6.2).
            next += Int64(id3HeaderLength) + tag[6...].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
        }
        let sync = try bytes(4, at: next, input)
        // A sync word, a layer, a bit rate and a sample rate (ISO/IEC 11172-3, 2.4.1.3).
        return sync.count == 4 && sync[0] == 0xFF && sync[1] & 0xE0 == 0xE0 && sync[1] & 0x06 != 0
            && sync[2] & 0xF0 != 0xF0 && sync[2] & 0x0C != 0x0C
    }

    /// Returns fewer bytes if the file ends before.
    private static func bytes(
        _ count: Int64, at offset: Int64, _ input: any DecoderInput
    ) throws(DecoderError) -> [UInt8] {
        guard input.available(at: offset) >= count else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        let result = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(DecoderError) in try input.read(into: buffer, at: offset) }
        }
        return Array(bytes.prefix(try result.get()))
    }
}
