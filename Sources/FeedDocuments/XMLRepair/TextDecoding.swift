/// Decodes complete texts that are not XML: subtitles, JSON, notes.
enum TextDecoding {
    /// The text without byte-order mark. The charset is detected like in `XMLRepairFilter`; invalid bytes are decoded as
    /// Windows-1252.
    /// - Throws: `tooLarge` for more bytes than `limit`.
    static func text(of bytes: [UInt8], contentType: String?, limit: Int) throws(DocumentError) -> String {
        guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        var transcoder = Transcoder(httpCharset: charset(ofContentType: contentType))
        var log = RepairLog(limit: 0)
        return bytes.withUnsafeBytes {
            let decoded = transcoder.decode($0, isLast: true, log: &log)
            return String(validating: decoded, as: UTF8.self) ?? repaired(decoded.bindMemory(to: UInt8.self))
        }
    }

    /// The charset in a Content-Type header, if any: RFC 9110 section 8.3.
    static func charset(ofContentType header: String?) -> String? {
        guard let header else { return nil }
        for parameter in header.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased().filter({ $0 != " " }) == "charset" else { continue }
            return parts[1].filter { $0 != "\"" && $0 != "'" && $0 != " " }
        }
        return nil
    }

    private static func repaired(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard var place = bytes.baseAddress else { return "" }
        let end = place + bytes.count
        var text = String.UnicodeScalarView()
        while place < end {
            if place.pointee < 0x80 {
                text.append(Unicode.Scalar(place.pointee))
                place += 1
                continue
            }
            switch decodeCharacter(place, end) {
            case .valid(let scalar, let length), .forbidden(let scalar, let length):
                text.append(scalar)
                place += length
            case .invalid, .incomplete:
                text.append(Windows1252.scalar(of: place.pointee))
                place += 1
            }
        }
        return String(text)
    }
}
