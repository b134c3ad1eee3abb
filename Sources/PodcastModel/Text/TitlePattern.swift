/// A pattern for titles, ignoring case and diacritics.
///
/// `*` matches any characters; `^` at the start and `$` at the end match the ends of the title. Otherwise the pattern
/// matches anywhere. The pieces between the `*` are searched from left to right, each at its first occurrence, so the
/// time is limited to the product of both lengths.
public struct TitlePattern: Hashable, Sendable {
    /// In bytes.
    static let maximumLength = 200

    public let text: String
    private let pieces: [[UInt8]]
    private let isTiedToBeginning: Bool
    private let isTiedToEnd: Bool

    /// Nil if the pattern matches every title or is longer than `maximumLength`.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        self.text = text
        var rest = FoldedText.letters(text)[...]
        isTiedToBeginning = rest.hasPrefix("^")
        if isTiedToBeginning { rest.removeFirst() }
        isTiedToEnd = rest.hasSuffix("$")
        if isTiedToEnd { rest.removeLast() }
        pieces = Self.pieces(rest)
        if pieces.allSatisfy(\.isEmpty) { return nil }
    }

    /// A pattern of a whole title, in which only `*` has a meaning.
    init(whole text: String) {
        self.text = text
        isTiedToBeginning = true
        isTiedToEnd = true
        pieces = Self.pieces(FoldedText.letters(text)[...])
    }

    private static func pieces(_ text: Substring) -> [[UInt8]] {
        text.fields(separatedBy: "*").map { Array($0.utf8) }
    }

    public func fits(_ title: String) -> Bool {
        let bytes = Array(FoldedText.letters(title).utf8)
        var start = 0
        for (index, piece) in pieces.enumerated() {
            let isFirst = index == 0 && isTiedToBeginning
            let isLast = index == pieces.count - 1 && isTiedToEnd
            let place: Int?
            if isLast {
                let last = bytes.count - piece.count
                place = last >= start && Self.stands(piece, in: bytes, at: last) && (!isFirst || last == 0) ? last : nil
            } else if isFirst {
                place = Self.stands(piece, in: bytes, at: 0) ? 0 : nil
            } else {
                place = Self.first(piece, in: bytes, from: start)
            }
            guard let place else { return false }
            start = place + piece.count
        }
        return true
    }

    private static func first(_ piece: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        if piece.isEmpty { return start }
        var place = start
        while place + piece.count <= bytes.count {
            if bytes[place] == piece[0], stands(piece, in: bytes, at: place) { return place }
            place += 1
        }
        return nil
    }

    private static func stands(_ piece: [UInt8], in bytes: [UInt8], at place: Int) -> Bool {
        place + piece.count <= bytes.count && piece.indices.allSatisfy { bytes[place + $0] == piece[$0] }
    }
}
