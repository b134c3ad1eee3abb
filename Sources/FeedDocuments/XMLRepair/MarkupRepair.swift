internal import Glibc
internal import PodcastModel

/// The filter's second half: UTF-8 in, well-formed UTF-8 out.
///
/// `run` reads one block from front to back. Text without repairs is not copied: `cursor` is the first byte that was
/// read but not passed on, and only an edit copies these bytes to `output`. Text that may continue in the next block is
/// kept, and read again then.
struct MarkupRepair: ~Copyable {
    enum State {
        case prolog, content
        /// At the start of a CDATA section, and within it.
        case cdataStart, cdata
        /// Removed up to its end; `resumed` is the following state. `ignored` ends at the first `>`.
        case comment, instruction, ignored
        /// The root has ended, or there is none: the rest of the document is ignored.
        case done
    }

    /// The root element found so far.
    enum Root: Equatable {
        case missing, found
        /// The name of the first element, if no requested name was found.
        case foreign(String)
    }

    var state = State.prolog
    var resumed = State.prolog
    var root = Root.missing
    let roots: [String]
    let limits: XMLRepairLimits
    var log: RepairLog
    var open = OpenElements()
    /// Number of start tags removed because too many elements were open; the same number of end tags is removed.
    var overflow = 0
    var hasReportedJunk = false
    var isTruncated = false
    var junkBytes = 0
    var output = ByteBuffer(capacity: 1 << 10)
    var cursor: Bytes
    var end: Bytes
    var isLast = false
    /// True if the text at the returned place needs bytes after the end of the block.
    var isStalled = false
    /// True between markup and character data.
    var isAtBoundary = false
    /// True if the result of the last run is the content of a CDATA section.
    var isCharacterData = false

    init(roots: [String], limits: XMLRepairLimits) {
        self.roots = roots
        self.limits = limits
        log = RepairLog(limit: limits.repairs)
        cursor = Bytes(output.base)
        end = cursor
    }

    /// Reads a block up to a change between markup and character data. The result is `output`, followed by the bytes
    /// from `cursor` to the returned place.
    mutating func run(_ block: UnsafeRawBufferPointer, isLast: Bool) -> Bytes {
        let start = block.baseAddress!.assumingMemoryBound(to: UInt8.self)
        log.begin(at: start)
        cursor = start
        end = start + block.count
        self.isLast = isLast
        isStalled = false
        isAtBoundary = false
        isCharacterData = state == .cdata || state == .cdataStart
        var place = start
        while place < end && !isStalled && !isAtBoundary {
            switch state {
            case .prolog: place = prolog(place)
            case .content: place = content(place)
            case .cdataStart:
                place = drop(to: place + 9)
                state = .cdata
            case .cdata: place = content(place)
            case .comment: place = skip(place, to: "-->")
            case .instruction: place = skip(place, to: "?>")
            case .ignored: place = skip(place, to: ">")
            case .done: place = drop(to: end)
            }
        }
        log.advance(to: place)
        return place
    }

    // MARK: Output

    /// Copies the pending bytes before a place to `output`.
    mutating func flush(to place: Bytes) {
        if cursor < place { output.append(cursor, count: place - cursor) }
        cursor = place
    }

    /// Discards the pending bytes before a place.
    @discardableResult
    mutating func drop(to place: Bytes) -> Bytes {
        cursor = place
        return place
    }

    // These edits return the place after the edited bytes.

    mutating func replace(_ start: Bytes, _ next: Bytes, with text: StaticString) -> Bytes {
        flush(to: start)
        output.append(text)
        cursor = next
        return next
    }

    mutating func replace(_ start: Bytes, _ next: Bytes, with scalar: Unicode.Scalar) -> Bytes {
        flush(to: start)
        output.append(escaping: UTF8.encode(scalar)!)
        cursor = next
        return next
    }

    mutating func remove(_ start: Bytes, _ next: Bytes) -> Bytes {
        flush(to: start)
        cursor = next
        return next
    }

    mutating func stall(at place: Bytes) -> Bytes {
        isStalled = true
        return place
    }

    // MARK: Outside the root

