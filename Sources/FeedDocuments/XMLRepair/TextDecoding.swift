/// Decodes complete texts that are not XML: subtitles, JSON, notes.
enum TextDecoding {
    /// The text as UTF-8, without byte-order mark.
    ///
    /// The charset is detected like in `XMLRepairFilter`; invalid bytes are decoded as Windows-1252.
    /// - Parameter charset: the charset in the HTTP header, if any.
    static func text(of bytes: UnsafeRawBufferPointer, charset: String? = nil) -> String {
        var transcoder = Transcoder(httpCharset: charset)
        var log = RepairLog(limit: 0)
        let decoded = transcoder.decode(bytes, isLast: true, log: &log)
        if let text = String(validating: decoded, as: UTF8.self) { return text }
        return repaired(decoded.bindMemory(to: UInt8.self))
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
