public import PodcastModel

extension MarkedText {
    /// Notes as publishers write them: HTML, or plain text with its line breaks. Paragraphs are separated by an empty
    /// line, and each list item is a line. Text beyond 1 MiB is removed. Any thread.
    ///
    /// Line breaks of HTML are spaces, unless the only tags are links and emphasis: then the line breaks are intended.
    public init(notes: String) {
        var notes = notes
        self = notes.withUTF8 { MarkedText(notes: UnsafeRawBufferPointer($0)) }
    }

    init(notes bytes: UnsafeRawBufferPointer) {
        let renderer = TextRenderer(keepsLineBreaks: !Self.hasBlocks(bytes))
        HTMLReader.read(bytes, to: renderer)
        self.init(String(utf8: renderer.text), marks: renderer.marks.reversed())
    }

    /// True if the notes contain tags that separate text.
    private static func hasBlocks(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let lastEnd = bytes.lastIndex(of: .greater) else { return false }
        var place = 0
        while let less = bytes.place(of: .less, from: place), less < lastEnd {
            if let (name, _) = HTMLTag.name(in: bytes, at: less),
                HTMLElement.known(HTMLName(bytes[name]))?.isBlock ?? false
            {
                return true
            }
            place = less + 1
        }
        return false
    }
}
