/// A tag in any notation: WHATWG HTML sections 13.2.5.6 to 13.2.5.40; anything that does not look like a tag is text.
@safe struct LooseTag {
    let end: Int
    let isEnd: Bool
    /// True if the tag ends with `/>`.
    let isEmpty: Bool
    /// The name as `HTMLElementName.packed`.
    let name: UInt64
    private let written: Range<Int>
    private let attributes: [Attribute]
    private let text: UnsafeRawBufferPointer

    private struct Attribute {
        var name: Range<Int>
        var value: Range<Int>?
    }

    /// Maximum bytes of a name; an element or attribute with a longer one is removed.
    private static let longestName = 32
    /// Limited, because libxml2 compares each attribute with all previous ones.
    private static let mostAttributes = 16
    /// Maximum bytes of a value; an attribute with a longer one, such as a picture in a data: URL, is removed.
    private static let longestValue = 4 << 10

    /// Why a `<` does not begin a tag.
    enum Failure: Error {
        /// The `<` is text.
        case text
        /// A quote is not closed before the end of the text.
        case openQuote
    }

    /// Parses the tag that begins with a `<`.
    /// - Parameter trustsQuotes: true if a `>` in quotes is part of the value instead of the end of the tag.
    init(in text: UnsafeRawBufferPointer, at start: Int, trustsQuotes: Bool) throws(Failure) {
        unsafe self.text = unsafe text
        isEnd = unsafe start + 1 < text.count && text[start + 1] == UInt8(ascii: "/")
        let nameStart = start + (isEnd ? 2 : 1)
        guard nameStart < text.count, unsafe isLetter(text[nameStart]) else { throw .text }
        var cursor = unsafe Cursor(text, nameStart)
        cursor.skip { isNameByte($0) || $0 == UInt8(ascii: ".") }
        // A URL or e-mail address in angle brackets is text: <john@example.com>, <https://example.com>.
        guard let follower = cursor.byte, isBlank(follower) || follower == .slash || follower == .greater,
            unsafe text[cursor.place - 1] != UInt8(ascii: ":")
        else { throw .text }
        written = nameStart..<cursor.place
        name = unsafe HTMLElementName.packed(text[written])
        var attributes: [Attribute] = []
        var isEmpty = false
        var hasValue = false
        while true {
            cursor.skip(isBlank)
            guard let byte = cursor.byte else { throw trustsQuotes && hasValue ? .openQuote : .text }
            if byte == .greater { break }
            // A tag without its ">"; without a value "a <b c" is more likely.
            if byte == .less {
                guard hasValue else { throw .text }
                break
            }
            if byte == .slash || byte == .equals {
                cursor.place += 1
                isEmpty = byte == .slash && cursor.byte == .greater
                continue
            }
            var attribute = Attribute(name: cursor.attributeName())
            cursor.skip(isBlank)
            if cursor.byte == .equals {
                cursor.place += 1
                cursor.skip(isBlank)
                attribute.value = cursor.value(trustsQuotes: trustsQuotes)
                hasValue = true
            }
            if attributes.count < Self.mostAttributes { attributes.append(attribute) }
        }
        end = cursor.byte == .greater ? cursor.place + 1 : cursor.place
        self.isEmpty = isEmpty
        self.attributes = attributes
    }

    var isWritable: Bool { written.count <= Self.longestName }

    /// Writes the tag as a `PlainTag`.
    func write(to output: inout [UInt8], isEmpty: Bool) {
        output.append(.less)
        if isEnd { output.append(.slash) }
        unsafe output += text[written]
        if !isEnd { for attribute in attributes { write(attribute, to: &output) } }
        if isEmpty && !isEnd { output.append(.slash) }
        output.append(.greater)
    }

    private func write(_ attribute: Attribute, to output: inout [UInt8]) {
        let value = attribute.value ?? attribute.name.upperBound..<attribute.name.upperBound
        guard attribute.name.count <= Self.longestName, value.count <= Self.longestValue,
            unsafe isLetter(text[attribute.name.lowerBound]), unsafe text[attribute.name].allSatisfy(isNameByte)
        else { return }
        output.append(UInt8(ascii: " "))
        unsafe output += text[attribute.name]
        output += [.equals, .quote]
        for place in value {
            let byte = unsafe text[place]
            if byte == .quote { output += Array("&quot;".utf8) } else { output.append(byte) }
        }
        output.append(.quote)
    }

    @safe private struct Cursor {
        let text: UnsafeRawBufferPointer
        var place: Int

        init(_ text: UnsafeRawBufferPointer, _ place: Int) {
            unsafe self.text = unsafe text
            self.place = place
        }

        var byte: UInt8? { unsafe place < text.count ? text[place] : nil }

        mutating func skip(_ isPassed: (UInt8) -> Bool) {
            while unsafe place < text.count, unsafe isPassed(text[place]) { place += 1 }
        }

        mutating func attributeName() -> Range<Int> {
            let start = place
            skip { !isBlank($0) && $0 != .slash && $0 != .greater && $0 != .equals && $0 != .less }
            return start..<place
        }

        /// Skips a value. Without a closing quote it ends before the next `>`.
        mutating func value(trustsQuotes: Bool) -> Range<Int> {
            guard let quote = byte, quote == .quote || quote == .apostrophe else {
                let start = place
                skip { !isBlank($0) && $0 != .greater }
                return start..<place
            }
            place += 1
            let start = place
            if trustsQuotes, let close = unsafe text.place(of: quote, from: place) {
                place = close + 1
                return start..<close
            }
            skip { $0 != quote && $0 != .greater }
            let value = start..<place
            if byte == quote { place += 1 }
            return value
        }
    }
}

extension UInt8 {
    static let less = UInt8(ascii: "<")
    static let greater = UInt8(ascii: ">")
    static let slash = UInt8(ascii: "/")
    static let equals = UInt8(ascii: "=")
    static let quote = UInt8(ascii: "\"")
    static let apostrophe = UInt8(ascii: "'")
    static let ampersand = UInt8(ascii: "&")
}
