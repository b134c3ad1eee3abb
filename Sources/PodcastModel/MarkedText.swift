/// A publisher's text with its markup stored separately, so that searching and rendering need no parser.
public struct MarkedText: Equatable, Sendable {
    /// A marked part of the text. Parts are nested or disjoint.
    public struct Mark: Equatable, Sendable {
        public enum Kind: Equatable, Sendable {
            case list(isOrdered: Bool)
            case item
            case heading
            /// A link to an http or https URL.
            case link(String)
            case strong
            case emphasis

            /// True if the mark covers complete lines.
            var isBlock: Bool {
                switch self {
                case .list, .item, .heading: true
                case .link, .strong, .emphasis: false
                }
            }
        }

        public var kind: Kind
        /// Byte range in the text's UTF-8.
        public var range: Range<Int>

        public init(_ kind: Kind, _ range: Range<Int>) {
            self.kind = kind
            self.range = range
        }
    }

    /// The plain text: paragraphs separated by an empty line, without a line break at either end.
    public let words: String
    /// The marked parts in the order of their starts, outer parts before inner ones.
    public let marks: [Mark]

    /// Ignores marks outside the text and marks that split a character or overlap another mark.
    public init(_ words: String, marks: [Mark] = []) {
        self.words = words
        if marks.isEmpty {
            self.marks = []
            return
        }
        let bytes = Array(words.utf8)
        var ends = [bytes.count]
        self.marks = marks.sorted { left, right in
            left.range.lowerBound != right.range.lowerBound
                ? left.range.lowerBound < right.range.lowerBound : left.range.upperBound > right.range.upperBound
        }.filter { mark in
            let start = mark.range.lowerBound
            let end = mark.range.upperBound
            while ends.count > 1, ends[ends.count - 1] <= start { ends.removeLast() }
            guard start >= 0, start < end, end <= ends[ends.count - 1], !Self.isInside(start, bytes),
                !Self.isInside(end, bytes)
            else { return false }
            ends.append(end)
            return true
        }
    }

    /// True if an offset is inside a multi-byte character.
    private static func isInside(_ place: Int, _ bytes: [UInt8]) -> Bool {
        place < bytes.count && bytes[place] & 0xC0 == 0x80
    }

    /// The text for a terminal: list items with bullets, links with numbers, and the URLs as footnotes.
    public var formatted: String {
        let (links, numbers) = footnotes
        var insertions: [(place: Int, text: String)] = numbers.map { ($0.place, " [\($0.number)]") }
        var lists: [(end: Int, isOrdered: Bool, items: Int)] = []
        for mark in marks {
            while let list = lists.last, list.end <= mark.range.lowerBound { lists.removeLast() }
            switch mark.kind {
            case .list(let isOrdered): lists.append((mark.range.upperBound, isOrdered, 0))
            case .item:
                guard let list = lists.indices.last else { continue }
                lists[list].items += 1
                let sign = lists[list].isOrdered ? "\(lists[list].items). " : "• "
                insertions.append((mark.range.lowerBound, String(repeating: "  ", count: min(list, 8)) + sign))
            case .heading, .link, .strong, .emphasis: break
            }
        }
        if insertions.isEmpty { return words }
        // A stable order: marks that end at an offset come before marks that start there.
        insertions.sort { $0.place < $1.place }
        var text: [UInt8] = []
        var place = 0
        let bytes = Array(words.utf8)
        for insertion in insertions {
            text += bytes[place..<insertion.place]
            text += Array(insertion.text.utf8)
            place = insertion.place
        }
        text += bytes[place...]
        for (index, link) in links.enumerated() {
            text += Array("\(index == 0 ? "\n\n" : "\n")[\(index + 1)] \(link)".utf8)
        }
        return String(utf8: text)
    }

    /// The URLs of the footnotes, and the offsets of their numbers.
    private var footnotes: (links: [String], numbers: [(place: Int, number: Int)]) {
        let bytes = Array(words.utf8)
        var known: [String: Int] = [:]
        var links: [String] = []
        var numbers: [(place: Int, number: Int)] = []
        for mark in marks {
            guard case .link(let url) = mark.kind, !Self.isSpelling(bytes[mark.range], of: url) else { continue }
            let number = known[url] ?? links.count + 1
            if known.updateValue(number, forKey: url) == nil { links.append(url) }
            numbers.append((mark.range.upperBound, number))
        }
        return (links, numbers)
    }

    /// True if a text is a spelling of the URL, possibly without scheme, `www.` or final slash.
    private static func isSpelling(_ text: ArraySlice<UInt8>, of url: String) -> Bool {
        // Compare lengths first, because most texts differ in length.
        let left = url.utf8.count - text.count
        guard left >= -1, left <= "https://www./".utf8.count else { return false }
        return WebAddress.essence(String(utf8: text)) == WebAddress.essence(url)
    }
}
