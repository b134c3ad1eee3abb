/// HTML of any form as plain tags, references and placeholders for text, in portions for libxml2.
///
///     <p>A long introduction, &amp; more of its kind.</p>        the HTML
///     <p>␡␡&amp; ␡␡</p>                                       `bytes`, with two texts in `runs`
///
/// `PlainHTML` decides what is a tag and what is text, because libxml2 loses text after a stray end tag and after
/// `</html>`, and takes quadratic time for the attributes of a tag. libxml2 decides which element ends another, and
/// resolves references. `TextRuns` explains the placeholders.
///
/// Only comments, declarations, instructions, scripts and style sheets are removed, if they have an end.
@safe struct PlainHTML: ~Copyable {
    /// The portion that `read` made.
    private(set) var bytes: [UInt8] = []
    /// The texts that placeholders of all portions replace, in order.
    private(set) var runs: [UnsafeRawBufferPointer] = unsafe []
    private(set) var isAtEnd = false

    private let text: UnsafeRawBufferPointer
    private var place = 0
    /// The next `<`, so that it is not searched for again after each reference before it.
    private var nextTag = -1
    private var section = CharacterDataSection()
    private var ends: EndsOfHidden
    /// Bytes of text written since the last tag or reference.
    private var lead = 0
    /// True if something was written that opens an element. To libxml2, an end tag before that ends the document.
    private var hasContent = false
    private var trustsQuotes = true
    /// Number of start tags in this portion, each of which may open an element.
    private var starts = 0
    /// Number of start tags removed because too many elements are open; the same number of end tags is removed.
    private var overflow = 0

    /// Maximum text between the last tag or reference and a placeholder: libxml2 reports text in pieces of a thousand
    /// bytes, and must not split a placeholder.
    private static let longestLead = 64
    /// Bytes of the longest named reference.
    private static let longestReference = 40

    /// - Parameter text: UTF-8 without control characters; must stay valid while this is used.
    init(_ text: UnsafeRawBufferPointer) {
        unsafe self.text = unsafe text
        ends = unsafe EndsOfHidden(text)
        bytes.reserveCapacity(text.count)
    }

    /// Makes the next portion: the whole rest, or as much as cannot exceed the limit of open elements.
    /// - Parameter depth: open elements after the previous portions.
    mutating func read(depth: Int) {
        bytes.removeAll(keepingCapacity: true)
        starts = 0
        while unsafe place < text.count {
            switch unsafe text[place] {
            case .less: if !readMarkup(depth) { return }
            case .ampersand: readReference()
            default: readText()
            }
        }
        isAtEnd = true
    }

    // MARK: Markup

    /// Reads markup that begins with `<`. Returns false if the portion must end before it.
    private mutating func readMarkup(_ depth: Int) -> Bool {
        if let tag = unsafe PlainTag(in: text, at: place) {
            guard let isKept = decide(tag.name, isEnd: tag.isEnd, isEmpty: false, depth) else { return false }
            if isKept { unsafe bytes += text[place..<tag.end] }
            place = tag.end
            return true
        }
        if let end = ends.endOfUnseen(at: place) {
            place = end
        } else if unsafe text[place...].starts(with: CharacterDataSection.opening) {
            unsafe section.begin(in: text, at: place)
            place += CharacterDataSection.opening.count
        } else {
            return readLooseTag(depth)
        }
        return true
    }

    private mutating func readLooseTag(_ depth: Int) -> Bool {
        guard let tag = looseTag() else {
            bytes += Array("&lt;".utf8)
            (lead, hasContent) = (0, true)
            place += 1
            return true
        }
        if SpecialElement.document.contains(tag.name) {
            place = tag.end
        } else if tag.name == SpecialElement.script || tag.name == SpecialElement.style {
            let end = tag.isEnd || tag.isEmpty ? nil : ends.endTag(of: tag.name, from: tag.end)
            place = end ?? tag.end
        } else if !tag.isWritable {
            place = tag.end
        } else {
            let isEmpty = tag.isEmpty || SpecialElement.void.contains(tag.name)
            guard let isKept = decide(tag.name, isEnd: tag.isEnd, isEmpty: isEmpty, depth) else { return false }
            if isKept { tag.write(to: &bytes, isEmpty: isEmpty) }
            place = tag.end
        }
        return true
    }

