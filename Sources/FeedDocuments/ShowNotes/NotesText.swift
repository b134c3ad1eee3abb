public import PodcastModel
internal import XMLEvents

/// Notes as plain text: paragraphs separated by an empty line, and a line for each list item. Any thread.
public struct NotesText: Equatable, Sendable {
    public let text: MarkedText
    /// True if the notes were longer than 1 MiB, and the rest was removed.
    public let isCut: Bool

    /// Parses publishers' notes: HTML, or plain text with its line breaks.
    ///
    /// Notes with tags or character references are HTML. Line breaks of HTML are spaces, unless the only tags are links
    /// and emphasis: then the line breaks are intended.
    public init(_ notes: String) {
        var notes = notes
        self = notes.withUTF8 { NotesText(bytes: UnsafeRawBufferPointer($0)) }
    }

    init(bytes: UnsafeRawBufferPointer) {
        let form = NotesForm(bytes)
        let renderer = TextRenderer(keepsLineBreaks: !form.hasBlocks)
        isCut = form.isHTML ? HTMLParser.parse(bytes, handler: renderer) != nil : renderer.take(plain: bytes)
        renderer.finish()
        text = MarkedText(String(decoding: renderer.text, as: UTF8.self), marks: renderer.marks.reversed())
    }

    /// The text for searching and comparing, without line breaks at either end.
    public var words: String { text.words }
    /// The targets of the text's links in order, without duplicates.
    public var links: [String] { text.links }
    /// The text with bullets and numbered links, whose URLs are footnotes at the end.
    public var formatted: String { text.formatted }
}

extension TextRenderer {
    /// Renders plain text. Returns true if it was truncated.
    fileprivate func take(plain bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > HTMLParser.textBytes else {
            characters(bytes)
            return false
        }
        var end = HTMLParser.textBytes
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        characters(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        return true
    }
}
