internal import PodcastModel
internal import SQLite

struct StoredNotes {
    var summary: MarkedText?
    var content: MarkedText?

    /// The notes of an item; a summary that the content begins with is not kept twice.
    init(_ item: Item, _ convert: (String) -> MarkedText) {
        content = item.content.flatMap { Self.read($0, convert) }
        if !item.hasOneText { summary = item.summary.flatMap { Self.read($0, convert) } }
        if let summary, let content, repeats(summary.words, content.words) { self.summary = nil }
    }

    var summaryMarks: String? { summary.flatMap { StoredMarks.text($0.marks) } }
    var contentMarks: String? { content.flatMap { StoredMarks.text($0.marks) } }

    /// Notes or a description as text; nil if it says nothing.
    static func read(_ written: String, _ convert: (String) -> MarkedText) -> MarkedText? {
        let text = convert(written)
        return text.words.isEmpty ? nil : text
    }

    /// True if a summary only repeats the beginning of the content, perhaps with dots at its end.
    private func repeats(_ summary: String, _ content: String) -> Bool {
        var end = Substring(summary)
        while let last = end.last, last == "…" || last == "." || last.isWhitespace { end.removeLast() }
        return content.utf8.starts(with: end.utf8)
    }
}

extension EpisodeNotes: Record {
    init(row: Row) {
        func text(_ words: String?, _ marks: String) -> MarkedText? {
            words.map { MarkedText($0, marks: StoredMarks.marks(marks)) }
        }
        summary = text(row["summary"], row["summary_marks"])
        content = text(row["content"], row["content_marks"])
    }
}

/// Marks of a text as stored, a line for each: a letter for the kind, the distance from the start of the previous mark, the
/// length, and a link's URL.
enum StoredMarks {
    /// Nil for no marks.
    static func text(_ marks: [MarkedText.Mark]) -> String? {
        if marks.isEmpty { return nil }
        var text = ""
        var place = 0
        // Without interpolation, which takes three times as long: most notes have marks.
        for mark in marks {
            if !text.isEmpty { text += "\n" }
            text.append(letter(mark.kind))
            text += String(mark.range.lowerBound - place)
            text += ","
            text += String(mark.range.count)
            if case .link(let url) = mark.kind {
                text += " "
                text += url
            }
            place = mark.range.lowerBound
        }
        return text
    }

    /// Ignores invalid lines.
    static func marks(_ text: String) -> [MarkedText.Mark] {
        var place = 0
        return text.split(separator: "\n").compactMap { line in
            let parts = line.dropFirst().split(separator: " ", maxSplits: 1)
            let numbers = (parts.first ?? "").split(separator: ",").compactMap { Int($0) }
            guard let letter = line.first, numbers.count == 2, numbers.allSatisfy({ 0...(1 << 24) ~= $0 }),
                let kind = kind(letter, parts.count > 1 ? String(parts[1]) : nil)
            else { return nil }
            place += numbers[0]
            return MarkedText.Mark(kind, place..<(place + numbers[1]))
        }
    }

    private static func letter(_ kind: MarkedText.Mark.Kind) -> Character {
        switch kind {
        case .list(isOrdered: false): "u"
        case .list(isOrdered: true): "o"
        case .item: "i"
        case .heading: "h"
        case .link: "a"
        case .strong: "b"
        case .emphasis: "e"
        }
    }

    private static func kind(_ letter: Character, _ url: String?) -> MarkedText.Mark.Kind? {
        switch letter {
        case "u": .list(isOrdered: false)
        case "o": .list(isOrdered: true)
        case "i": .item
        case "h": .heading
        case "a": url.map { .link($0) }
        case "b": .strong
        case "e": .emphasis
        default: nil
        }
    }
}
