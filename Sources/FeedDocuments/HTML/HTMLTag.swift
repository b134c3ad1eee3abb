internal import PodcastModel

/// The first eight bytes of an element's name in lower case, as a number: distinguishes HTML's names, and is fast to
/// compare.
struct HTMLName: Hashable, ExpressibleByStringLiteral {
    let packed: UInt64

    init(_ written: some BidirectionalCollection<UInt8>) {
        packed = written.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1.lowercased) }
    }

    init(stringLiteral name: String) { self.init(name.utf8) }

    /// Names from a text with spaces between them.
    static func list(_ names: String) -> [HTMLName] { names.utf8.split(separator: 0x20).map { HTMLName($0) } }
}

/// A tag in any notation: WHATWG HTML sections 13.2.5.6 to 13.2.5.40.
struct HTMLTag {
    let name: HTMLName
    let isEnd: Bool
    /// True if the tag ends with `/>`.
    let isEmpty: Bool
    /// The place after the tag.
    let end: Int
    let attributes: HTMLAttributes

    private static let mostAttributes = 16

    /// Why a `<` does not begin a tag.
    enum Failure: Error {
        /// The `<` is text.
        case text
        /// A quote is not closed before the end of the text.
        case openQuote
    }

    /// The name of the tag that begins with the `<` at a place; nil if the `<` is text, as in URLs and email addresses
    /// in angle brackets.
    static func name(in text: UnsafeRawBufferPointer, at place: Int) -> (bytes: Range<Int>, isEnd: Bool)? {
        var cursor = Cursor(text: text, place: place + 1)
        let isEnd = cursor.byte == .slash
        if isEnd { cursor.place += 1 }
        let start = cursor.place
        guard cursor.byte?.isLetter ?? false else { return nil }
        cursor.skip { $0.isLetter || $0.isDigit || "-_:.".utf8.contains($0) }
        guard let next = cursor.byte, next.isBlank || next == .slash || next == .greater,
            text[cursor.place - 1] != .colon
        else { return nil }
        return (start..<cursor.place, isEnd)
    }

    /// Parses the tag that begins with the `<` at a place.
    /// - Parameter trustsQuotes: true if a `>` in quotes is part of the value instead of the end of the tag.
    init(in text: UnsafeRawBufferPointer, at place: Int, trustsQuotes: Bool) throws(Failure) {
        guard let (written, isEnd) = Self.name(in: text, at: place) else { throw .text }
        name = HTMLName(text[written])
        self.isEnd = isEnd
        var cursor = Cursor(text: text, place: written.upperBound)
        var attributes = HTMLAttributes(text: text)
        var isEmpty = false
        var hasValue = false
        while true {
            cursor.skip(\.isBlank)
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
            let name = cursor.attributeName()
            var value = name.upperBound..<name.upperBound
            cursor.skip(\.isBlank)
            if cursor.byte == .equals {
                cursor.place += 1
                cursor.skip(\.isBlank)
                value = cursor.value(trustsQuotes: trustsQuotes)
                hasValue = true
            }
            if attributes.fields.count < Self.mostAttributes { attributes.fields.append((name, value)) }
        }
        end = cursor.byte == .greater ? cursor.place + 1 : cursor.place
        self.isEmpty = isEmpty
        self.attributes = attributes
    }

    private struct Cursor {
        let text: UnsafeRawBufferPointer
        var place: Int

        var byte: UInt8? { place < text.count ? text[place] : nil }

        mutating func skip(_ isPassed: (UInt8) -> Bool) {
            while place < text.count, isPassed(text[place]) { place += 1 }
        }

        mutating func attributeName() -> Range<Int> {
            let start = place
            skip { !$0.isBlank && !"/>=<".utf8.contains($0) }
            return start..<place
        }

        /// Skips a value. Without a closing quote the value ends before the next `>`.
        mutating func value(trustsQuotes: Bool) -> Range<Int> {
            guard let quote = byte, quote == .quote || quote == .apostrophe else {
                let start = place
                skip { !$0.isBlank && $0 != .greater }
                return start..<place
            }
            place += 1
            let start = place
            if trustsQuotes, let close = text.place(of: quote, from: place) {
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

/// The attributes of one tag, at most 16; valid during the call that passes them.
struct HTMLAttributes {
    let text: UnsafeRawBufferPointer
    fileprivate(set) var fields: [(name: Range<Int>, value: Range<Int>)] = []

    /// Maximum bytes of a value; a longer one, such as a picture in a `data:` URL, counts as missing.
    private static let longestValue = 4 << 10

    init(text: UnsafeRawBufferPointer) { self.text = text }

    /// The value of an attribute by its name in lower case, with references resolved; nil if there is none.
    func value(named name: StaticString) -> String? {
        let field = fields.first { ElementText(trimming: UnsafeRawBufferPointer(rebasing: text[$0.name])).equals(name) }
        guard let field, field.value.count <= Self.longestValue else { return nil }
        var value = ""
        var rest = text[field.value]
        while let place = rest.firstIndex(of: .ampersand) {
            value += String(utf8: rest[..<place])
            let reference = HTMLReference(in: UnsafeRawBufferPointer(rebasing: rest[place...]))
            value += reference?.text ?? "&"
            rest = rest[(place + (reference?.length ?? 1))...]
        }
        return value + String(utf8: rest)
    }
}
