/// A tag that all parsers read in the same way: a name and a few attributes with quoted values.
struct PlainTag {
    private static let longestName = 32
    private static let mostAttributes = 16
    private static let mostBytes = 8 << 10

    /// The place after its `>`.
    let end: Int
    let isEnd: Bool
    /// The name as `HTMLElementName.packed`.
    let name: UInt64

    /// Nil if the tag has another form, or if `PlainHTML` changes it.
    init?(in text: UnsafeRawBufferPointer, at start: Int) {
        isEnd = unsafe start + 1 < text.count && text[start + 1] == UInt8(ascii: "/")
        let nameStart = start + (isEnd ? 2 : 1)
        guard var place = unsafe Self.endOfName(in: text, at: nameStart) else { return nil }
        name = unsafe HTMLElementName.packed(text[nameStart..<place])
        guard !SpecialElement.names.contains(name) else { return nil }
        var attributes = 0
        while true {
            let blanks = place
            while place < text.count, unsafe isBlank(text[place]) { place += 1 }
            guard place < text.count, place - start < Self.mostBytes else { return nil }
            if unsafe text[place] == UInt8(ascii: ">") {
                end = place + 1
                return
            }
            if isEnd { return nil }
            if unsafe text[place...].starts(with: "/>".utf8) {
                end = place + 2
                return
            }
            attributes += 1
            guard place > blanks, attributes <= Self.mostAttributes,
                let end = unsafe Self.endOfAttribute(in: text, at: place)
            else { return nil }
            place = end
        }
    }

    private static func endOfAttribute(in text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        guard let place = unsafe endOfName(in: text, at: start), place + 1 < text.count,
            unsafe text[place] == UInt8(ascii: "=")
        else { return nil }
        let quote = unsafe text[place + 1]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        let near = unsafe UnsafeRawBufferPointer(rebasing: text[..<min(text.count, place + mostBytes)])
        return unsafe near.place(of: quote, from: place + 2).map { $0 + 1 }
    }

    private static func endOfName(in text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        let name = unsafe text[start...].prefix(longestName)
        guard let first = unsafe name.first, isLetter(first) else { return nil }
        return unsafe name.firstIndex { !isNameByte($0) }
    }
}

/// Elements that `PlainHTML` changes or removes.
enum SpecialElement {
    /// Elements without text: WHATWG HTML sections 4.2.6 and 4.12.1.
    static let script = HTMLElementName.packed("script")
    static let style = HTMLElementName.packed("style")
    /// Elements that occur once and that libxml2 implies; it stops at their end tags.
    static let document = ["html", "head", "body"].map(HTMLElementName.packed)
    /// Void elements that libxml2 does not know as such.
    static let void = ["wbr", "source", "track"].map(HTMLElementName.packed)
    /// Void elements that libxml2 knows.
    static let knownVoid = [
        "area", "base", "basefont", "br", "col", "embed", "frame", "hr", "img", "input", "isindex", "link", "meta",
        "param",
    ].map(HTMLElementName.packed)

    static let names = Set(document + void + [script, style])
}

extension HTMLElementName {
    /// `packed` of the name of a tag, ignoring case.
    static func packed(_ written: Slice<UnsafeRawBufferPointer>) -> UInt64 {
        unsafe written.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64(isUpper($1) ? $1 | 0x20 : $1) }
    }
}

func isUpper(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }

func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

func isNameByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: ":")
}

func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
