internal import XMLEvents

/// Reduces notes to safe HTML with text, structure and links only. Any thread.
public enum CleanHTML {
    /// A well-formed fragment of a page's body, with few elements, one attribute (`href`, with URLs that
    /// `SafeLink.target` accepts) and no control characters. Text beyond 1 MiB is removed.
    public static func fragment(_ notes: String) -> String {
        var notes = notes
        return notes.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let form = NotesForm(bytes)
            let cleaner = HTMLCleaner(keepsLineBreaks: !form.hasBlocks)
            if form.isHTML {
                _ = HTMLParser.parse(bytes, handler: cleaner)
            } else {
                cleaner.characters(UnsafeRawBufferPointer(rebasing: bytes.prefix(HTMLParser.textBytes)))
            }
            cleaner.finish()
            return String(decoding: cleaner.html, as: UTF8.self)
        }
    }
}

/// Writes the allowed parts of HTML.
final class HTMLCleaner: HTMLEventHandler {
    private(set) var html: [UInt8] = []
    private let keepsLineBreaks: Bool
    /// The end tag of each open element; nil if the element was removed.
    private var ends: [String?] = []
    private var preformattedDepth = 0

    init(keepsLineBreaks: Bool) { self.keepsLineBreaks = keepsLineBreaks }

    func startElement(_ name: HTMLElementName, attributes: HTMLAttributes) {
        let element = NotesElement(name)
        if case .embedded = element.role { write(" ") }
        if case .preformatted = element.role { preformattedDepth += 1 }
        guard let kept = element.keptName else { return ends.append(nil) }
        if case .link = element.role {
            guard let url = attributes.value(named: "href").flatMap(SafeLink.target) else { return ends.append(nil) }
            write("<a href=\"")
            escape(Array(url.utf8))
            write("\">")
        } else {
            write("<\(kept)>")
        }
        ends.append(element.isVoid ? nil : kept)
    }

    func endElement(_ name: HTMLElementName) {
        let element = NotesElement(name)
        if case .preformatted = element.role { preformattedDepth -= 1 }
        if case .embedded = element.role { write(" ") }
        if let kept = ends.popLast() ?? nil { write("</\(kept)>") }
    }

    func characters(_ text: UnsafeRawBufferPointer) {
        let breaks = keepsLineBreaks ? "<br>" : preformattedDepth > 0 ? "\n" : " "
        VisibleText.scan(
            text, run: { escape($0) },
            gap: { gap in
                switch gap {
                case .lineBreak: write(breaks)
                case .blank: write(" ")
                }
            })
    }

    /// Closes the elements that are open after a truncated text.
    func finish() {
        for end in ends.reversed() { if let end { write("</\(end)>") } }
        ends = []
    }

    private func write(_ text: String) { html.append(contentsOf: text.utf8) }

    private func escape(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "&"): write("&amp;")
            case UInt8(ascii: "<"): write("&lt;")
            case UInt8(ascii: ">"): write("&gt;")
            case UInt8(ascii: "\""): write("&quot;")
            default: html.append(byte)
            }
        }
    }
}
