/// Finds the ends of constructs that are not text: comments, declarations, instructions, scripts and style sheets. A
/// construct without an end is text. The last end of each kind is searched for once, so that many starts without an end
/// take linear time.
@safe struct EndsOfHidden {
    private let text: UnsafeRawBufferPointer
    /// The place of the last `>`; -1 for none.
    let lastGreater: Int
    private lazy var lastCommentEnd = findLastCommentEnd()
    private lazy var lastScriptEnd = findLast("</script")
    private lazy var lastStyleEnd = findLast("</style")

    init(_ text: UnsafeRawBufferPointer) {
        unsafe self.text = unsafe text
        lastGreater = unsafe text.lastIndex(of: .greater) ?? -1
    }

    /// The place after a comment, a document type or an instruction that begins at a `<`; nil for other constructs.
    mutating func endOfUnseen(at place: Int) -> Int? {
        if begins("<!--", at: place) { return endOfComment(at: place) }
        let isDeclaration = unsafe begins("<!", at: place) && place + 2 < text.count && isLetter(text[place + 2])
        let isConditional = begins("<![", at: place) && !begins("<![cdata[", at: place)
        let isInstruction = unsafe begins("<?", at: place) && place + 2 < text.count && isLetter(text[place + 2])
        guard isDeclaration || isConditional || isInstruction else { return nil }
        return unsafe text.place(of: .greater, from: place).map { $0 + 1 }
    }

    /// A comment ends with `-->` or `--!>`; `<!-->` is one: WHATWG HTML section 13.2.5.43. Without an end, skips the
    /// start.
    private mutating func endOfComment(at start: Int) -> Int {
        let content = start + 4
        guard content <= lastCommentEnd else { return content }
        var place = content
        while let greater = unsafe text.place(of: .greater, from: place) {
            if isCommentEnd(greater, content) { return greater + 1 }
            place = greater + 1
        }
        return content
    }

    private func isCommentEnd(_ greater: Int, _ content: Int) -> Bool {
        let last =
            unsafe greater > 0 && text[greater - 1] == UInt8(ascii: "!") && greater > content + 2
            ? greater - 1 : greater
        return unsafe last >= content && text[last - 1] == UInt8(ascii: "-") && text[last - 2] == UInt8(ascii: "-")
    }

    private func findLastCommentEnd() -> Int {
        var place = lastGreater
        while place >= 4 {
            if unsafe text[place] == .greater, isCommentEnd(place, 4) { return place }
            place -= 1
        }
        return -1
    }

    /// The place of the end tag of a script or style sheet; nil if none follows.
    mutating func endTag(of name: UInt64, from start: Int) -> Int? {
        let (opening, last): (StaticString, Int) =
            name == SpecialElement.script ? ("</script", lastScriptEnd) : ("</style", lastStyleEnd)
        guard start <= last else { return nil }
        var place = start
        while let found = unsafe text.place(of: .less, from: place) {
            if isEndTag(opening, at: found) { return found }
            place = found + 1
        }
        return nil
    }

    private func findLast(_ opening: StaticString) -> Int {
        var place = lastGreater
        while place >= 0 {
            if unsafe text[place] == .less, isEndTag(opening, at: place) { return place }
            place -= 1
        }
        return -1
    }

    /// True if the name of the end tag ends there.
    private func isEndTag(_ opening: StaticString, at place: Int) -> Bool {
        let next = place + opening.utf8CodeUnitCount
        return unsafe begins(opening, at: place) && next < text.count
            && (isBlank(text[next]) || text[next] == .slash || text[next] == .greater)
    }

    /// Compares the text at a place with a lower-case text, ignoring case.
    private func begins(_ opening: StaticString, at place: Int) -> Bool {
        guard unsafe place + opening.utf8CodeUnitCount <= text.count else { return false }
        for index in 0..<opening.utf8CodeUnitCount {
            let byte = unsafe text[place + index]
            if unsafe (isUpper(byte) ? byte | 0x20 : byte) != opening.utf8Start[index] { return false }
        }
        return true
    }
}
