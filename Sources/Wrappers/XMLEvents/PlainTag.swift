/// Tags that every parser reads alike: a name, attributes with values in quotes, nothing else.
enum PlainTag {
    private static let longestName = 64
    /// What stands in these is not read as HTML, now or in newer parsers.
    private static let rawText = [
        "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext",
    ].map(HTMLElementName.packed)

    /// Where the tag ends that a `<` begins; nil when it is no such tag, or what follows may be no HTML.
    static func end(in text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        let isEnd = unsafe start + 1 < text.count && text[start + 1] == UInt8(ascii: "/")
        let name = start + (isEnd ? 2 : 1)
        guard var place = unsafe endOfName(in: text, at: name), unsafe !isRawText(text[name..<place]) else {
            return nil
        }
        while true {
            let blanks = place
            while place < text.count, unsafe isBlank(text[place]) { place += 1 }
            guard place < text.count else { return nil }
            if unsafe text[place] == UInt8(ascii: ">") { return place + 1 }
            if isEnd { return nil }
            if unsafe text[place...].starts(with: "/>".utf8) { return place + 2 }
            guard place > blanks, let end = unsafe endOfAttribute(in: text, at: place) else { return nil }
            place = end
        }
    }

    private static func endOfAttribute(in text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        guard let place = unsafe endOfName(in: text, at: start), place + 1 < text.count,
            unsafe text[place] == UInt8(ascii: "=")
        else { return nil }
        let quote = unsafe text[place + 1]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        return unsafe text.place(of: quote, from: place + 2).map { $0 + 1 }
    }

    private static func endOfName(in text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        let name = unsafe text[start...].prefix(longestName)
        guard let first = unsafe name.first, isLetter(first) else { return nil }
        return unsafe name.firstIndex { !isNameByte($0) }
    }

    private static func isRawText(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
        unsafe rawText.contains(name.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1 | 0x20) })
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: ":")
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
