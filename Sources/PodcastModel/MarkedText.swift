/// A text of a publisher's with what was marked in it: notes as the library keeps them.
///
/// The words stand once, so that a search reads them as they are; a page's HTML and a terminal's text are written from
/// them without a parser.
public struct MarkedText: Equatable, Sendable {
    /// A part of the words that is more than words. Parts are nested, or apart.
    public struct Mark: Equatable, Sendable {
        /// What it is.
        public enum Kind: Equatable, Sendable {
            /// A list of items.
            case list(isOrdered: Bool)
            /// An item of the list around it.
            case item
            /// A title of what follows.
            case heading
            /// It leads to an http or https address.
            case link(String)
            /// Said with weight.
            case strong
            /// Said with stress.
            case emphasis

            /// Whether it consists of whole lines.
            public var isBlock: Bool {
                switch self {
                case .list, .item, .heading: true
                case .link, .strong, .emphasis: false
                }
            }
        }

        /// What it is.
        public var kind: Kind
        /// Where it stands, in bytes of the words' UTF-8.
        public var range: Range<Int>

        /// A marked part.
        public init(_ kind: Kind, _ range: Range<Int>) {
            self.kind = kind
            self.range = range
        }
    }

    /// The words: paragraphs with an empty line between them, no line break at either end.
    public let words: String
    /// What is marked, outer parts before inner ones, in the order of their beginnings.
    public let marks: [Mark]

    /// A text with its marks. Marks that lie outside of the words, or cut through a character or another mark, are left out.
    public init(_ words: String, marks: [Mark] = []) {
        self.words = words
        let bytes = Array(words.utf8)
        var ends = [bytes.count]
        self.marks = marks.sorted { left, right in
            left.range.lowerBound != right.range.lowerBound
                ? left.range.lowerBound < right.range.lowerBound : left.range.upperBound > right.range.upperBound
        }.filter { mark in
            let (start, end) = (mark.range.lowerBound, mark.range.upperBound)
            while ends.count > 1, ends[ends.count - 1] <= start { ends.removeLast() }
            guard start >= 0, start < end, end <= ends[ends.count - 1], !Self.isInside(start, bytes),
                !Self.isInside(end, bytes)
            else { return false }
            ends.append(end)
            return true
        }
    }

    /// Whether a place is within a character.
    private static func isInside(_ place: Int, _ bytes: [UInt8]) -> Bool {
        place < bytes.count && bytes[place] & 0xC0 == 0x80
    }

    /// The addresses that the text leads to without saying them, in order, each once.
    public var links: [String] { footnotes.links }

    /// The text for readers: items of lists marked, links numbered, their addresses as footnotes at the end.
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
        // A stable order: what ends at a place stands before what begins there.
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
        return String(decoding: text, as: UTF8.self)
    }

    /// The addresses of footnotes, and where their numbers stand.
    private var footnotes: (links: [String], numbers: [(place: Int, number: Int)]) {
        let bytes = Array(words.utf8)
        var known: [String: Int] = [:]
        var links: [String] = []
        var numbers: [(place: Int, number: Int)] = []
        for mark in marks {
            guard case .link(let url) = mark.kind, !SpokenAddress.isSpoken(bytes[mark.range], url) else { continue }
            let number = known[url] ?? links.count + 1
            if known.updateValue(number, forKey: url) == nil { links.append(url) }
            numbers.append((mark.range.upperBound, number))
        }
        return (links, numbers)
    }
}

/// Addresses as people write them: perhaps without scheme, `www.` and final slash.
enum SpokenAddress {
    /// Whether a text is an address.
    static func isSpoken(_ text: ArraySlice<UInt8>, _ url: String) -> Bool {
        // Most texts are of another length, and need no comparison.
        let left = url.utf8.count - text.count
        guard left >= -1, left <= "https://www./".utf8.count else { return false }
        return essence(String(decoding: text, as: UTF8.self)) == essence(url)
    }

    /// What people do not leave out.
    private static func essence(_ url: String) -> String {
        var rest = url.lowercased()[...]
        for prefix in ["https://", "http://", "www."] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
        }
        if rest.hasSuffix("/") { rest.removeLast() }
        return String(rest)
    }
}
