internal import Glibc
internal import PodcastModel

/// The state of the reader within a start tag.
private struct TagDraft {
    var nameEnd: Bytes
    var attributes = 0
    /// The number of namespaces that the tag declares, including the default namespace.
    var namespaces = 0
    var isEmpty = false
}

// Well-formed tags are only checked. Of the others the probable meaning is written.
extension MarkupRepair {
    private enum Outcome {
        case tag(Bytes)
        /// The `<` does not begin a tag, but is text.
        case text
        /// More bytes are needed.
        case unfinished
    }

    func endOfBlanks(_ start: Bytes) -> Bytes {
        var place = start
        while place < end, place.pointee.isBlank { place += 1 }
        return place
    }

    /// Reads a start tag, and edits its malformed parts.
    mutating func startTag(_ start: Bytes) -> Bytes {
        let written = output.count
        let pending = cursor
        let logged = log.state
        var tag = TagDraft(nameEnd: start)
        let outcome = read(start, &tag)
        if case .tag(let next) = outcome, open.count < limits.depth {
            if !tag.isEmpty { open.push(start + 1, tag.nameEnd - start - 1, namespaces: tag.namespaces) }
            endRoot(before: next)
            return next
        }
        output.truncate(to: written)
        cursor = pending
        log.undo(to: logged)
        switch outcome {
        case .unfinished: return unfinishedTag(start)
        case .text: return escapeLess(start)
        case .tag(let next):
            if !tag.isEmpty { overflow += 1 }
            log.add(start, "removed a tag nested deeper than \(limits.depth)")
            return remove(start, next)
        }
    }

    private mutating func read(_ start: Bytes, _ tag: inout TagDraft) -> Outcome {
        guard let nameEnd = endOfName(start + 1) else { return .unfinished }
        tag.nameEnd = nameEnd
        // Text in angle brackets that cannot be a name is text, such as "<john@example.com>" and "<http://…>".
        guard nameEnd > start + 1, nameEnd - start <= limits.nameBytes else { return .text }
        guard nameEnd < end else { return .unfinished }
        switch nameEnd.pointee {
        case .greater, .less, .space, .newline, .tab, .carriageReturn: break
        case .slash:
            guard nameEnd + 1 < end else { return .unfinished }
            if !nameEnd[1].isBlank && nameEnd[1] != .greater { return .text }
        default: return .text
        }
        var place = nameEnd
        while place < end {
            switch place.pointee {
            case .greater: return .tag(place + 1)
            case .space, .newline, .tab, .carriageReturn: place += 1
            case .slash:
                guard place + 1 < end else { return .unfinished }
                if place[1] == .greater {
                    tag.isEmpty = true
                    return .tag(place + 2)
                }
                place = removeNoAttribute(place)
            case .less:
                // Without an attribute, "a <b c" is more likely than a tag without its end.
                guard tag.attributes > 0 || place == nameEnd else { return .text }
                log.add(place, "closed a tag that lacks its \">\"")
                flush(to: place)
                output.append(.greater)
                return .tag(place)
            default:
                guard let next = readAttribute(place, &tag) else { return .unfinished }
                place = next
            }
        }
        return .unfinished
    }

    private mutating func removeNoAttribute(_ place: Bytes) -> Bytes {
        log.add(place, "removed text within a tag that is not an attribute")
        return remove(place, place + 1)
    }

    /// Reads one attribute. Returns where to continue; nil if more bytes are needed.
    private mutating func readAttribute(_ start: Bytes, _ tag: inout TagDraft) -> Bytes? {
        guard let nameEnd = endOfName(start) else { return nil }
        guard nameEnd > start else { return removeNoAttribute(start) }
        var place = endOfBlanks(nameEnd)
        guard place < end else { return nil }
        guard place.pointee == .equals else {
            log.add(start, "removed an attribute without a value")
            return remove(start, nameEnd)
        }
        place = endOfBlanks(place + 1)
        guard place < end else { return nil }
        let written = output.count
        let pending = cursor
        if !start[-1].isBlank {
            log.add(start, "separated two attributes")
            flush(to: start)
            output.append(.space)
        }
        guard let next = readValue(place) else { return nil }
        func drop() -> Bytes {
            output.truncate(to: written)
            cursor = pending
            return remove(start, next)
        }
        tag.attributes += 1
        guard tag.attributes <= limits.attributes else {
            if tag.attributes == limits.attributes + 1 {
                log.add(start, "removed the attributes beyond \(limits.attributes)")
            }
            return drop()
        }
        guard start.pointee == UInt8(ascii: "x"), declaresNamespace(start, nameEnd) else { return next }
        guard open.namespaces + tag.namespaces < limits.namespaces else {
            log.add(start, "removed a namespace declaration beyond \(limits.namespaces)")
            return drop()
        }
        tag.namespaces += 1
        return next
    }

