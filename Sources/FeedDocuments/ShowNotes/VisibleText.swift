enum VisibleText {
    /// Passes runs of visible characters and the gaps between them to closures: line breaks, and white space of any other kind. Removes control characters (C0, DEL),
    /// byte-order marks, and characters that change the direction of text (UAX #9: embeddings, overrides, isolates).
    ///
    /// C1 control characters are Windows-1252 that was misread as ISO 8859-1, as in `&#146;`, and are read as in HTML
    /// (WHATWG HTML section 13.2.5.80).
    /// - Parameter text: valid UTF-8, whole characters.
    static func scan(
        _ text: UnsafeRawBufferPointer, run: (UnsafeRawBufferPointer) -> Void, gap: (_ isLineBreak: Bool) -> Void
    ) {
        var place = 0
        while place < text.count {
            let end = endOfRun(text, from: place)
            if end > place {
                run(UnsafeRawBufferPointer(rebasing: text[place..<end]))
                place = end
                continue
            }
            switch text[place] {
            case 0x0A: gap(true)
            case 0x09, 0x0B, 0x0C, 0x0D, 0x20: gap(false)
            case 0xC2, 0xE2, 0xEF:
                place += special(text, place, run: run, gap: gap)
                continue
            default: break
            }
            place += 1
        }
    }

    /// Fast path for most text: single spaces between words are part of a run.
    private static func endOfRun(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var end = start
        while end < text.count {
            if isPlain(text[end]) {
                end += 1
            } else if text[end] == 0x20, end > start, end + 1 < text.count, isPlain(text[end + 1]) {
                end += 2
            } else {
                break
            }
        }
        return end
    }

    /// True for a byte of a visible character, except lead bytes that invisible characters share.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte &- 0x21 < 0x7F - 0x21 || byte >= 0x80 && byte != 0xC2 && byte != 0xE2 && byte != 0xEF
    }

    /// Handles a character whose lead byte invisible characters share. Returns the character's length.
    private static func special(
        _ text: UnsafeRawBufferPointer, _ place: Int, run: (UnsafeRawBufferPointer) -> Void,
        gap: (_ isLineBreak: Bool) -> Void
    ) -> Int {
        let length = text[place] == 0xC2 ? 2 : 3
        guard place + length <= text.count else { return text.count - place }
        let second = text[place + 1]
        let third = length == 3 ? text[place + 2] : 0
        switch (text[place], second, third) {
        case (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9): gap(true)
        case (0xC2, 0xA0, _): gap(false)
        case (0xC2, 0x80...0x9F, _):
            let scalar = Windows1252.scalar(of: second)
            var character = String(scalar)
            if scalar != "\u{FFFD}" { character.withUTF8 { run(UnsafeRawBufferPointer($0)) } }
        case (0xE2, 0x80, 0xAA...0xAE), (0xE2, 0x81, 0xA6...0xA9), (0xEF, 0xBB, 0xBF): break
        default: run(UnsafeRawBufferPointer(rebasing: text[place..<(place + length)]))
        }
        return length
    }
}
