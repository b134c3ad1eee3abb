internal import Glibc

// Tags that are well-formed are only looked at; the others are taken apart and written anew by `TagRewriter`.
extension MarkupRepair {
    /// The end of a name of ASCII bytes that begins at a place; nil when it may go on behind the block.
    func endOfName(_ start: Bytes) -> Bytes? {
        let place = nextBeyondName(start, end)
        return place < end ? place : nil
    }

    private func endOfBlanks(_ start: Bytes) -> Bytes {
        var place = start
        while place < end, place.pointee.isBlank { place += 1 }
        return place
    }

    /// Passes over a start tag, or has it written anew.
    mutating func startTag(_ start: Bytes) -> Bytes {
        let name = NameScan(start + 1, end)
        let nameEnd = name.end
        guard nameEnd < end else { return unfinishedTag(start) }
        guard name.isQualified else { return rewrite(start) }
        var place = nameEnd
        var attributes = 0
        var namespaces = 0
        var met = AttributeNames()
        // Mostly there are none, and then forgetting them costs more than asking.
        if !markable.isEmpty { markable.removeAll(keepingCapacity: true) }
        while place < end {
            let byte = place.pointee
            if byte == .greater {
                if nameEnd - start > limits.nameBytes { break }
                return opened(start, name, place + 1, isEmpty: false, namespaces: namespaces)
            }
            if byte == .slash {
                guard place + 1 < end else { return unfinishedTag(start) }
                guard place[1] == .greater, nameEnd - start <= limits.nameBytes else { break }
                return opened(start, name, place + 2, isEmpty: true, namespaces: namespaces)
            }
            let blanksEnd = endOfBlanks(place)
            guard blanksEnd < end else { return unfinishedTag(start) }
            if blanksEnd.pointee == .greater || blanksEnd.pointee == .slash {
                place = blanksEnd
                continue
            }
            guard blanksEnd > place, blanksEnd.pointee.isNameStart, attributes < limits.attributes else { break }
            let attribute = NameScan(blanksEnd, end)
            let attributeEnd = attribute.end
            guard attributeEnd + 1 < end else { return unfinishedTag(start) }
            let quote = attributeEnd[1]
            guard attributeEnd.pointee == .equals, quote == .quote || quote == .apostrophe, attribute.isQualified,
                !met.mayHold(blanksEnd, attributeEnd) || !isRepeated(blanksEnd, attributeEnd, behind: nameEnd, &met)
            else { break }
            let marked = markable.count
            switch cleanValue(attributeEnd + 2, quote) {
            case .clean(let next): place = next
            case .dirty: return rewrite(start)
            case .unfinished: return unfinishedTag(start)
            }
            if blanksEnd.pointee == UInt8(ascii: "x") {
                if declaresNamespace(blanksEnd, attributeEnd) {
                    guard open.namespaces + namespaces < limits.namespaces else { break }
                    namespaces += 1
                    declare(blanksEnd, attributeEnd)
                }
                markable.removeLast(markable.count - marked)
            }
            attributes += 1
        }
        return place < end ? rewrite(start) : unfinishedTag(start)
    }

    /// Whether one of the well-formed attributes before an attribute has its name. Each of them is hashed once, so the work
    /// for a tag is linear in its attributes unless their hashes collide.
    private func isRepeated(
        _ name: Bytes, _ nameEnd: Bytes, behind first: Bytes, _ met: inout AttributeNames
    ) -> Bool {
        var place = met.hashedUpTo ?? endOfBlanks(first)
        while place < name {
            let end = nextBeyondName(place, nameEnd)
            met.hashes.insert(nameHash(place, end))
            guard let close = memchr(end + 2, Int32(end[1]), name - end - 2) else { break }
            place = endOfBlanks(Bytes(close.assumingMemoryBound(to: UInt8.self)) + 1)
        }
        met.hashedUpTo = place
        return met.hashes.contains(nameHash(name, nameEnd)) && isSame(name, nameEnd, asOneBehind: first)
    }

    /// Compares a name with those of the attributes before it.
    private func isSame(_ name: Bytes, _ nameEnd: Bytes, asOneBehind first: Bytes) -> Bool {
        var place = endOfBlanks(first)
        while place < name {
            let end = nextBeyondName(place, nameEnd)
            if end - place == nameEnd - name, memcmp(place, name, end - place) == 0 { return true }
            guard let close = memchr(end + 2, Int32(end[1]), name - end - 2) else { return false }
            place = endOfBlanks(Bytes(close.assumingMemoryBound(to: UInt8.self)) + 1)
        }
        return false
    }

    private enum Value {
        /// Well-formed; behind the closing quote.
        case clean(Bytes)
        case dirty
        case unfinished
    }

