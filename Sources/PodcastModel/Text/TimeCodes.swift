/// Times such as `1:02:03` in a text: show notes name parts of an episode by them.
public enum TimeCodes {
    /// The times `M:SS` and `H:MM:SS` in a text, in their order. Without digits, letters or colons around them, so that neither
    /// `12:30:45:67` nor `8:30pm` are times.
    public static func find(in text: some StringProtocol) -> [(place: Range<String.Index>, time: MediaTime)] {
        let bytes = text.utf8
        var found: [(Range<String.Index>, MediaTime)] = []
        var place = bytes.startIndex
        var before: UInt8 = 0x20
        while place < bytes.endIndex {
            if bytes[place].isDigit, !isPart(before) {
                let end = bytes[place...].firstIndex { !$0.isDigit && $0 != .colon } ?? bytes.endIndex
                if end == bytes.endIndex || !isPart(bytes[end]), let time = time(bytes[place..<end]) {
                    found.append((place..<end, time))
                }
                place = end
                before = UInt8(ascii: "0")
            } else {
                before = bytes[place]
                place = bytes.index(after: place)
            }
        }
        return found
    }

    /// Chapters of show notes: lines that begin with a time, with or without brackets. Empty unless there are at least two, in
    /// ascending order and before the end.
    public static func chapters(in notes: String, of duration: MediaTime?) -> [Chapter] {
        var chapters: [Chapter] = []
        for line in notes.split(whereSeparator: \.isNewline) {
            guard let code = find(in: line).first, line[..<code.place.lowerBound].allSatisfy(isMark),
                let title = SafeText.title(String(line[code.place.upperBound...].drop(while: isMark)))
            else { continue }
            if let last = chapters.last, code.time <= last.start { return [] }
            if let duration, code.time >= duration { return [] }
            var chapter = Chapter(start: code.time, title: title)
            chapter.isFromNotes = true
            chapters.append(chapter)
        }
        return chapters.count < 2 ? [] : chapters
    }

    private static func isMark(_ character: Character) -> Bool {
        !character.isLetter && !character.isNumber && character != "\"" && character != "“"
    }

    private static func time(_ bytes: some Collection<UInt8>) -> MediaTime? {
        let parts = bytes.fields(separatedBy: .colon)
        guard (2...3).contains(parts.count), (1...3).contains(parts[0].count),
            parts.dropFirst().allSatisfy({ $0.count == 2 })
        else { return nil }
        let numbers = parts.map { $0.reduce(0) { $0 * 10 + Int64($1.digitValue) } }
        guard numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        return MediaTime(milliseconds: numbers.reduce(0) { $0 * 60 + $1 } * 1_000)
    }

    /// True for a letter, a digit, a colon, and everything beyond ASCII but punctuation.
    private static func isPart(_ byte: UInt8) -> Bool {
        byte.isDigit || byte == .colon || byte.isLetter
    }
}