    private mutating func looseTag() -> LooseTag? {
        guard place < ends.lastGreater else { return nil }
        do throws(LooseTag.Failure) {
            return unsafe try LooseTag(in: text, at: place, trustsQuotes: trustsQuotes)
        } catch {
            guard case .openQuote = error else { return nil }
            // From here on, because searching the rest of the text for the end of each tag takes quadratic time.
            trustsQuotes = false
            return unsafe try? LooseTag(in: text, at: place, trustsQuotes: false)
        }
    }

    /// True to write a tag; nil if that depends on how many elements this portion opens.
    private mutating func decide(_ name: UInt64, isEnd: Bool, isEmpty: Bool, _ depth: Int) -> Bool? {
        if isEnd {
            guard hasContent else { return false }
            if overflow > 0 {
                overflow -= 1
                return false
            }
        } else if depth + starts >= HTMLParser.depth, !isEmpty, !SpecialElement.knownVoid.contains(name) {
            if overflow == 0, !bytes.isEmpty { return nil }
            overflow += 1
            return false
        } else {
            starts += 1
            hasContent = true
        }
        lead = 0
        return true
    }

    // MARK: Text

    /// Reads an `&`. If it does not begin a reference it is escaped, because libxml2 loses it at the end of a text.
    private mutating func readReference() {
        let start = place + 1
        var end = start
        if unsafe start < text.count && text[start] == UInt8(ascii: "#") {
            end = start + 1
            if unsafe end < text.count && text[end] | 0x20 == UInt8(ascii: "x") { end += 1 }
            let digits = end
            while unsafe end < text.count, unsafe isDigit(text[end]) || (text[end] | 0x20) &- UInt8(ascii: "a") < 6 {
                end += 1
            }
            if end == digits { end = start }
        } else {
            let limit = unsafe min(text.count, start + Self.longestReference)
            while end < limit, unsafe isLetter(text[end]) || isDigit(text[end]) { end += 1 }
        }
        if end == start {
            bytes += Array("&amp;".utf8)
        } else {
            if unsafe end < text.count && text[end] == UInt8(ascii: ";") { end += 1 }
            unsafe bytes += text[place..<end]
        }
        place = end
        (lead, hasContent) = (0, true)
    }

    private mutating func readText() {
        if place == section.end {
            place += CharacterDataSection.closing.count
            return
        }
        if nextTag < place { nextTag = unsafe text.place(of: .less, from: place) ?? text.count }
        var end = nextTag
        if section.end > place { end = min(end, section.end) }
        end = unsafe UnsafeRawBufferPointer(rebasing: text[..<end]).place(of: .ampersand, from: place) ?? end
        replaceText(place..<end)
        place = end
    }

    /// Replaces a piece of text except its leading spaces, because text that is more than spaces opens a paragraph.
    private mutating func replaceText(_ piece: Range<Int>) {
        let start = unsafe text[piece].prefix(Self.longestLead).firstIndex { $0 > 0x20 }
        guard let start, piece.upperBound - start >= TextRuns.shortest else {
            unsafe bytes += text[piece]
            lead += piece.count
            if !hasContent { hasContent = unsafe text[piece].contains { $0 > 0x20 } }
            return
        }
        if lead > Self.longestLead {
            // An empty comment ends a piece of text.
            bytes += Array("<!---->".utf8)
            lead = 0
        }
        unsafe bytes += text[piece.lowerBound..<start]
        bytes += TextRuns.placeholder
        lead += start - piece.lowerBound + TextRuns.placeholder.count
        hasContent = true
        unsafe runs.append(UnsafeRawBufferPointer(rebasing: text[start..<piece.upperBound]))
    }
}

/// Text between `<![CDATA[` and `]]>`, from markup that was escaped twice; the delimiters are removed.
private struct CharacterDataSection {
    static let opening = "<![CDATA[".utf8
    static let closing = "]]>".utf8

    /// The end of the latest section; -1 for none.
    private(set) var end = -1

    /// Searches for the end, unless another section is open.
    mutating func begin(in text: UnsafeRawBufferPointer, at place: Int) {
        guard place > end else { return }
        end = place
        while let bracket = unsafe text.place(of: UInt8(ascii: "]"), from: end) {
            if unsafe text[bracket...].starts(with: Self.closing) {
                end = bracket
                return
            }
            end = bracket + 1
        }
        end = text.count
    }
}
