/// The character at an address in a text that should be UTF-8.
enum DecodedCharacter {
    /// Valid in XML; the length is in bytes.
    case valid(Unicode.Scalar, length: Int)
    /// A C1 control character or a noncharacter, in valid UTF-8.
    case forbidden(Unicode.Scalar, length: Int)
    /// Not UTF-8.
    case invalid
    /// May continue after the end of the block.
    case incomplete
}

/// Decodes a character of two bytes or more: RFC 3629 section 4.
func decodeCharacter(_ place: Bytes, _ end: Bytes) -> DecodedCharacter {
    let lead = place.pointee
    let length: Int
    var value: UInt32
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: (length, value) = (2, UInt32(lead & 0x1F))
    case 0xE0: (length, value, second) = (3, 0, 0xA0...0xBF)
    case 0xED: (length, value, second) = (3, 0x0D, 0x80...0x9F)
    case 0xE1...0xEF: (length, value) = (3, UInt32(lead & 0x0F))
    case 0xF0: (length, value, second) = (4, 0, 0x90...0xBF)
    case 0xF1...0xF3: (length, value) = (4, UInt32(lead & 0x07))
    case 0xF4: (length, value, second) = (4, 4, 0x80...0x8F)
    default: return .invalid
    }
    for index in 1..<length {
        guard place + index < end else { return .incomplete }
        let byte = place[index]
        guard index == 1 ? second.contains(byte) : byte & 0xC0 == 0x80 else { return .invalid }
        value = value << 6 | UInt32(byte & 0x3F)
    }
    guard let scalar = Unicode.Scalar(value) else { return .invalid }
    let isForbidden = value < 0xA0 || value == 0xFFFE || value == 0xFFFF
    return isForbidden ? .forbidden(scalar, length: length) : .valid(scalar, length: length)
}

/// Windows-1252, the charset for bytes of unknown charset: WHATWG Encoding, "index windows-1252".
enum Windows1252 {
    /// The characters of 0x80 to 0x9F; the five unused places are U+FFFD.
    private static let upperControls: [UInt16] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
        0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0xFFFD, 0x017E, 0x0178,
    ]

    /// Also for C1 control characters, which are nearly always misread Windows-1252.
    static func scalar(of byte: UInt8) -> Unicode.Scalar {
        guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(byte) }
        return Unicode.Scalar(upperControls[Int(byte - 0x80)])!
    }
}

extension Unicode.Scalar {
    /// Valid in a document: XML 1.0 section 2.2. Surrogates are not scalars.
    var isXMLCharacter: Bool {
        value >= 0x20 ? value != 0xFFFE && value != 0xFFFF : value == 9 || value == 10 || value == 13
    }

    /// May begin a name: XML 1.0 section 2.3, NameStartChar beyond ASCII.
    var isNameStartBeyondASCII: Bool {
        switch value {
        case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F,
            0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
            true
        default: false
        }
    }

    /// Valid in a name: NameChar beyond ASCII.
    var isNameBeyondASCII: Bool {
        switch value {
        case 0xB7, 0x300...0x36F, 0x203F...0x2040: true
        default: isNameStartBeyondASCII
        }
    }
}
