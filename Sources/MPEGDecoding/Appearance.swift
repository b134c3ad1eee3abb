internal import PodcastModel

/// Recognizes formats other than MPEG audio by the beginning of a file, for messages.
enum Appearance {
    /// - Returns: the format's name. `isFinal` means that MPEG audio cannot follow, so searching for it is pointless.
    static func of(_ head: [UInt8]) -> (name: String, isFinal: Bool)? {
        for (magic, offset, name) in containers where head.dropFirst(offset).starts(with: magic) {
            return (name, true)
        }
        if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WAVE".utf8)) {
            // RIFF may contain MPEG audio: format tags 0x50 and 0x55 (RFC 2361).
            let tag = head.dropFirst(20).first
            return tag == 0x50 || tag == 0x55 ? nil : ("WAV", true)
        }
        if isADTS(head) { return ("AAC", true) }
        return text(head).map { ($0, false) }
    }

    private static let containers: [([UInt8], Int, String)] = [
        (Array("aax ".utf8), 8, "Audible DRM"), (Array("OggS".utf8), 0, "Ogg"), (Array("fLaC".utf8), 0, "FLAC"),
        (Array("ftyp".utf8), 4, "MP4/AAC"),
        (Array("#!AMR".utf8), 0, "AMR"), (Array("FORM".utf8), 0, "AIFF"), (Array("ADIF".utf8), 0, "AAC"),
        ([0x1A, 0x45, 0xDF, 0xA3], 0, "Matroska"), ([0x30, 0x26, 0xB2, 0x75], 0, "WMA"),
        (Array("MThd".utf8), 0, "MIDI"), ([0x2E, 0x72, 0x61, 0xFD], 0, "RealAudio"),
        (Array(".RMF".utf8), 0, "RealMedia"),
        ([0x57, 0x90, 0x75, 0x36], 4, "Audible DRM"), (Array("%PDF".utf8), 0, "PDF"), ([0x50, 0x4B, 3, 4], 0, "ZIP"),
        ([0x1F, 0x8B, 8], 0, "gzip"),
        ([0xFF, 0xD8, 0xFF], 0, "JPEG"), ([0x89, 0x50, 0x4E, 0x47], 0, "PNG"), (Array("GIF8".utf8), 0, "GIF"),
    ]

    /// An ADTS frame (ISO 13818-7, 6.2): the sync word with layer 0, and a length that leads to another frame, or to a tag.
    private static func isADTS(_ head: [UInt8]) -> Bool {
        func isFrame(_ at: Int) -> Bool { at + 7 <= head.count && head[at] == 0xFF && head[at + 1] & 0xF6 == 0xF0 }
        guard isFrame(0) else { return false }
        let length = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5]) >> 5
        return length > 7 && (isFrame(length) || head.dropFirst(length).starts(with: Array("ID3".utf8)))
    }

    private static func text(_ head: [UInt8]) -> String? {
        let start = head.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }.prefix(256)
        let lower = String(utf8: start).lowercased()
        if head.isEmpty { return "an empty file" }
        if lower.hasPrefix("#extm3u"), lower.contains("#ext-x-") { return "an HLS stream" }
        if lower.hasPrefix("#extm3u") || lower.hasPrefix("[playlist]") { return "a playlist" }
        if lower.hasPrefix("<!doctype html") || lower.hasPrefix("<html") || lower.hasPrefix("<head") {
            return "a web page"
        }
        if lower.hasPrefix("<?xml") || lower.hasPrefix("<rss") { return lower.contains("<html") ? "a web page" : "XML" }
        if lower.hasPrefix("{") || lower.hasPrefix("[") { return "JSON" }
        if lower.hasPrefix("<") { return "a web page" }
        let isText = !head.isEmpty && head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (9...13).contains($0) }
        return isText ? "text" : nil
    }
}