    /// True for `xmlns` and `xmlns:prefix`.
    private func declaresNamespace(_ name: Bytes, _ nameEnd: Bytes) -> Bool {
        nameEnd - name >= 5 && memcmp(name, "xmlns", 5) == 0 && (nameEnd - name == 5 || name[5] == .colon)
    }

    /// Reads a value with its quotes, or quotes it. Returns where to continue; nil if more bytes are needed.
    private mutating func readValue(_ start: Bytes) -> Bytes? {
        if start.pointee == .quote || start.pointee == .apostrophe {
            let close = repairValue(start + 1, quote: start.pointee)
            return close < end ? close + 1 : nil
        }
        var valueEnd = start
        while valueEnd < end, !valueEnd.pointee.isBlank, !"<>\"".utf8.contains(valueEnd.pointee) {
            if valueEnd.pointee == .slash, valueEnd + 1 < end, valueEnd[1] == .greater { break }
            valueEnd += 1
        }
        guard valueEnd < end else { return nil }
        log.add(start, "quoted an attribute's value")
        flush(to: start)
        output.append(.quote)
        let outer = (end, isLast)
        (end, isLast) = (valueEnd, true)
        _ = repairValue(start, quote: .quote)
        flush(to: end)
        (end, isLast) = outer
        output.append(.quote)
        return valueEnd
    }

    /// Repairs a value like text. Returns its closing quote; the end of the block if more bytes are needed.
    private mutating func repairValue(_ start: Bytes, quote: UInt8) -> Bytes {
        var place = start
        while !isStalled {
            place = nextInValue(place, end, quote: quote)
            guard place < end, place.pointee != quote else { return place }
            switch place.pointee {
            case .less:
                log.add(place, "escaped a \"<\" in an attribute")
                place = replace(place, place + 1, with: "&lt;")
            case .ampersand: place = reference(place)
            case 0x80...: place = beyondASCII(place)
            default: place = control(place)
            }
        }
        return end
    }

    /// The end of a name with at most one colon, because libxml2 stops at some names with more; nil if the name may continue in
    /// the next block.
    private func endOfName(_ start: Bytes) -> Bytes? {
        var place = nextBeyondName(start, end)
        if place < end, place.pointee < 0x80 { return start.pointee.isNameStart ? place : start }
        place = start
        var colons = 0
        while place < end {
            let byte = place.pointee
            if byte < 0x80 {
                if byte == .colon { colons += 1 }
                guard byte.isNameByte, place > start || byte.isNameStart, colons < 2 else { return place }
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

    /// Handles a tag that does not end in the block: its end may be in the next block, missing, or too far away.
    private mutating func unfinishedTag(_ start: Bytes) -> Bytes {
        if isLast { return dropUnfinished(start) }
        guard end - start > limits.tagBytes else { return stall(at: start) }
        log.add(start, "removed a tag longer than \(limits.tagBytes) bytes")
        if open.count == 0 { root = .missing }
        resumed = open.count == 0 ? .prolog : .content
        state = .ignored
        return remove(start, end)
    }

    // MARK: End tags

    /// Skips an end tag that closes the innermost element, or decides which element it was meant to close.
    mutating func endTag(_ start: Bytes) -> Bytes {
        let length = open.innermostLength
        if overflow == 0, end - start > length + 2, start[length + 2] == .greater,
            open.innermostIs(start + 2, length), length > 0
        {
            open.pop()
            endRoot(before: start + length + 3)
            return start + length + 3
        }
        let nameStart = endOfBlanks(start + 2)
        var nameEnd = nameStart
        while nameEnd < end, nameEnd.pointee.isNameByte || nameEnd.pointee >= 0x80 { nameEnd += 1 }
        var next = nameEnd
        while next < end, next.pointee != .greater, next.pointee != .less { next += 1 }
        guard next < end else { return unfinishedTag(start) }
        if endOfBlanks(nameEnd) < next || next.pointee == .less { log.add(start, "fixed an end tag") }
        if next.pointee == .greater { next += 1 }
        close(start, nameStart, nameEnd - nameStart, next)
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
        } else {
            log.add(start, "removed </\(shown)>, which does not close an element")
        }
        endRoot(before: next)
    }

    /// If no element is open, ends the document at a place.
    private mutating func endRoot(before next: Bytes) {
        guard open.count == 0 else { return }
        flush(to: next)
        state = .done
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
