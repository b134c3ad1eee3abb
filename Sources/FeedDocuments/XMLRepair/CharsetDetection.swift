internal import PodcastModel

/// The charset of a document, according to its first bytes, its HTTP header and its XML declaration.
struct CharsetDetection {
    /// The charset; if `isDoubtful`, the charset to use if the document is not UTF-8.
    var charset: Charset
    /// True if the first non-ASCII bytes decide between UTF-8, which is more likely, and the announced `charset`.
    var isDoubtful = false
    /// Bytes of the byte-order mark.
    var markLength = 0
    var unknownLabels: [String] = []

    /// Maximum bytes to wait for until a declaration is complete.
    static let headBytes = 1024

    /// Decides by the first of: a byte-order mark, the pattern of zero bytes, the HTTP header, the declaration.
    /// - Returns: nil while more bytes could change the result.
    init?(head: UnsafeRawBufferPointer, httpCharset: String?, isLast: Bool) {
        if head.count < 4 && !isLast { return nil }
        let first = (0..<4).map { $0 < head.count ? head[$0] : 0xAA }
        if let (name, length) = Self.mark(first) ?? Self.shape(first) {
            charset = Charset(name: name)
            markLength = length
            return
        }
        let declaration = Self.declaration(head)
        // Wait also after apparent markup: a program's warning may precede the declaration.
        if declaration == nil && head.count < Self.headBytes && !isLast { return nil }
        charset = .utf8
        let declared = declaration.flatMap { $0 }
        var candidates: [Charset] = []
        for label in [httpCharset, declared].compactMap({ $0 }) where !label.isEmpty {
            // Bytes that were read as ASCII cannot be in a charset of wider units, even if the declaration says so.
            if let charset = Charset(label: label), charset.unit == 1 {
                candidates.append(charset)
            } else if label == declared {
                unknownLabels.append(String(label.prefix(40)))
            }
        }
        guard let announced = candidates.first else { return }
        charset = announced
        if announced == .windows1252 {
            isDoubtful = true
        } else if announced == .utf8, let other = candidates.dropFirst().first, other != .utf8 {
            // Some servers announce UTF-8 for every document; the declaration is more reliable.
            charset = other
            isDoubtful = true
        }
    }

    private static func mark(_ first: [UInt8]) -> (name: String, length: Int)? {
        switch (first[0], first[1], first[2], first[3]) {
        case (0xEF, 0xBB, 0xBF, _): ("UTF-8", 3)
        case (0xFF, 0xFE, 0, 0): ("UTF-32LE", 4)
        case (0, 0, 0xFE, 0xFF): ("UTF-32BE", 4)
        case (0xFF, 0xFE, _, _): ("UTF-16LE", 2)
        case (0xFE, 0xFF, _, _): ("UTF-16BE", 2)
        default: nil
        }
    }

    /// XML 1.0 appendix F.1: the positions of zero bytes show a `<` or a space in wider units.
    private static func shape(_ first: [UInt8]) -> (name: String, length: Int)? {
        switch (first[0] != 0, first[1] != 0, first[2] != 0, first[3] != 0) {
        case (true, false, false, false): ("UTF-32LE", 0)
        case (false, false, false, true): ("UTF-32BE", 0)
        case (true, false, true, false): ("UTF-16LE", 0)
        case (false, true, false, true): ("UTF-16BE", 0)
        default: nil
        }
    }

    /// The encoding in the XML declaration; nil without a complete declaration, .some(nil) if it names none.
    private static func declaration(_ head: UnsafeRawBufferPointer) -> String?? {
        let bytes = Array(head.prefix(headBytes))
        guard let start = bytes.firstRange(of: "<?xml".utf8)?.lowerBound,
            let end = bytes[start...].firstIndex(of: .greater)
        else { return nil }
        guard let name = bytes[start..<end].firstRange(of: "encoding".utf8) else { return .some(nil) }
        let rest = bytes[name.upperBound..<end].drop {
            $0.isBlank || $0 == .equals || $0 == .quote || $0 == .apostrophe
        }
        let label = rest.prefix { $0 != .quote && $0 != .apostrophe && !$0.isBlank && $0 != .questionMark }
        return .some(String(utf8: label))
    }
}