    private mutating func cleanValue(_ start: Bytes, _ quote: UInt8) -> Value {
        var place = start
        while true {
            place = nextInValue(place, end, quote: quote)
            guard place < end else { return .unfinished }
            switch place.pointee {
            case quote: return .clean(place + 1)
            case .ampersand:
                switch readReference(place, end, isLast: isLast) {
                case .valid(let length):
                    if ampersands == .marked, isAmpersand(place, length) { markable.append(place) }
                    place += length
                case .incomplete: return .unfinished
                case .replaced, .meaningless, .bare: return .dirty
                }
            case 0x80...:
                switch decodeCharacter(place, end) {
                case .valid(_, let length): place += length
                case .incomplete: return .unfinished
                case .forbidden, .invalid: return .dirty
                }
            case .carriageReturn: place += 1
            default: return .dirty
            }
        }
    }

    /// Whether a reference of so many bytes is `&amp;`; no other that XML knows begins and ends so.
    private func isAmpersand(_ place: Bytes, _ length: Int) -> Bool {
        length == 5 && place[1] == UInt8(ascii: "a") && place[3] == UInt8(ascii: "p")
    }

    /// A tag that the block does not end: its end may come, or never, or too late.
    private mutating func unfinishedTag(_ start: Bytes) -> Bytes {
        if isLast { return rewrite(start) }
        guard end - start > limits.tagBytes else { return stall(at: start) }
        log.note(start, "removed a tag longer than \(limits.tagBytes) bytes")
        remove(start, end)
        if open.count == 0 { root = .missing }
        resumed = open.count == 0 ? .prolog : .content
        state = .oversizedTag
        return end
    }

    private mutating func rewrite(_ start: Bytes) -> Bytes {
        var rewriter = TagRewriter(
            end: end, isLast: isLast, limits: limits, namespacesLeft: limits.namespaces - open.namespaces,
            entities: entities)
        switch rewriter.read(start) {
        case .unfinished: return unfinishedTag(start)
        case .text: return escapeLess(start)
        case .endless: return dropUnfinished(start)
        case .tag(let next):
            if open.count >= limits.depth {
                dropTag(start, next, isEmpty: rewriter.isEmpty)
                return next
            }
            for prefix in rewriter.declaredPrefixes { declare(prefix.baseAddress!, prefix.baseAddress! + prefix.count) }
            checkPrefix(start, prefixColon(start + 1, start + 1 + rewriter.nameLength))
            for (place, message) in rewriter.repairs { log.note(place, message) }
            log.add(uncounted: rewriter.repairsBeyondLimit)
            entities = rewriter.entities
            flush(to: start)
            output.append(rewriter.bytes, count: rewriter.count)
            cursor = next
            // Behind the "<", and as it was written: an end tag is to close that.
            entered(
                rewriter.bytes + 1, rewriter.nameLength, isEmpty: rewriter.isEmpty, namespaces: rewriter.namespaces)
            return next
        }
    }

    /// A well-formed start tag was read.
    private mutating func opened(
        _ start: Bytes, _ name: NameScan, _ next: Bytes, isEmpty: Bool, namespaces: Int
    ) -> Bytes {
        if open.count >= limits.depth {
            dropTag(start, next, isEmpty: isEmpty)
            return next
        }
        checkPrefix(start, name.colon)
        for place in markable { replace(place, place + 5, with: "\u{7F}") }
        entered(start + 1, name.end - start - 1, isEmpty: isEmpty, namespaces: namespaces)
        return next
    }

    private mutating func entered(_ name: Bytes, _ length: Int, isEmpty: Bool, namespaces: Int) {
        if !isEmpty {
            open.push(name, length, namespaces: namespaces)
        } else if open.count == 0 {
            state = .epilog
        }
    }

    /// Drops a tag that would nest too deeply, and remembers that its end tag goes too.
    private mutating func dropTag(_ start: Bytes, _ next: Bytes, isEmpty: Bool) {
        if !isEmpty { overflow += 1 }
        log.note(start, "removed a tag nested deeper than \(limits.depth)")
        remove(start, next)
    }

    // MARK: Prefixes

    /// Remembers the prefix that an attribute declares. Where it holds is left to libxml2: a prefix that is declared
    /// anywhere is no mistake worth telling.
    private mutating func declare(_ start: Bytes, _ nameEnd: Bytes) {
        guard nameEnd - start > 6, memcmp(start, "xmlns:", 6) == 0 else { return }
        let key = nameHash(start + 6, nameEnd)
        if !prefixes.contains(key), prefixes.count < 64 { prefixes.append(key) }
    }

