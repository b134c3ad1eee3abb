/// What a title must look like: pieces of text in their order, without regard to case.
///
/// `*` stands for any characters, `^` at the beginning and `$` at the end tie the pattern to the title's ends; else it may
/// stand anywhere. The pieces are looked for from left to right, each at its first place, so that no pattern takes longer
/// than its length times the title's.
public struct TitlePattern: Hashable, Sendable {
    /// Bytes that a pattern may have.
    public static let maximumLength = 200

    /// The pattern as it was written.
    public let text: String
    private let pieces: [[UInt8]]
    private let isTiedToBeginning: Bool
    private let isTiedToEnd: Bool

    /// Reads a pattern; nil for one without any letter, or longer than `maximumLength`.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        self.text = text
        var rest = text.lowercased()[...]
        isTiedToBeginning = rest.hasPrefix("^")
        if isTiedToBeginning { rest.removeFirst() }
        isTiedToEnd = rest.hasSuffix("$")
        if isTiedToEnd { rest.removeLast() }
        pieces = rest.split(separator: "*", omittingEmptySubsequences: false).map { Array($0.utf8) }
        if pieces.allSatisfy(\.isEmpty) { return nil }
    }

    /// Whether a title looks like it.
    public func fits(_ title: String) -> Bool {
        let bytes = Array(title.lowercased().utf8)
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
