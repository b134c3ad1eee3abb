internal import Glibc

/// Which charset a document is in, by its first bytes and what was said of it.
struct CharsetDetection {
    /// The charset, or the one to take UTF-8 for when it turns out not to be UTF-8.
    var charset: Charset
    /// Bytes beyond ASCII are looked at before `charset` is believed: it was announced, but UTF-8 is likelier.
    var isDoubtful = false
    /// Bytes of the byte-order mark.
    var markLength = 0
    /// Labels that mean nothing.
    var unknownLabels: [String] = []

    /// How many bytes are waited for to see a declaration.
    static let headBytes = 1024

    /// Judges the first bytes: a byte-order mark, else the shape of the first characters, the HTTP header, the declaration.
    ///
    /// - Returns: nil while more bytes could change the answer.
    init?(head: UnsafeRawBufferPointer, httpCharset: String?, isLast: Bool) {
        if head.count < 4 && !isLast { return nil }
        let first = (0..<4).map { $0 < head.count ? head[$0] : 0xAA }
        if let (charset, length) = Self.mark(first) {
            self.charset = charset
            markLength = length
            return
        }
        if let charset = Self.shape(first) {
            self.charset = charset
            return
        }
        let declaration = Self.declaration(head)
        // Also behind what looks like the document's begin: a program's warning may stand before the declaration.
        if declaration == nil && head.count < Self.headBytes && !isLast { return nil }
        charset = .utf8
        let declared = declaration.flatMap { $0 }
        var candidates: [Charset] = []
        for label in [httpCharset, declared].compactMap({ $0 }) where !label.isEmpty {
            // What was just read as ASCII is in no charset of wider units, whatever it calls itself.
            if let charset = Charset(label: label), charset.extendsASCII {
                candidates.append(charset)
            } else if label == declared {
                unknownLabels.append(String(label.prefix(40)))
            }
        }
        guard let announced = candidates.first else { return }
        charset = announced
        switch announced {
        case .windows1252: isDoubtful = true
        case .utf8:
            // A server that says UTF-8 of everything, over a declaration that knows better.
            if let other = candidates.dropFirst().first, other != .utf8 {
                charset = other
                isDoubtful = true
            }
        case .other: break
        }
    }

    private static func mark(_ first: [UInt8]) -> (Charset, Int)? {
        switch (first[0], first[1], first[2], first[3]) {
        case (0xEF, 0xBB, 0xBF, _): (.utf8, 3)
        case (0xFF, 0xFE, 0, 0): (.utf32LittleEndian, 4)
        case (0, 0, 0xFE, 0xFF): (.utf32BigEndian, 4)
        case (0xFF, 0xFE, _, _): (.utf16LittleEndian, 2)
        case (0xFE, 0xFF, _, _): (.utf16BigEndian, 2)
        default: nil
        }
    }

    /// XML 1.0 appendix F.1: a `<` or a blank in wider units shows in where the zeros are.
    private static func shape(_ first: [UInt8]) -> Charset? {
        switch (first[0] != 0, first[1] != 0, first[2] != 0, first[3] != 0) {
        case (true, false, false, false): .utf32LittleEndian
        case (false, false, false, true): .utf32BigEndian
        case (true, false, true, false): .utf16LittleEndian
        case (false, true, false, true): .utf16BigEndian
        default: nil
        }
    }

    /// The encoding that an XML declaration names: nil without a complete declaration, .some(nil) when it names none.
    private static func declaration(_ head: UnsafeRawBufferPointer) -> String?? {
        let bytes = Array(head.prefix(headBytes))
        guard let start = position(of: Array("<?xml".utf8), in: bytes[...]),
            let end = bytes[start...].firstIndex(of: .greater)
        else { return nil }
        guard let name = position(of: Array("encoding".utf8), in: bytes[start..<end]) else { return .some(nil) }
        var rest = bytes[(name + 8)..<end]
        while let byte = rest.first, byte.isBlank || byte == .equals || byte == .quote || byte == .apostrophe {
            rest.removeFirst()
        }
        let label = rest.prefix { $0 != .quote && $0 != .apostrophe && !$0.isBlank && $0 != UInt8(ascii: "?") }
        return .some(String(decoding: label, as: UTF8.self))
    }

    private static func position(of needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= needle.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - needle.count)).first { bytes[$0...].starts(with: needle) }
    }
}