    private mutating func prolog(_ start: Bytes) -> Bytes {
        var place = start
        while true {
            guard let less = find(.less, place, end) else {
                reportJunk(start, end)
                return drop(to: end)
            }
            reportJunk(start, less)
            place = drop(to: less)
            if let next = declarationOrComment(place, within: .prolog) { return next }
            guard place + 1 < end else { return isLast ? drop(to: end) : stall(at: place) }
            guard place[1].isNameStart || (roots.isEmpty && place[1] >= 0x80) else {
                place += 1
                continue
            }
            let nameEnd = nextBeyondName(place + 1, end)
            guard nameEnd < end else { return isLast ? drop(to: end) : stall(at: place) }
            if isRoot(place + 1, nameEnd) {
                root = .found
                state = .content
                return place
            }
            return foreignElement(place, nameEnd)
        }
    }

    private mutating func foreignElement(_ place: Bytes, _ nameEnd: Bytes) -> Bytes {
        let name = String(
            decoding: UnsafeBufferPointer(start: place + 1, count: min(nameEnd - place - 1, 64)), as: UTF8.self)
        if root == .missing { root = .foreign(name) }
        reportJunk(place, nameEnd)
        if name.lowercased() == "html" {
            root = .foreign(name)
            state = .done
        }
        return nameEnd
    }

    private mutating func reportJunk(_ start: Bytes, _ next: Bytes) {
        junkBytes += next - start
        if junkBytes > limits.leadingJunkBytes { state = .done }
        // The declarations of a DOCTYPE are skipped one by one, which leaves its end.
        guard !hasReportedJunk,
            let text = (start..<next).first(where: { !$0.pointee.isBlank && !"]>".utf8.contains($0.pointee) })
        else { return }
        hasReportedJunk = true
        log.add(text, "removed text before the document")
    }

    private func isRoot(_ start: Bytes, _ nameEnd: Bytes) -> Bool {
        if roots.isEmpty { return true }
        var local = start
        for place in start..<nameEnd where place.pointee == .colon { local = place + 1 }
        let name = UnsafeBufferPointer(start: local, count: nameEnd - local)
        return roots.contains { $0.utf8.elementsEqual(name.lazy.map(\.lowercased)) }
    }

    /// If a comment, an instruction or a DOCTYPE begins at a place, enters the state that removes it.
    /// - Returns: where to continue; nil if something else begins there.
    mutating func declarationOrComment(_ place: Bytes, within state: State) -> Bytes? {
        guard place.pointee == .less else { return nil }
        let declaration: StaticString = state == .content ? "<!DOCTYPE" : "<!"
        let kinds: [(StaticString, State)] = [("<!--", .comment), (declaration, .ignored), ("<?", .instruction)]
        for (opening, kind) in kinds {
            switch matches(place, opening) {
            case .no: continue
            case .unknown: return stall(at: place)
            case .yes:
                if kind == .instruction {
                    guard place + 2 < end else { return isLast ? nil : stall(at: place) }
                    if !place[2].isNameStart { return nil }
                    // The end of a declaration differs from the end of other instructions.
                    if matches(place + 2, "xml ") == .unknown { return stall(at: place) }
                }
                let next = remove(place, place + opening.utf8CodeUnitCount)
                resumed = state
                // An XML declaration ends at its first `>`, even without the question mark.
                self.state = kind == .instruction && matches(next, "xml ") == .yes ? .ignored : kind
                return next
            }
        }
        return nil
    }

    enum Match { case yes, no, unknown }

    /// Compares the text at a place with `text`, ignoring case.
    func matches(_ place: Bytes, _ text: StaticString) -> Match {
        let count = text.utf8CodeUnitCount
        // Most texts have the usual case.
        if end - place >= count, memcmp(place, text.utf8Start, count) == 0 { return .yes }
        for index in 0..<count {
            guard place + index < end else { return isLast ? .no : .unknown }
            if place[index].lowercased != text.utf8Start[index].lowercased { return .no }
        }
        return .yes
    }

    /// Removes everything up to an ending. The beginning of one at the end of the block is kept for the next one.
    private mutating func skip(_ start: Bytes, to ending: String) -> Bytes {
        if let found = UnsafeBufferPointer(start: start, count: end - start).firstRange(of: ending.utf8) {
            state = resumed
            return drop(to: start + found.upperBound)
        }
        return isLast ? drop(to: end) : stall(at: drop(to: max(start, end - ending.utf8.count + 1)))
    }
}
