internal import PodcastModel

/// Titles and names as one line of plain text. Any thread.
public enum LineText {
    private static let longest = 4096

    /// One line without character references, HTML tags, repeated spaces and control characters; nil if empty.
    ///
    /// Only HTML elements are tags: `Generics: Array<Int>` is kept. Text beyond 4,096 bytes is removed.
    public static func line(_ text: String) -> String? { rendered(text) { HTMLReader.read($0, to: $1, isTitle: true) } }

    /// Plain text in one line, without repeated spaces and control characters; nil if nothing is left.
    public static func plain(_ text: some StringProtocol) -> String? { rendered(String(text)) { $1.characters($0) } }

    private static func rendered(_ text: String, _ read: (UnsafeRawBufferPointer, TextRenderer) -> Void) -> String? {
        let renderer = TextRenderer(keepsLineBreaks: false)
        var text = text
        text.withUTF8 { read(UnsafeRawBufferPointer($0), renderer) }
        var line = renderer.text.prefix(longest)
        if line.count < renderer.text.count {
            while let last = line.popLast(), last & 0xC0 == 0x80 {}
        }
        var result: [UInt8] = []
        result.reserveCapacity(line.count)
        for byte in line where byte != 0x0A || result.last != 0x20 { result.append(byte == 0x0A ? 0x20 : byte) }
        return result.isEmpty ? nil : String(utf8: result)
    }
}
