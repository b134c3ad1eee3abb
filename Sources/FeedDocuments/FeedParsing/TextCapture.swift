internal import Glibc
internal import PodcastModel
internal import XMLEvents

/// Collects the text of one element, with its tags if the text is HTML.
struct TextCapture: ~Copyable {
    enum Form {
        /// Tags are removed, their text is kept.
        case plain
        /// Tags are kept unchanged.
        case markup
        /// Tags are kept and text is escaped, because it is not HTML: Atom's XHTML, RFC 4287 section 3.1.1.3.
        case xhtml
        /// The text is Base64: Atom 0.3 by its mode, Atom 1.0 by its type, RFC 4287 section 4.1.3.3.
        case base64

        /// The form of a text by Atom's `type` and Atom 0.3's `mode`.
        init(_ attributes: XMLAttributes) {
            guard attributes.count > 0 else {
                self = .markup
                return
            }
            let type = attributes.text("type")
            let mode = attributes.text("mode")
            if mode?.equals("base64") ?? false || mode == nil && type.map(Self.isBinary) ?? false {
                self = .base64
            } else if type?.equals("xhtml") ?? false || mode?.equals("xml") ?? false {
                self = .xhtml
            } else {
                self = .markup
            }
        }

        /// True for a MIME type of neither text nor XML.
        private static func isBinary(_ type: ElementText) -> Bool {
            guard type.bytes.contains(.slash), !type.hasPrefix("text/") else { return false }
            let last = type.bytes.suffix(4)
            return !last.elementsEqual("+xml".utf8) && !last.elementsEqual("/xml".utf8)
        }
    }

    private var buffer = ByteBuffer(capacity: 4096)
    private var form = Form.plain
    private let limit: Int
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

    /// The part of a text that fits, in whole characters; independent of the pieces in which the text arrives.
    private func fitting(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let room = max(0, limit - buffer.count)
        var end = min(room, text.count)
        if case .xhtml = form {
            end = 0
            var length = 0
            while end < text.count {
                length += text[end].markupReference?.utf8CodeUnitCount ?? 1
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

    mutating func close(_ name: XMLElementName) {
        // Elements of show notes without an end tag.
        guard keepsTags, !["br", "img", "hr", "wbr", "source"].contains(name.localName) else { return }
        buffer.append("</")
        append(name: name)
        buffer.append(">")
    }

    private mutating func append(name: XMLElementName) {
        buffer.append(UnsafeRawBufferPointer(start: name.local, count: strlen(name.local)))
    }

    func withText(_ body: (ElementText) -> Void) {
        // Some feeds declare Base64 for plain text, so invalid Base64 is used unchanged.
        guard case .base64 = form, let decoded = Base64.decode(buffer.bytes) else {
            return body(ElementText(trimming: buffer.bytes))
        }
        // The decoded bytes may be a picture.
        guard String(validating: decoded, as: UTF8.self) != nil else { return }
        decoded.withUnsafeBytes { body(ElementText(trimming: $0)) }
    }

    /// True for an element that never occurs inside an element with only attributes, whose end tag is missing then.
    static func mayFollowUnclosedTag(_ name: XMLElementName) -> Bool {
        [
            "item", "entry", "title", "link", "guid", "pubdate", "enclosure", "description", "encoded", "duration",
            "summary",
        ].contains(NamespaceTable.lowercased(name.local))
    }

    /// True for an element that cannot be part of this text, so that the text's end tag must be missing.
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
