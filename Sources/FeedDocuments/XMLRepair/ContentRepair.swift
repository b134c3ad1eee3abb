internal import PodcastModel

// Text and CDATA.
extension MarkupRepair {
    mutating func content(_ start: Bytes) -> Bytes {
        var place = start
        while true {
            place = state == .cdata ? nextInCDATA(place, end) : nextInText(place, end)
            guard place < end else { return end }
            let next: Bytes
            switch place.pointee {
            case .less:
                next = markup(place)
                if state != .content { return next }
            case .ampersand: next = reference(place)
            case .closingBracket:
                let isSection = state == .cdata
                next = endOfSection(place)
                if isSection, state != .cdata { return next }
            case 0x80...: next = beyondASCII(place)
            default: next = control(place)
            }
            if isStalled { return next }
            place = next
        }
    }

    private mutating func endOfSection(_ place: Bytes) -> Bytes {
        switch matches(place, "]]>") {
        case .no: return place + 1
        case .unknown: return stall(at: place)
        case .yes where state == .cdata:
            state = .content
            isAtBoundary = true
            return remove(place, place + 3)
        case .yes:
            log.add(place, "escaped a \"]]>\" outside CDATA")
            return replace(place + 2, place + 3, with: "&gt;")
        }
    }

    /// Parses what a `<` begins.
    private mutating func markup(_ place: Bytes) -> Bytes {
        guard place + 1 < end else { return isLast ? dropUnfinished(place) : stall(at: place) }
        let byte = place[1]
        if byte.isNameStart || byte >= 0x80 { return startTag(place) }
        if byte == .slash { return endTag(place) }
        if byte == .exclamationMark {
            switch matches(place, "<![CDATA[") {
            case .yes:
                state = .cdataStart
                isAtBoundary = true
                return place
            case .unknown: return stall(at: place)
            case .no: break
            }
        }
        return declarationOrComment(place, within: .content) ?? escapeLess(place)
    }

    mutating func escapeLess(_ place: Bytes) -> Bytes {
        if open.count == 0 { return rejectRoot(place) }
        log.add(place, "escaped a \"<\" that does not begin a tag")
        return replace(place, place + 1, with: "&lt;")
    }

    /// The apparent root tag is not a tag: the search continues after it.
    mutating func rejectRoot(_ place: Bytes) -> Bytes {
        root = .missing
        state = .prolog
        return drop(to: place + 1)
    }

    /// The document ends within a tag, which is removed.
    mutating func dropUnfinished(_ place: Bytes) -> Bytes {
        isTruncated = true
        return remove(place, end)
    }

    mutating func reference(_ place: Bytes) -> Bytes {
        switch readReference(place, end, isLast: isLast) {
        case .valid(let length): return place + length
        case .incomplete: return stall(at: place)
        case .bare:
            log.add(place, "escaped a bare \"&\"")
            return replace(place, place + 1, with: "&amp;")
        case .meaningless(let length):
            log.add(place, "removed a reference to an invalid character")
            return remove(place, place + length)
        case .replaced(let length, let scalar, let isHTMLName):
            log.add(place, isHTMLName ? "replaced an HTML entity" : "fixed a character reference")
            return replace(place, place + length, with: scalar)
        }
    }

    mutating func control(_ place: Bytes) -> Bytes {
        guard place.pointee.isForbiddenControl else { return place + 1 }
        log.add(place, "removed a control character")
        return remove(place, place + 1)
    }

    /// Checks consecutive non-ASCII characters.
    mutating func beyondASCII(_ start: Bytes) -> Bytes {
        var place = start
        while place < end, place.pointee >= 0x80 {
            switch decodeCharacter(place, end) {
            case .valid(_, let length): place += length
            case .forbidden(let scalar, let length):
                if let byte = UInt8(exactly: scalar.value) {
                    log.add(place, "read a C1 control character as Windows-1252")
                    place = replace(place, place + length, with: Windows1252.scalar(of: byte))
                } else {
                    log.add(place, "removed a noncharacter")
                    place = remove(place, place + length)
                }
            case .incomplete where !isLast: return stall(at: place)
            case .invalid, .incomplete:
                log.add(place, "read an invalid byte as Windows-1252")
                place = replace(place, place + 1, with: Windows1252.scalar(of: place.pointee))
            }
        }
        return place
    }
}