    private mutating func checkPrefix(_ tag: Bytes, _ colon: Bytes?) {
        let start = tag + 1
        guard let colon, !lastPrefix.matches(start, end) else { return }
        let key = nameHash(start, colon)
        lastPrefix = PrefixMemo(start, colon, end)
        if prefixes.contains(key) { return }
        guard prefixes.count < 64 else { return }
        prefixes.append(key)
        let prefix = UnsafeBufferPointer(start: start, count: min(colon - start, 40))
        log.note(tag, "the prefix \"\(String(decoding: prefix, as: UTF8.self))\" was never declared")
    }

    // MARK: End tags

    /// Passes over an end tag that closes the innermost element, or finds out what it was meant to close.
    mutating func endTag(_ start: Bytes) -> Bytes {
        let length = open.innermostLength
        if overflow == 0, end - start > length + 2, start[length + 2] == .greater,
            open.innermostIs(start + 2, length), length > 0
        {
            open.pop()
            if open.count == 0 { state = .epilog }
            return start + length + 3
        }
        let nameStart = endOfBlanks(start + 2)
        var nameEnd = nameStart
        while nameEnd < end, nameEnd.pointee.isNameByte || nameEnd.pointee >= 0x80 { nameEnd += 1 }
        var next = nameEnd
        while next < end, next.pointee != .greater, next.pointee != .less { next += 1 }
        guard next < end else {
            if !isLast { return unfinishedTag(start) }
            return dropUnfinished(start)
        }
        if endOfBlanks(nameEnd) < next { log.note(start, "removed what follows the name in an end tag") }
        if next.pointee == .greater { next += 1 } else { log.note(start, "closed an end tag that lacks its \">\"") }
        var mended = ByteBuffer(capacity: 64)
        if mended.append(mendedName: nameStart, nameEnd) {
            close(start, Bytes(mended.base), mended.count, next)
        } else {
            close(start, nameStart, nameEnd - nameStart, next)
        }
        return next
    }

    /// Repairs after which nobody's spelling is guessed at any more: comparing names is the only slow thing here.
    private static let guesses = 1000

    private mutating func close(_ start: Bytes, _ name: Bytes, _ length: Int, _ next: Bytes) {
        if overflow > 0 {
            overflow -= 1
            return remove(start, next)
        }
        let shown = String(decoding: UnsafeBufferPointer(start: name, count: min(length, 40)), as: UTF8.self)
        if let index = open.lastIndex(of: name, length) {
            flush(to: start)
            cursor = next
            while open.count > index + 1 {
                let inner = String(decoding: open.name(open.count - 1).prefix(40), as: UTF8.self)
                log.note(start, "closed <\(inner)>, which </\(shown)> left open")
                closeInnermost()
            }
            closeInnermost()
        } else if log.countOfPlaced < Self.guesses, open.innermostResembles(name, length) {
            let meant = String(decoding: open.name(open.count - 1).prefix(40), as: UTF8.self)
            log.note(start, "took </\(shown)> for </\(meant)>")
            flush(to: start)
            cursor = next
            closeInnermost()
        } else {
            log.note(start, "removed </\(shown)>, which closes nothing")
            remove(start, next)
        }
        if open.count == 0 { state = .epilog }
    }

    /// Writes the end tag of the innermost element.
    mutating func closeInnermost() {
        let name = open.name(open.count - 1)
        output.append("</")
        output.append(name.baseAddress!, count: name.count)
        output.append(.greater)
        open.pop()
    }
}

/// A filter for names that a tag has already: most tags have no attribute twice, and need no comparison to show it.
struct AttributeNames {
    private var marks: UInt64 = 0
    /// Hashes of the names before `hashedUpTo`; the filter fills up after some tens of attributes.
    var hashes: Set<UInt64> = []
    var hashedUpTo: Bytes?

    /// Whether a name may have been met before; from now on it has been.
    @inline(__always)
    mutating func mayHold(_ name: Bytes, _ nameEnd: Bytes) -> Bool {
        let hash = UInt64(name.pointee) &+ UInt64(nameEnd[-1]) &* 5 &+ UInt64(nameEnd - name) &* 11
        let mark: UInt64 = 1 &<< hash
        defer { marks |= mark }
        return marks & mark != 0
    }
}

/// Recognises one prefix by its first bytes: mostly it is that of the element before.
struct PrefixMemo {
    private var word: UInt64 = 0
    private var mask: UInt64 = 0

    /// None.
    init() {}

    /// The prefix before a colon, if it is short and not at the end of the block.
    init(_ start: Bytes, _ colon: Bytes, _ end: Bytes) {
        guard colon - start < 8, end - start >= 8 else { return }
        mask = .max >> UInt64(56 - 8 * (colon - start))
        word = Self.load(start) & mask
    }

    /// Whether that prefix and its colon stand at a place.
    func matches(_ start: Bytes, _ end: Bytes) -> Bool {
        mask != 0 && end - start >= 8 && Self.load(start) & mask == word
    }

    private static func load(_ place: Bytes) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
    }
}
