/// The general entities that a document's own DOCTYPE declares with a value: XML 1.0 section 4.2.
///
/// Only values of plain text are accepted, without references to other entities and without markup, so that no value
/// includes another, and none opens an element. External entities (`SYSTEM`, `PUBLIC`) and parameter entities stay
/// unknown. `XMLRepairLimits` limits the number, the length, and the total expansion of entities.
struct DeclaredEntities {
    /// Values by name, escaped for text and attributes.
    private var values: [[UInt8]: [UInt8]] = [:]
    private let limit: Int
    /// Remaining bytes that references may expand to.
    private var bytesLeft: Int

    init(limits: XMLRepairLimits) {
        limit = limits.entities
        bytesLeft = limits.expandedBytes
    }

    var isEmpty: Bool { values.isEmpty }

    /// Adds a declaration, from its `<` to its `>`, if the value is text. The first declaration of a name counts.
    mutating func declare(_ declaration: [UInt8]) {
        guard values.count < limit else { return }
        declaration.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress,
                let (name, value) = EntityDeclaration.read(start, start + bytes.count),
                values[name] == nil, let text = escapedText(value)
            else { return }
            values[name] = text
        }
    }

    enum Lookup {
        /// The value of the entity, and the length of the reference in bytes.
        case value([UInt8], length: Int)
        case unknown
        /// May continue after the end of the block.
        case incomplete
    }

    /// Looks up a reference, and counts the expanded bytes.
    mutating func expand(_ place: Bytes, _ end: Bytes, isLast: Bool) -> Lookup {
        let name = place + 1
        var next = name
        while next < end, isEntityNameByte(next.pointee) {
            next += 1
            if next - name > EntityDeclaration.longestName { return .unknown }
        }
        guard next < end else { return isLast ? .unknown : .incomplete }
        guard next.pointee == UInt8(ascii: ";"),
            let value = values[Array(UnsafeBufferPointer(start: name, count: next - name))]
        else { return .unknown }
        guard value.count <= bytesLeft else { return .unknown }
        bytesLeft -= value.count
        return .value(value, length: next - place + 1)
    }
}

/// All non-ASCII bytes are valid here, because only declared names are found.
private func isEntityNameByte(_ byte: UInt8) -> Bool { byte.isNameByte || byte >= 0x80 }

/// Parses `<!ENTITY name "value">`: XML 1.0 section 4.2, GEDecl with a literal value.
private enum EntityDeclaration {
    static let longestName = 128

    /// The name, and the bytes between the quotes; nil for other declarations.
    static func read(_ start: Bytes, _ end: Bytes) -> (name: [UInt8], value: UnsafeBufferPointer<UInt8>)? {
        let opening: StaticString = "<!ENTITY"
        var place = start
        for index in 0..<opening.utf8CodeUnitCount {
            guard place < end, place.pointee == opening.utf8Start[index] else { return nil }
            place += 1
        }
        guard let name = afterBlanks(place, end), name.pointee.isNameStart || name.pointee >= 0x80 else { return nil }
        place = name
        while place < end, isEntityNameByte(place.pointee) { place += 1 }
        let length = place - name
        guard length <= longestName, let quote = afterBlanks(place, end),
            quote.pointee == .quote || quote.pointee == .apostrophe
        else { return nil }
        place = quote + 1
        while place < end, place.pointee != quote.pointee { place += 1 }
        guard place < end else { return nil }
        return (
            Array(UnsafeBufferPointer(start: name, count: length)),
            UnsafeBufferPointer(start: quote + 1, count: place - quote - 1)
        )
    }

    /// The first byte after white space; nil without white space.
    private static func afterBlanks(_ start: Bytes, _ end: Bytes) -> Bytes? {
        var place = start
        while place < end, place.pointee.isBlank { place += 1 }
        return place > start && place < end ? place : nil
    }
}

/// A literal as text of a document; nil if it contains markup, a reference to an entity, or invalid characters.
private func escapedText(_ literal: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard var place = literal.baseAddress else { return [] }
    let end = place + literal.count
    var text = ByteBuffer(capacity: literal.count + 16)
    while place < end {
        var length = 1
        switch place.pointee {
        case .less, UInt8(ascii: "%"): return nil
        case .greater: text.append("&gt;")
        case .quote: text.append("&quot;")
        case .ampersand:
            switch readReference(place, end, isLast: true) {
            case .valid(let size):
                length = size
                text.append(place, count: length)
            case .replaced(let size, let first, let second, _):
                length = size
                text.append(escaping: first)
                if let second { text.append(escaping: second) }
            case .bare, .meaningless, .incomplete: return nil
            }
        case 0x80...:
            guard case .valid(_, let size) = decodeCharacter(place, end) else { return nil }
            length = size
            text.append(place, count: length)
        case let byte:
            if byte.isForbiddenControl { return nil }
            text.append(byte)
        }
        place += length
    }
    return Array(text.bytes)
}
