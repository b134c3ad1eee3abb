internal import PodcastModel

/// Receives the elements and text of HTML, during `HTMLReader.read`.
protocol HTMLEventHandler: AnyObject {
    func startElement(_ element: HTMLElement, attributes: HTMLAttributes)
    /// Text, in pieces of any length: UTF-8, references resolved, whole characters, valid during the call.
    func characters(_ text: UnsafeRawBufferPointer)
    /// Called once for each element, the innermost first, also without an end tag, as for `<br>`.
    func endElement(_ element: HTMLElement)
}

/// Reads HTML of any form in linear time, and loses no text: what does not look like a tag is text.
///
/// Comments, declarations, instructions, scripts and style sheets are removed, if they have an end. Tags of `html`,
/// `head` and `body` are ignored.
struct HTMLReader: ~Copyable {
    /// Maximum bytes of a text; further bytes are ignored.
    static let textBytes = 1 << 20
    /// Maximum open elements; deeper tags are ignored.
    static let depth = 256

    private let text: UnsafeRawBufferPointer
    private let handler: any HTMLEventHandler
    /// True if only HTML's elements are tags: a title may mention `Array<Int>`, `<?php` and the `<video>` tag.
    private let isTitle: Bool
    private var place = 0
    /// The next `<`, so that it is not searched for again after each reference before it.
    private var nextTag = -1
    /// The place of the last `>`, the last place where a tag can end; -1 for none.
    private let lastGreater: Int
    /// The end of the latest section of character data, whose delimiters are removed; -1 for none.
    private var sectionEnd = -1
    private var lacksCommentEnd = false
    /// The next end tag of each name that was searched for; `Int.max` for none.
    private var endTags: [HTMLName: Int] = [:]
    private var trustsQuotes = true
    private var open: [HTMLElement] = []
    /// Number of start tags ignored because too many elements are open; the same number of end tags is ignored.
    private var overflow = 0

    /// Reads a complete UTF-8 text.
    static func read(_ text: UnsafeRawBufferPointer, to handler: any HTMLEventHandler, isTitle: Bool = false) {
        var size = min(text.count, textBytes)
        while size < text.count, size > 0, text[size] & 0xC0 == 0x80 { size -= 1 }
        var reader = HTMLReader(UnsafeRawBufferPointer(rebasing: text[..<size]), handler, isTitle)
        reader.read()
    }

    private init(_ text: UnsafeRawBufferPointer, _ handler: any HTMLEventHandler, _ isTitle: Bool) {
        self.text = text
        self.handler = handler
        self.isTitle = isTitle
        lastGreater = text.lastIndex(of: .greater) ?? -1
    }

    private mutating func read() {
        while place < text.count {
            switch text[place] {
            case .less: readMarkup()
            case .ampersand: readReference()
            default: readText()
            }
        }
        closeElements(downTo: 0)
    }

    private mutating func pass(to end: Int) {
        handler.characters(UnsafeRawBufferPointer(rebasing: text[place..<end]))
        place = end
    }

    private mutating func readReference() {
        guard let reference = HTMLReference(in: UnsafeRawBufferPointer(rebasing: text[place...])) else {
            return pass(to: place + 1)
        }
        place += reference.length
        var characters = reference.text
        characters.withUTF8 { handler.characters(UnsafeRawBufferPointer($0)) }
    }

    private mutating func readText() {
        if place == sectionEnd {
            place += "]]>".utf8.count
            return
        }
        if nextTag < place { nextTag = text.place(of: .less, from: place) ?? text.count }
        let end = sectionEnd > place ? min(nextTag, sectionEnd) : nextTag
        pass(to: UnsafeRawBufferPointer(rebasing: text[..<end]).place(of: .ampersand, from: place) ?? end)
    }

    // MARK: Markup

    private mutating func readMarkup() {
        let next = place + 1 < text.count ? text[place + 1] : 0
        if next == .exclamationMark || next == .questionMark {
            if begins("<![cdata[") { return beginSection() }
            if let end = endOfHidden() {
                place = end
                return
            }
        } else if let tag = readTag() {
            place = tag.end
            return handle(tag)
        }
        pass(to: place + 1)
    }

    /// The place after a comment, a declaration or an instruction; nil for other text.
    private mutating func endOfHidden() -> Int? {
        if begins("<!--") { return endOfComment() }
        guard place < lastGreater, place + 2 < text.count, !isTitle || text[place + 1] == .exclamationMark,
            text[place + 2].isLetter || begins("<![")
        else { return nil }
        return text.place(of: .greater, from: place).map { $0 + 1 }
    }

