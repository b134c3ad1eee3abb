internal import Glibc
internal import XMLEvents

/// Collects the text of one element, with the tags in it where it is HTML.
struct TextCapture: ~Copyable {
    /// What becomes of tags within the text.
    enum Form {
        /// They are left out, their text stays.
        case plain
        /// They are written as they were.
        case markup
        /// As before, and the text is escaped, since it is text and no HTML: Atom's XHTML, RFC 4287 section 3.1.1.3.
        case xhtml
        /// It is coded in base 64: Atom 0.3 by its mode, Atom 1.0 by its type, RFC 4287 section 4.1.3.3.
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
    /// Bytes were left out because there were too many.
    private(set) var isCut = false

    init(limit: Int) { self.limit = limit }

    mutating func begin(_ form: Form) {
        buffer.removeAll()
        self.form = form
        isCut = false
    }

    mutating func append(_ text: UnsafeRawBufferPointer) {
        // What comes behind a cut is no part of the text, also when it would fit.
        guard !isCut else { return }
        let fitting = fitting(text)
        isCut = fitting.count < text.count
        switch form {
        case .plain, .markup, .base64: buffer.append(fitting)
        case .xhtml: buffer.append(escaping: fitting)
        }
    }

    /// As much of a text as there is room for, in whole characters. It is cut at the same place in whatever pieces it comes.
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

    /// HTML's elements without an end tag, among those that notes hold.
    private static func isVoid(_ name: XMLElementName) -> Bool {
        ["br", "img", "hr", "wbr", "source"].contains(name.localName)
    }

    /// Hands on what was collected.
    func withText(_ body: (ElementText) -> Void) {
        // Some announce a type that nothing is coded in, so what is no code is a text as it stands.
        guard case .base64 = form, let decoded = Base64.decode(buffer.bytes) else {
            return body(ElementText(trimming: buffer.bytes))
        }
        // What was coded may be a picture as well as a text.
        guard String(validating: decoded, as: UTF8.self) != nil else { return }
        decoded.withUnsafeBytes { body(ElementText(trimming: $0)) }
    }

    /// Whether an element is no part of such a text, so that the text's end tag must be missing.
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

/// RFC 4648 sections 4 and 5; blanks and padding are passed over.
enum Base64 {
    /// What is coded in a text; nil when other characters than the code's stand in it.
    static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        var decoded: [UInt8] = []
        var pending: UInt32 = 0
        var bits: UInt32 = 0
        for byte in text {
            if byte <= 0x20 || byte == UInt8(ascii: "=") { continue }
            guard let digit = digit(byte) else { return nil }
            pending = (pending << 6 | digit) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                decoded.append(UInt8(truncatingIfNeeded: pending >> bits))
            }
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) + 4
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
