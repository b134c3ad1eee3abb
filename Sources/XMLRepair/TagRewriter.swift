internal import Glibc

/// Parses a malformed start tag, and writes its probable meaning.
struct TagRewriter: ~Copyable {
    enum Outcome {
        /// A tag up to the address.
        case tag(Bytes)
        /// The `<` does not begin a tag, but is text.
        case text
        /// More bytes are needed.
        case unfinished
        case endless
    }

    private let end: Bytes
    private let isLast: Bool
    private let limits: XMLRepairLimits
    private let namespacesLeft: Int
    private var written = ByteBuffer(capacity: 256)
    private var attributes = 0
    private(set) var repairs: [(Bytes, String)] = []
    private(set) var repairsBeyondLimit = 0
    private(set) var nameLength = 0
    private(set) var isEmpty = false
    /// The entities of the document, with the remaining limit after the tag's references.
    private(set) var entities: DeclaredEntities
    /// The ranges of the attributes' names in `written`.
    private var names: [Range<Int>] = []
    private var hashes: Set<UInt64> = []
    /// The number of namespaces that the tag declares, including the default namespace.
    private(set) var namespaces = 0
    private var hasDroppedNamespaces = false
    /// The names of the attributes that declare namespaces.
    private(set) var declaredPrefixes: [UnsafeBufferPointer<UInt8>] = []

    init(end: Bytes, isLast: Bool, limits: XMLRepairLimits, namespacesLeft: Int, entities: DeclaredEntities) {
        self.namespacesLeft = namespacesLeft
        self.entities = entities
        self.end = end
        self.isLast = isLast
        self.limits = limits
    }

    var bytes: Bytes { Bytes(written.base) }
    var count: Int { written.count }

    private mutating func note(_ place: Bytes, _ message: String) {
        if repairs.count < limits.repairs { repairs.append((place, message)) } else { repairsBeyondLimit += 1 }
    }

    mutating func read(_ start: Bytes) -> Outcome {
        guard let nameEnd = endOfName(start + 1) else { return isLast ? .endless : .unfinished }
        nameLength = nameEnd - start - 1
        // Text in angle brackets that cannot be a name is text, such as "<john@example.com>" and "<http://…>".
        guard nameLength > 0, nameLength <= limits.nameBytes else { return .text }
        guard nameEnd < end else { return isLast ? .endless : .unfinished }
        let follower = nameEnd.pointee
        guard
            follower.isBlank || follower == .greater || follower == .slash || follower == .less
                || follower == .quote || follower == .apostrophe
        else { return .text }
        if follower == .slash {
            guard nameEnd + 1 < end else { return isLast ? .endless : .unfinished }
            if !nameEnd[1].isBlank && nameEnd[1] != .greater { return .text }
        }
        written.append(.less)
        appendName(start + 1, nameEnd)
        return readAttributes(nameEnd, start)
    }

    private mutating func readAttributes(_ nameEnd: Bytes, _ start: Bytes) -> Outcome {
        var place = nameEnd
        while place < end {
            let byte = place.pointee
            if byte == .greater {
                written.append(.greater)
                return .tag(place + 1)
            }
            if byte == .slash {
                guard place + 1 < end else { break }
                if place[1] == .greater {
                    isEmpty = true
                    written.append("/>")
                    return .tag(place + 2)
                }
                place += 1
                continue
            }
            if byte == .less {
                // Without an attribute, "a <b c" is more likely than a tag without its end.
                guard attributes > 0 || place == nameEnd else { return .text }
                note(place, "closed a tag that lacks its \">\"")
                written.append(.greater)
                return .tag(place)
            }
            if byte.isBlank {
                place += 1
                continue
            }
            switch readAttribute(place) {
            case .tag(let next): place = next
            case let other: return other
            }
        }
        return isLast ? .endless : .unfinished
    }

    /// Parses one attribute and skips other bytes. `.tag` contains where to continue.
    private mutating func readAttribute(_ start: Bytes) -> Outcome {
        guard let nameEnd = endOfName(start) else { return isLast ? .endless : .unfinished }
        guard nameEnd > start else {
            note(start, "removed text within a tag that is not an attribute")
            return .tag(start + 1)
        }
        var place = nameEnd
        while place < end, place.pointee.isBlank { place += 1 }
        guard place < end else { return isLast ? .endless : .unfinished }
        guard place.pointee == .equals else {
            note(start, "removed an attribute without a value")
            return .tag(nameEnd)
        }
        place += 1
        while place < end, place.pointee.isBlank { place += 1 }
        guard place < end else { return isLast ? .endless : .unfinished }
        let quote = place.pointee
        let isQuoted = quote == .quote || quote == .apostrophe
        let valueStart = isQuoted ? place + 1 : place
        guard let valueEnd = isQuoted ? endOfQuoted(valueStart, quote) : endOfUnquoted(valueStart) else {
            return isLast ? .endless : .unfinished
        }
        if !isQuoted { note(place, "quoted an attribute's value") }
        let isClosed = isQuoted && valueEnd.pointee == quote
        if isQuoted && !isClosed { note(place, "closed an attribute's value that lacks its quote") }
        append(start, nameEnd, valueStart, valueEnd)
        let next = isClosed ? valueEnd + 1 : valueEnd
        if isClosed, next < end, next.pointee.isNameStart { note(next, "separated two attributes") }
        return .tag(next)
    }

