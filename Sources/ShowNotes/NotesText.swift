public import PodcastModel
internal import XMLEvents

/// Notes as plain text: paragraphs with an empty line between them, one line for each item of a list.
///
/// Pure; any thread.
public struct NotesText: Equatable, Sendable {
    /// The words with what is marked in them.
    public let text: MarkedText
    /// It was longer than 1 MiB, and the rest was left out.
    public let isCut: Bool

    /// Reads notes as publishers write them: HTML, or plain text whose line breaks count.
    ///
    /// They are taken for HTML where they hold tags or character references. Line breaks of HTML are blanks, unless the
    /// only tags in it are of links and emphasis: then somebody wrote lines and meant them.
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

    /// The publisher's words alone, for searching and comparing; no line break at either end.
    public var words: String { text.words }
    /// The addresses that the text leads to, in order, each once: http and https only.
    public var links: [String] { text.links }
    /// The text for readers: items of lists marked, links numbered, their addresses as footnotes at the end.
    public var formatted: String { text.formatted }
}

extension TextRenderer {
    /// Takes text that is no HTML. Returns whether it was cut.
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
