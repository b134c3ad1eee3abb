internal import PodcastModel

/// Finds the end of a DOCTYPE with its internal subset, whose declarations are ignored: XML 1.0 section 2.8.
struct SubsetScanner {
    private enum Place {
        /// Outside the subset, and within a literal there.
        case head, headLiteral(quote: UInt8)
        /// Within the subset, and within constructs that may contain its delimiters.
        case subset, literal(quote: UInt8), comment, instruction
    }

    private var place = Place.head
    private var last: (UInt8, UInt8, UInt8) = (0, 0, 0)
    /// True after the closing `>`.
    private(set) var isAtEnd = false

    /// Continues up to the end of the DOCTYPE or of the block.
    mutating func skip(_ start: Bytes, _ end: Bytes) -> Bytes {
        var next = start
        while next < end, !isAtEnd {
            let byte = next.pointee
            next += 1
            read(byte)
            last = (last.1, last.2, byte)
        }
        return next
    }

    private mutating func read(_ byte: UInt8) {
        switch place {
        case .head:
            switch byte {
            case .quote, .apostrophe: place = .headLiteral(quote: byte)
            case .openingBracket: place = .subset
            case .greater: isAtEnd = true
            default: break
            }
        case .headLiteral(let quote):
            // Outside the subset, a literal with a `>` lacks its closing quote.
            if byte == quote { place = .head } else if byte == .greater { isAtEnd = true }
        case .subset:
            switch byte {
            case .quote, .apostrophe: place = .literal(quote: byte)
            case .closingBracket: place = .head
            case .questionMark where last.2 == .less: place = .instruction
            case .dash where last.2 == .dash && last.1 == .exclamationMark: place = .comment
            default: break
            }
        case .literal(let quote): if byte == quote { place = .subset }
        case .comment:
            if byte == .greater && last.1 == .dash && last.2 == .dash { place = .subset }
        case .instruction: if byte == .greater && last.2 == .questionMark { place = .subset }
        }
    }
}
