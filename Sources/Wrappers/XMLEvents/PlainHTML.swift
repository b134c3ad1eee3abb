/// HTML of any form as plain tags, references and marks for text, in portions for libxml2.
///
///     <p>A long introduction, &amp; more of its kind.</p>        as it was written
///     <p>␡␡&amp; ␡␡</p>                                       `bytes`, with the two runs in `runs`
///
/// What is a tag and what is text is decided here and not by libxml2, which loses text after a stray end tag and after `</html>`,
/// and whose work for a tag grows with the square of its attributes. What is left for it is which element ends another, and
/// the references. It takes some 75 instructions for each character of text, only to hand it on as it is, so longer runs of text
/// stay out, and `HTMLParser` hands them on where the marks come out.
///
/// No text is left out but for comments, declarations, instructions, scripts and style sheets. What never ends is text, too.
@safe struct PlainHTML: ~Copyable {
    /// A mark is two of these in a row: no text holds them (`TextWithoutControls`), and one that a reference stands for comes
    /// from libxml2 by itself.
    static let mark: UInt8 = 0x7F
    static let markLength = 2

    /// The portion that `read` made.
    private(set) var bytes: [UInt8] = []
    /// The text that the marks of all portions stand for, in order.
    private(set) var runs: [UnsafeRawBufferPointer] = unsafe []
    /// Everything was read.
    private(set) var isAtEnd = false

    private let text: UnsafeRawBufferPointer
    private var place = 0
    /// The next `<`, once it was looked for: many references before it would each look through all that is between.
    private var nextTag = -1
    private var section = CharacterDataSection()
    private var ends: EndsOfHidden
    /// Bytes of text written since the last tag or reference.
    private var lead = 0
    /// Something was written that opens an element. libxml2 takes an end tag before that for the document's end.
    private var hasContent = false
    private var trustsQuotes = true
    /// Start tags in this portion, each of which may open an element.
    private var starts = 0
    /// Start tags that were left out because too many elements are open; as many end tags go with them.
    private var overflow = 0

    /// A shorter run costs more to leave out than to read.
    private static let shortestRun = 16
    /// The most text between the last tag or reference and a mark: libxml2 cuts text into pieces of a thousand bytes, and
    /// must not cut a mark.
    private static let longestLead = 64
    /// Bytes of a name that may be a reference's.
    private static let longestReference = 40

    /// - Parameter text: UTF-8 without control characters; it stays where it is as long as this is used.
    init(_ text: UnsafeRawBufferPointer) {
        unsafe self.text = unsafe text
        ends = unsafe EndsOfHidden(text)
        bytes.reserveCapacity(text.count)
    }

    /// Makes the next portion: all that is left, or as much as certainly opens no more elements than may be open.
    ///
    /// - Parameter depth: elements that are open after the portions before.
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

    /// Passes what a `<` begins. Returns false when a portion must end before it.
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
            // From here on: looking for the end of each tag up to the end of the text would take quadratic time.
            trustsQuotes = false
            return unsafe try? LooseTag(in: text, at: place, trustsQuotes: false)
        }
    }

    /// Whether a tag is written; nil when that depends on how many elements this portion opens.
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

    /// Passes an `&`. What begins no reference is escaped: at the end of a text libxml2 loses it.
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
        leaveOut(place..<end)
        place = end
    }

    /// Leaves a piece of text out, but for the blanks it begins with: whether there is more than blanks matters, since
    /// words open a paragraph.
    private mutating func leaveOut(_ piece: Range<Int>) {
        let start = unsafe text[piece].prefix(Self.longestLead).firstIndex { $0 > 0x20 }
        guard let start, piece.upperBound - start >= Self.shortestRun else {
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
        bytes += [Self.mark, Self.mark]
        lead += start - piece.lowerBound + Self.markLength
        hasContent = true
        unsafe runs.append(UnsafeRawBufferPointer(rebasing: text[start..<piece.upperBound]))
    }
}

/// Text in `<![CDATA[` and `]]>`, as it comes where markup was escaped twice; the delimiters are left out.
private struct CharacterDataSection {
    static let opening = "<![CDATA[".utf8
    static let closing = "]]>".utf8

    /// Where the section that was opened last closes; -1 for none.
    private(set) var end = -1

    /// Looks for the end, unless another section is open: then it is known.
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
