public import PodcastModel
internal import XMLEvents

/// Notes as plain text: paragraphs with an empty line between them, one line for each item of a list.
///
/// Pure; any thread.
public struct NotesText: Equatable, Sendable {
    /// The words and their marks.
    public let text: MarkedText
    /// Whether it was longer than 1 MiB, and the rest was removed.
    public let isCut: Bool

    /// Parses notes as publishers write them: HTML, or plain text whose line breaks are kept.
    ///
    /// Notes with tags or character references are HTML. Line breaks of HTML are spaces, unless its only tags are links and
    /// emphasis: then the line breaks are intended.
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

    /// The publisher's words, for searching and comparing, without line breaks at either end.
    public var words: String { text.words }
    /// The targets of the text's links, in order, each once.
    public var links: [String] { text.links }
    /// The text with bullets and numbered links, whose URLs are footnotes at the end.
    public var formatted: String { text.formatted }
}

extension TextRenderer {
    /// Renders plain text. Returns whether it was truncated.
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