    /// A comment ends with `-->` or `--!>`; `<!-->` is one: WHATWG HTML section 13.2.5.43. Without an end, skips the
    /// start.
    private mutating func endOfComment() -> Int {
        let content = place + 4
        var place = content
        while !lacksCommentEnd, let greater = text.place(of: .greater, from: place) {
            let isMarked = text[greater - 1] == .exclamationMark && greater > content + 2
            let last = isMarked ? greater - 1 : greater
            if last >= content, text[last - 1] == .dash, text[last - 2] == .dash {
                return greater + 1
            }
            place = greater + 1
        }
        lacksCommentEnd = true
        return content
    }

    /// Text between `<![CDATA[` and `]]>`, from markup that was escaped twice.
    private mutating func beginSection() {
        if place > sectionEnd {
            sectionEnd = place
            while sectionEnd < text.count, !text[sectionEnd...].starts(with: "]]>".utf8) {
                sectionEnd = text.place(of: .closingBracket, from: sectionEnd + 1) ?? text.count
            }
        }
        place += "<![CDATA[".utf8.count
    }

    private mutating func readTag() -> HTMLTag? {
        guard place < lastGreater else { return nil }
        let tag: HTMLTag?
        do throws(HTMLTag.Failure) {
            tag = try HTMLTag(in: text, at: place, trustsQuotes: trustsQuotes)
        } catch {
            guard case .openQuote = error else { return nil }
            // From here on, because searching the rest of the text for the end of each tag takes quadratic time.
            trustsQuotes = false
            tag = try? HTMLTag(in: text, at: place, trustsQuotes: false)
        }
        guard let tag, isTitle else { return tag }
        guard let element = HTMLElement.known(tag.name) else { return nil }
        let needsEnd = !tag.isEnd && (element.role == .embedded || element.role == .ignored)
        return needsEnd && endTag(of: tag.name, from: tag.end) == nil ? nil : tag
    }

    private mutating func handle(_ tag: HTMLTag) {
        let element = HTMLElement.known(tag.name) ?? HTMLElement(tag.name, .inline)
        switch element.role {
        case .ignored: break
        case .embedded where Self.hidden.contains(tag.name):
            if !tag.isEnd, !tag.isEmpty, let end = endTag(of: tag.name, from: tag.end) { place = end }
        case _ where tag.isEnd: end(element)
        default: start(element, tag)
        }
    }

    private static let hidden = HTMLName.list("script style")

    /// The place of the next end tag with a name.
    private mutating func endTag(of name: HTMLName, from start: Int) -> Int? {
        if let known = endTags[name], known >= start { return known == .max ? nil : known }
        var place = start
        while let less = text.place(of: .less, from: place) {
            if let (written, isEnd) = HTMLTag.name(in: text, at: less), isEnd, HTMLName(text[written]) == name {
                endTags[name] = less
                return less
            }
            place = less + 1
        }
        endTags[name] = .max
        return nil
    }

    /// Compares the text at `place` with a lower-case text, ignoring case.
    private func begins(_ opening: StaticString) -> Bool {
        ElementText(UnsafeRawBufferPointer(rebasing: text[place...])).hasPrefix(opening)
    }

    // MARK: Nesting

    private mutating func start(_ element: HTMLElement, _ tag: HTMLTag) {
        if let (ended, barriers) = element.endedElements {
            let start = open.lastIndex { barriers.contains($0.name) }.map { $0 + 1 } ?? 0
            if let first = open[start...].firstIndex(where: { ended.contains($0.name) }) {
                closeElements(downTo: first)
            }
        }
        let isEmpty = tag.isEmpty || element.isVoid
        if open.count >= Self.depth, !isEmpty {
            overflow += 1
            return
        }
        handler.startElement(element, attributes: tag.attributes)
        if isEmpty { handler.endElement(element) } else { open.append(element) }
    }

    /// Ends the innermost element with the name of an end tag, unless a table or a division is open in it.
    private mutating func end(_ element: HTMLElement) {
        if overflow > 0 {
            overflow -= 1
            return
        }
        if let index = open.lastIndex(where: { $0.name == element.name || $0.rank > element.rank }),
            open[index].name == element.name
        {
            closeElements(downTo: index)
        } else if element.name == "p" {
            handler.startElement(element, attributes: HTMLAttributes(text: text))
            handler.endElement(element)
        }
    }

    private mutating func closeElements(downTo count: Int) {
        while open.count > count { handler.endElement(open.removeLast()) }
    }
}