    /// The closing quote. Without one, the first `>` that is followed by a `<`: the value must have ended there.
    private func endOfQuoted(_ start: Bytes, _ quote: UInt8) -> Bytes? {
        var place = start
        var greater: Bytes?
        while place < end {
            let byte = place.pointee
            if byte == quote { return place }
            if byte == .greater && greater == nil { greater = place }
            if byte == .less, let greater { return greater }
            place += 1
        }
        return isLast ? greater : nil
    }

    private func endOfUnquoted(_ start: Bytes) -> Bytes? {
        var place = start
        while place < end {
            let byte = place.pointee
            if byte.isBlank || byte == .greater || byte == .less { return place }
            if byte == .slash && place + 1 < end && place[1] == .greater { return place }
            place += 1
        }
        return nil
    }

    private mutating func append(_ name: Bytes, _ nameEnd: Bytes, _ value: Bytes, _ valueEnd: Bytes) {
        attributes += 1
        guard attributes <= limits.attributes else {
            if attributes == limits.attributes + 1 {
                note(name, "removed the attributes beyond \(limits.attributes)")
            }
            return
        }
        let before = written.count
        written.append(.space)
        appendName(name, nameEnd)
        let range = (before + 1)..<written.count
        let hash = nameHash(Bytes(written.base) + range.lowerBound, Bytes(written.base) + range.upperBound)
        if !hashes.insert(hash).inserted, names.contains(where: { $0.count == range.count && isEqual($0, range) }) {
            written.truncate(to: before)
            return note(name, "removed a duplicate attribute")
        }
        if declaresNamespace(name, nameEnd) {
            guard namespaces < namespacesLeft else {
                written.truncate(to: before)
                if !hasDroppedNamespaces { note(name, "removed namespace declarations beyond \(limits.namespaces)") }
                hasDroppedNamespaces = true
                return
            }
            namespaces += 1
            if nameEnd - name > 6 { declaredPrefixes.append(UnsafeBufferPointer(start: name, count: nameEnd - name)) }
        }
        names.append(range)
        written.append("=\"")
        var place = value
        while place < valueEnd { place = appendCharacter(place, valueEnd) }
        written.append(.quote)
    }

    private func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        memcmp(written.base + left.lowerBound, written.base + right.lowerBound, left.count) == 0
    }

    private mutating func appendName(_ name: Bytes, _ nameEnd: Bytes) {
        if written.append(repairedName: name, nameEnd) { note(name, "replaced a colon in a name by an underscore") }
    }

    private mutating func appendCharacter(_ place: Bytes, _ valueEnd: Bytes) -> Bytes {
        switch place.pointee {
        case .quote: written.append("&quot;")
        case .less:
            note(place, "escaped a \"<\" in an attribute")
            written.append("&lt;")
        case .ampersand: return appendReference(place, valueEnd)
        case 0x80...: return appendBeyondASCII(place, valueEnd)
        case let byte where byte.isForbiddenControl:
            note(place, "removed a control character")
        case let byte: written.append(byte)
        }
        return place + 1
    }

    private mutating func appendReference(_ place: Bytes, _ valueEnd: Bytes) -> Bytes {
        let reference = readReference(place, valueEnd, isLast: true)
        if !entities.isEmpty, reference.mayBeDeclared,
            case .value(let value, let length) = entities.expand(place, valueEnd, isLast: true)
        {
            written.append(value)
            return place + length
        }
        switch reference {
        case .valid(let length):
            written.append(place, count: length)
            return place + length
        case .meaningless(let length):
            note(place, "removed a reference to an invalid character")
            return place + length
        case .replaced(let length, let first, let second, let isHTMLName):
            note(place, isHTMLName ? "replaced an HTML entity" : "fixed a character reference")
            written.append(escaping: first)
            if let second { written.append(escaping: second) }
            return place + length
        case .bare, .incomplete:
            note(place, "escaped a bare \"&\"")
            written.append("&amp;")
            return place + 1
        }
    }

    private mutating func appendBeyondASCII(_ place: Bytes, _ valueEnd: Bytes) -> Bytes {
        switch decodeCharacter(place, valueEnd) {
        case .valid(_, let length):
            written.append(place, count: length)
            return place + length
        case .forbidden(let scalar, let length):
            if let byte = UInt8(exactly: scalar.value) {
                note(place, "read a C1 control character as Windows-1252")
                written.append(escaping: Windows1252.scalar(of: byte))
            } else {
                note(place, "removed a noncharacter")
            }
            return place + length
        case .invalid, .incomplete:
            note(place, "read an invalid byte as Windows-1252")
            written.append(escaping: Windows1252.scalar(of: place.pointee))
            return place + 1
        }
    }

    /// The end of a name, which may contain non-ASCII letters; nil if it may continue in the next block.
    private func endOfName(_ start: Bytes) -> Bytes? {
        var place = start
        while place < end {
            let byte = place.pointee
            if byte < 0x80 {
                guard byte.isNameByte, place > start || byte.isNameStart else { return place }
                place += 1
                continue
            }
            switch decodeCharacter(place, end) {
            case .valid(let scalar, let length):
                guard place > start ? scalar.isNameBeyondASCII : scalar.isNameStartBeyondASCII else { return place }
                place += length
            case .forbidden, .invalid: return place
            case .incomplete: return isLast ? place : nil
            }
        }
        return isLast ? end : nil
    }
}
