internal import XMLEvents

/// Titles and names as one line of plain text. Pure; any thread.
public enum LineText {
    private static let longest = 4096

    /// The text in one line: character references and HTML tags resolved, blanks single, control characters gone.
    ///
    /// Only what HTML has is taken for a tag: `Generics: Array<Int>` stays as it is. Text beyond 4,096 bytes is cut off.
    /// - Returns: nil when nothing is left.
    public static func line(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes -> String? in
            let bytes = UnsafeRawBufferPointer(bytes)
            let renderer = TextRenderer(keepsLineBreaks: false)
            if bytes.contains(UInt8(ascii: "&")) || bytes.contains(UInt8(ascii: "<")) {
                // What is no tag of HTML is made text.
                escape(bytes).withUnsafeBytes { escaped in
                    _ = HTMLParser.parse(escaped, handler: renderer)
                }
            } else {
                renderer.characters(bytes)
            }
            return oneLine(renderer.text)
        }
    }

    /// One line of what is no HTML: blanks single, control characters gone. nil when nothing is left.
    public static func plain(_ text: some StringProtocol) -> String? {
        let renderer = TextRenderer(keepsLineBreaks: false)
        var text = String(text)
        text.withUTF8 { renderer.characters(UnsafeRawBufferPointer($0)) }
        return oneLine(renderer.text)
    }

    private static func escape(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(bytes.count + 16)
        let lastEnd = NotesForm.lastTagEnd(in: bytes)
        for (place, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "<") where !(NotesForm.Tag(in: bytes, at: place, lastEnd: lastEnd)?.isKnown ?? false):
                escaped += Array("&lt;".utf8)
            case UInt8(ascii: "&") where !NotesForm.isReference(in: bytes, at: place):
                escaped += Array("&amp;".utf8)
            default: escaped.append(byte)
            }
        }
        return escaped
    }

    private static func oneLine(_ text: [UInt8]) -> String? {
        var line = text.prefix(longest)
        if line.count < text.count {
            while let last = line.popLast(), last & 0xC0 == 0x80 {}
        }
        var result: [UInt8] = []
        result.reserveCapacity(line.count)
        for byte in line where byte != 0x0A || result.last != 0x20 { result.append(byte == 0x0A ? 0x20 : byte) }
        return result.isEmpty ? nil : String(decoding: result, as: UTF8.self)
    }
}
