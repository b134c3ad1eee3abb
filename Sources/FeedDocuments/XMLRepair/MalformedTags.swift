internal import Glibc
internal import PodcastModel

// Malformed start tags, of which the probable meaning is written.
extension MarkupRepair {
    private enum Outcome {
        case tag(Bytes)
        /// The `<` does not begin a tag, but is text.
        case text
        /// More bytes are needed.
        case unfinished
        case endless
    }

    /// What is known of the tag that is being written.
    private struct TagDraft {
        var nameLength = 0
        var attributes = 0
        var isEmpty = false
        /// The number of namespaces that the tag declares, including the default namespace.
        var namespaces = 0
        var hasDroppedNamespaces = false
    }

    mutating func rewrite(_ start: Bytes) -> Bytes {
        flush(to: start)
        let log = log
        let written = output.count
        var tag = TagDraft()
        let outcome = write(start, &tag)
        if case .tag(let next) = outcome, open.count < limits.depth {
            cursor = next
            // The name after the "<" as rewritten, because that is what the end tag must close.
            entered(Bytes(output.base) + written + 1, tag.nameLength, isEmpty: tag.isEmpty, namespaces: tag.namespaces)
            return next
        }
        output.truncate(to: written)
        self.log = log
        cursor = start
        switch outcome {
        case .unfinished: return unfinishedTag(start)
        case .text: return escapeLess(start)
        case .endless: return dropUnfinished(start)
        case .tag(let next): return dropTag(start, next, isEmpty: tag.isEmpty)
        }
    }

    private mutating func write(_ start: Bytes, _ tag: inout TagDraft) -> Outcome {
        let missing = isLast ? Outcome.endless : .unfinished
        guard let nameEnd = endOfAnyName(start + 1) else { return missing }
        tag.nameLength = nameEnd - start - 1
        // Text in angle brackets that cannot be a name is text, such as "<john@example.com>" and "<http://…>".
        guard tag.nameLength > 0, tag.nameLength <= limits.nameBytes else { return .text }
        guard nameEnd < end else { return missing }
        let follower = nameEnd.pointee
        guard
            follower.isBlank || follower == .greater || follower == .slash || follower == .less
                || follower == .quote || follower == .apostrophe
        else { return .text }
        if follower == .slash {
            guard nameEnd + 1 < end else { return missing }
            if !nameEnd[1].isBlank && nameEnd[1] != .greater { return .text }
        }
        output.append(.less)
        writeName(start + 1, nameEnd)
        var place = nameEnd
        while place < end {
            let byte = place.pointee
            if byte == .greater {
                output.append(.greater)
                return .tag(place + 1)
            }
            if byte == .slash {
                guard place + 1 < end else { break }
                if place[1] == .greater {
                    tag.isEmpty = true
                    output.append("/>")
                    return .tag(place + 2)
                }
                place += 1
            } else if byte == .less {
                // Without an attribute, "a <b c" is more likely than a tag without its end.
                guard tag.attributes > 0 || place == nameEnd else { return .text }
                log.add(place, "closed a tag that lacks its \">\"")
                output.append(.greater)
                return .tag(place)
            } else if byte.isBlank {
                place += 1
            } else {
                guard let next = writeAttribute(place, &tag) else { return missing }
                place = next
            }
        }
        return missing
    }

    /// Writes one attribute and skips other bytes. Returns where to continue; nil if more bytes are needed.
    private mutating func writeAttribute(_ start: Bytes, _ tag: inout TagDraft) -> Bytes? {
        guard let nameEnd = endOfAnyName(start) else { return nil }
        guard nameEnd > start else {
            log.add(start, "removed text within a tag that is not an attribute")
            return start + 1
        }
        var place = endOfBlanks(nameEnd)
        guard place < end else { return nil }
        guard place.pointee == .equals else {
            log.add(start, "removed an attribute without a value")
            return nameEnd
        }
        place = endOfBlanks(place + 1)
        guard place < end else { return nil }
        let quote = place.pointee
        let isQuoted = quote == .quote || quote == .apostrophe
        let valueStart = isQuoted ? place + 1 : place
        guard let valueEnd = isQuoted ? endOfQuoted(valueStart, quote) : endOfUnquoted(valueStart) else { return nil }
        if !isQuoted { log.add(place, "quoted an attribute's value") }
        let isClosed = isQuoted && valueEnd.pointee == quote
        if isQuoted && !isClosed { log.add(place, "closed an attribute's value that lacks its quote") }
        if writeAttributeName(start, nameEnd, &tag) { writeValue(valueStart, valueEnd) }
        let next = isClosed ? valueEnd + 1 : valueEnd
        if isClosed, next < end, next.pointee.isNameStart { log.add(next, "separated two attributes") }
        return next
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

    /// Returns false if the attribute is removed.
    private mutating func writeAttributeName(_ name: Bytes, _ nameEnd: Bytes, _ tag: inout TagDraft) -> Bool {
        tag.attributes += 1
        guard tag.attributes <= limits.attributes else {
            if tag.attributes == limits.attributes + 1 {
                log.add(name, "removed the attributes beyond \(limits.attributes)")
            }
            return false
        }
        let before = output.count
        output.append(.space)
        writeName(name, nameEnd)
        if declaresNamespace(name, nameEnd) {
            guard open.namespaces + tag.namespaces < limits.namespaces else {
                output.truncate(to: before)
                if !tag.hasDroppedNamespaces {
                    log.add(name, "removed namespace declarations beyond \(limits.namespaces)")
                }
                tag.hasDroppedNamespaces = true
                return false
            }
            tag.namespaces += 1
        }
        return true
    }

    private mutating func writeName(_ name: Bytes, _ nameEnd: Bytes) {
        if output.append(repairedName: name, nameEnd) { log.add(name, "replaced a colon in a name by an underscore") }
    }

    /// Writes a value in quotes, with the repairs of text.
    private mutating func writeValue(_ start: Bytes, _ valueEnd: Bytes) {
        output.append("=\"")
        let outer = (end, isLast)
        cursor = start
        end = valueEnd
        isLast = true
        var place = start
        while true {
            place = nextInValue(place, end, quote: .quote)
            guard place < end else { break }
            switch place.pointee {
            case .quote: place = replace(place, place + 1, with: "&quot;")
            case .less:
                log.add(place, "escaped a \"<\" in an attribute")
                place = replace(place, place + 1, with: "&lt;")
            case .ampersand: place = reference(place)
            case 0x80...: place = beyondASCII(place)
            default: place = control(place)
            }
        }
        flush(to: end)
        (end, isLast) = outer
        output.append(.quote)
    }

    /// The end of a name, which may contain non-ASCII letters; nil if it may continue in the next block.
    private func endOfAnyName(_ start: Bytes) -> Bytes? {
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
