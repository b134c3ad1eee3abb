internal import Glibc
internal import PodcastModel
internal import XMLEvents

/// Collects the text of one element, with its tags if it is HTML.
struct TextCapture: ~Copyable {
    /// How tags within the text are treated.
    enum Form {
        /// Tags are removed, their text is kept.
        case plain
        /// They are written as they were.
        case markup
        /// Tags are kept and text is escaped, because it is not HTML: Atom's XHTML, RFC 4287 section 3.1.1.3.
        case xhtml
        /// The text is in base 64: Atom 0.3 by its mode, Atom 1.0 by its type, RFC 4287 section 4.1.3.3.
        case base64

        /// The form of a text by Atom's `type` and Atom 0.3's `mode`.
        init(_ attributes: XMLAttributes) {
            guard attributes.count > 0 else {
                self = .markup
                return
            }
            let type = ElementText(trimming: attributes.value(named: "type"))
            let mode = ElementText(trimming: attributes.value(named: "mode"))
            if mode?.equals("base64") ?? false || mode == nil && type.map(Self.isBinary) ?? false {
                self = .base64
            } else if type?.equals("xhtml") ?? false || mode?.equals("xml") ?? false {
                self = .xhtml
            } else {
                self = .markup
            }
        }

        /// A MIME type of neither text nor XML.
        private static func isBinary(_ type: ElementText) -> Bool {
            guard type.bytes.contains(UInt8(ascii: "/")), !type.hasPrefix("text/") else { return false }
            let last = type.bytes.suffix(4)
            return !last.elementsEqual("+xml".utf8) && !last.elementsEqual("/xml".utf8)
        }
    }

    private var buffer = TextBuffer()
    private var form = Form.plain
    private let limit: Int
    /// Whether the text was cut.
    private(set) var isCut = false

    init(limit: Int) { self.limit = limit }

    mutating func begin(_ form: Form) {
        buffer.removeAll()
        self.form = form
        isCut = false
    }

    mutating func append(_ text: UnsafeRawBufferPointer) {
        // After a cut nothing is added, even if it would fit.
        guard !isCut else { return }
        let fitting = fitting(text)
        isCut = fitting.count < text.count
        switch form {
        case .plain, .markup, .base64: buffer.append(fitting)
        case .xhtml: buffer.append(escaping: fitting)
        }
    }

    /// As much of a text as fits, in whole characters. The cut does not depend on the pieces in which the text arrives.
    private func fitting(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let room = max(0, limit - buffer.count)
        var end = min(room, text.count)
        if case .xhtml = form {
            end = 0
            var length = 0
            while end < text.count {
                length += TextBuffer.escapedLength(of: text[end])
                if length > room { break }
                end += 1
            }
        }
        guard end < text.count else { return text }
        while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: text[..<end])
    }

    private var keepsTags: Bool {
        switch form {
        case .markup, .xhtml: !isCut
        case .plain, .base64: false
        }
    }

    /// A tag within the text.
    mutating func open(_ name: XMLElementName, _ attributes: XMLAttributes) {
        if buffer.count >= limit { isCut = true }
        guard keepsTags else { return }
        buffer.append("<")
        append(name: name)
        for index in 0..<attributes.count {
            buffer.append(" ")
            append(name: attributes.name(index))
            buffer.append("=\"")
            buffer.append(escaping: attributes.value(index))
            buffer.append("\"")
        }
        buffer.append(">")
    }

    /// The end of a tag within the text.
    mutating func close(_ name: XMLElementName) {
        guard keepsTags, !Self.isVoid(name) else { return }
        buffer.append("</")
        append(name: name)
        buffer.append(">")
    }

    private mutating func append(name: XMLElementName) {
        buffer.append(UnsafeRawBufferPointer(start: name.local, count: strlen(name.local)))
    }

    /// HTML elements without an end tag that occur in show notes.
    private static func isVoid(_ name: XMLElementName) -> Bool {
        ["br", "img", "hr", "wbr", "source"].contains(name.localName)
    }

    /// Passes on the collected text.
    func withText(_ body: (ElementText) -> Void) {
        // Some feeds declare base 64 for plain text, so text that is not valid base 64 is used as it is.
        guard case .base64 = form, let decoded = Base64.decode(buffer.bytes) else {
            return body(ElementText(trimming: buffer.bytes))
        }
        // The decoded bytes may be a picture.
        guard String(validating: decoded, as: UTF8.self) != nil else { return }
        decoded.withUnsafeBytes { body(ElementText(trimming: $0)) }
    }

    /// Whether an element is never inside one that has only attributes, so that the end tag of that one must be missing.
    static func mayFollowUnclosedTag(_ name: XMLElementName) -> Bool {
        [
            "item", "entry", "title", "link", "guid", "pubdate", "enclosure", "description", "encoded", "duration",
            "summary",
        ].contains(NamespaceTable.lowercased(name.local))
    }

    /// Whether an element cannot be part of such a text, so that the text's end tag must be missing.
    func mayBeUnclosed(before name: XMLElementName) -> Bool {
        let local = NamespaceTable.lowercased(name.local)
        switch form {
        case .plain:
            return ["item", "entry", "title", "link", "guid", "pubdate", "enclosure", "description"].contains(local)
        case .markup: return ["item", "entry", "guid", "pubdate", "enclosure", "encoded"].contains(local)
        case .xhtml, .base64: return local == "entry"
        }
    }
}
