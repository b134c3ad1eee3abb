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
        var rest = Array(FoldedText.letters(title).utf8)[...]
        for (index, piece) in pieces.enumerated() {
            let isFirst = index == 0 && isTiedToBeginning
            if index == pieces.count - 1 && isTiedToEnd {
                return (isFirst ? rest : rest.suffix(piece.count)).elementsEqual(piece)
            }
            guard let found = rest.firstRange(of: piece), !isFirst || found.lowerBound == rest.startIndex else {
                return false
            }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
