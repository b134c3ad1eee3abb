internal import PodcastModel

extension JSONValue {
    /// JSON text in one line, without spaces or line breaks: RFC 8259. Numbers have the fewest digits with which
    /// they are read back exactly.
    public var text: String { String(utf8: bytes) }

    /// The text as UTF-8 bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// Appends the text as UTF-8 bytes.
    public func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(text: "null")
        case .bool(let flag): bytes.append(text: flag ? "true" : "false")
        case .integer(let number): bytes.append(text: String(number))
        case .number(let number): bytes.append(text: number.description)
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let elements):
            bytes.append(.openingBracket)
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(.comma) }
                element.write(to: &bytes)
            }
            bytes.append(.closingBracket)
        case .object(let members):
            bytes.append(.openingBrace)
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(.comma) }
                Self.write(member.name, to: &bytes)
                bytes.append(.colon)
                member.value.write(to: &bytes)
            }
            bytes.append(.closingBrace)
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        bytes.append(.quote)
        text.withUTF8 { utf8 in
            // Most texts have no character to escape and are copied in one piece.
            var start = 0
            for index in 0..<utf8.count {
                let byte = unsafe utf8[index]
                guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { continue }
                unsafe bytes.append(contentsOf: utf8[start..<index])
                start = index + 1
                write(escaped: byte, to: &bytes)
            }
            unsafe bytes.append(contentsOf: utf8[start...])
        }
        bytes.append(.quote)
    }

    private static func write(escaped byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case 0x22, 0x5C: bytes += [0x5C, byte]
        case 0x09: bytes.append(text: "\\t")
        case 0x0A: bytes.append(text: "\\n")
        case 0x0D: bytes.append(text: "\\r")
        case _: bytes.append(text: (byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16))
        }
    }
}

extension [UInt8] {
    /// Appends the bytes of a text, in a quarter of the time that appending its UTF-8 view takes.
    public mutating func append(text: String) {
        var text = text
        text.withUTF8 { unsafe append(contentsOf: $0) }
    }
}
