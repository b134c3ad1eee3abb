internal import Glibc
internal import PodcastModel

// Well-formed tags are only checked; `rewrite` writes the others again.
extension MarkupRepair {
    func endOfBlanks(_ start: Bytes) -> Bytes {
        var place = start
        while place < end, place.pointee.isBlank { place += 1 }
        return place
    }

    /// Skips a well-formed start tag, or rewrites it.
    mutating func startTag(_ start: Bytes) -> Bytes {
        let name = NameScan(start + 1, end)
        let nameEnd = name.end
        guard nameEnd < end else { return unfinishedTag(start) }
        guard name.isQualified else { return rewrite(start) }
        var place = nameEnd
        var attributes = 0
        var namespaces = 0
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
            guard attributeEnd.pointee == .equals, quote == .quote || quote == .apostrophe, attribute.isQualified
            else { break }
            switch cleanValue(attributeEnd + 2, quote) {
            case .clean(let next): place = next
            case .dirty: return rewrite(start)
            case .unfinished: return unfinishedTag(start)
            }
            if blanksEnd.pointee == UInt8(ascii: "x"), declaresNamespace(blanksEnd, attributeEnd) {
                guard open.namespaces + namespaces < limits.namespaces else { break }
                namespaces += 1
            }
            attributes += 1
        }
        return place < end ? rewrite(start) : unfinishedTag(start)
    }

    private enum Value {
        /// Well-formed, with the place after the closing quote.
        case clean(Bytes)
        case dirty, unfinished
    }

    private func cleanValue(_ start: Bytes, _ quote: UInt8) -> Value {
        var place = start
        while true {
            place = nextInValue(place, end, quote: quote)
            guard place < end else { return .unfinished }
            switch place.pointee {
            case quote: return .clean(place + 1)
            case .ampersand:
                switch readReference(place, end, isLast: isLast) {
                case .valid(let length): place += length
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

    /// Handles a tag that does not end in the block: its end may be in the next block, missing, or too far away.
    mutating func unfinishedTag(_ start: Bytes) -> Bytes {
        if isLast { return rewrite(start) }
        guard end - start > limits.tagBytes else { return stall(at: start) }
        log.add(start, "removed a tag longer than \(limits.tagBytes) bytes")
        if open.count == 0 { root = .missing }
        resumed = open.count == 0 ? .prolog : .content
        state = .oversizedTag
        return remove(start, end)
    }

    private mutating func opened(
        _ start: Bytes, _ name: NameScan, _ next: Bytes, isEmpty: Bool, namespaces: Int
    ) -> Bytes {
        if open.count >= limits.depth { return dropTag(start, next, isEmpty: isEmpty) }
        entered(start + 1, name.end - start - 1, isEmpty: isEmpty, namespaces: namespaces)
        return next
    }

    mutating func entered(_ name: Bytes, _ length: Int, isEmpty: Bool, namespaces: Int) {
        if !isEmpty {
            open.push(name, length, namespaces: namespaces)
        } else if open.count == 0 {
            state = .epilog
        }
    }

    /// Removes a tag that is nested too deeply, and later its end tag.
    mutating func dropTag(_ start: Bytes, _ next: Bytes, isEmpty: Bool) -> Bytes {
        if !isEmpty { overflow += 1 }
        log.add(start, "removed a tag nested deeper than \(limits.depth)")
        return remove(start, next)
    }

    // MARK: End tags

    /// Skips an end tag that closes the innermost element, or decides which element it was meant to close.
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
        guard next < end else { return isLast ? dropUnfinished(start) : unfinishedTag(start) }
        if endOfBlanks(nameEnd) < next { log.add(start, "removed what follows the name in an end tag") }
        if next.pointee == .greater { next += 1 } else { log.add(start, "closed an end tag that lacks its \">\"") }
        var repaired = ByteBuffer(capacity: 64)
        if repaired.append(repairedName: nameStart, nameEnd) {
            close(start, Bytes(repaired.base), repaired.count, next)
        } else {
            close(start, nameStart, nameEnd - nameStart, next)
        }
        return next
    }

    private mutating func close(_ start: Bytes, _ name: Bytes, _ length: Int, _ next: Bytes) {
        _ = remove(start, next)
        if overflow > 0 {
            overflow -= 1
            return
        }
        let shown = String(utf8: UnsafeBufferPointer(start: name, count: min(length, 40)))
        if let index = open.lastIndex(of: name, length) {
            while open.count > index + 1 {
                log.add(start, "closed <\(open.shownName(open.count - 1))>, which </\(shown)> left open")
                closeInnermost()
            }
            closeInnermost()
        } else if open.innermostIsInOtherCase(name, length) {
            log.add(start, "took </\(shown)> for </\(open.shownName(open.count - 1))>")
            closeInnermost()
        } else {
            log.add(start, "removed </\(shown)>, which does not close an element")
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
