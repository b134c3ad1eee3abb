/// Long texts of HTML that do not pass through libxml2.
///
/// libxml2's HTML parser takes some 55 instructions for each character of text, only to pass it on unchanged.
/// `PlainHTML` therefore replaces a text of `shortest` bytes or more by a placeholder, and `HTMLParser` restores the
/// text where the placeholder comes out. Without this, converting notes takes 1.4 times as many instructions, and a
/// refresh of new feeds 1.1 times, which has no room in its budget (`Benchmarks/run refresh`). `HTMLParserTests` fails
/// if libxml2 gets a long text.
@safe struct TextRuns {
    /// Two U+007F: no text contains that character (`TextWithoutControls`), and a reference to it yields a single one.
    static let placeholder: [UInt8] = [0x7F, 0x7F]
    /// In bytes; a shorter text costs more to replace than to parse.
    static let shortest = 16

    var texts: [UnsafeRawBufferPointer] = unsafe []
    private var next = 0

    /// Passes on libxml2's text, with the original texts in place of their placeholders.
    mutating func restore(in text: UnsafeRawBufferPointer, to handler: any HTMLEventHandler) {
        var rest = unsafe text
        while unsafe next < texts.count, let start = unsafe Self.placeholder(in: rest) {
            if start > 0 { unsafe handler.characters(UnsafeRawBufferPointer(rebasing: rest[..<start])) }
            unsafe handler.characters(texts[next])
            next += 1
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[(start + Self.placeholder.count)...])
        }
        if unsafe !rest.isEmpty { unsafe handler.characters(rest) }
    }

    private static func placeholder(in text: UnsafeRawBufferPointer) -> Int? {
        guard let place = unsafe text.place(of: placeholder[0], from: 0), place + 1 < text.count,
            unsafe text[place + 1] == placeholder[1]
        else { return nil }
        return place
    }
}
