/// Finds the end of a DOCTYPE with its internal subset, and passes on its declarations: XML 1.0 section 2.8.
struct SubsetScanner {
    private enum Place {
        /// Outside the subset, and within a literal there.
        case head, headLiteral(quote: UInt8)
        /// Within the subset, and within constructs that may contain its delimiters.
        case subset, literal(quote: UInt8), comment, instruction
    }

    private var place = Place.head
    private var last: (UInt8, UInt8, UInt8) = (0, 0, 0)
    /// The current declaration from its `<`, up to `longest` bytes.
    private var declaration: [UInt8] = []
    private let longest: Int
    /// True after the closing `>`.
    private(set) var isAtEnd = false

    /// - Parameter longest: maximum bytes of a declaration; longer ones are skipped.
    init(longest: Int) { self.longest = longest }

    /// Continues up to the end of the DOCTYPE or of the block.
    mutating func skip(_ start: Bytes, _ end: Bytes, declaring entities: inout DeclaredEntities) -> Bytes {
        var next = start
        while next < end, !isAtEnd {
            let byte = next.pointee
            next += 1
            read(byte, &entities)
            last = (last.1, last.2, byte)
        }
        return next
    }

    private mutating func read(_ byte: UInt8, _ entities: inout DeclaredEntities) {
        switch place {
        case .head:
            switch byte {
            case .quote, .apostrophe: place = .headLiteral(quote: byte)
            case UInt8(ascii: "["): place = .subset
            case .greater: isAtEnd = true
            default: break
            }
        case .headLiteral(let quote):
            // Outside the subset, a literal with a `>` lacks its closing quote.
            if byte == quote { place = .head } else if byte == .greater { isAtEnd = true }
        case .subset:
            collect(byte)
            readSubset(byte, &entities)
        case .literal(let quote):
            collect(byte)
            if byte == quote { place = .subset }
        case .comment:
            if byte == .greater && last.1 == UInt8(ascii: "-") && last.2 == UInt8(ascii: "-") { place = .subset }
        case .instruction:
            if byte == .greater && last.2 == UInt8(ascii: "?") { place = .subset }
        }
    }

    private mutating func readSubset(_ byte: UInt8, _ entities: inout DeclaredEntities) {
        switch byte {
        case .less: declaration = [byte]
        case .greater:
            if declaration.count <= longest { entities.declare(declaration) }
            declaration = []
        case .quote, .apostrophe: place = .literal(quote: byte)
        case .bracket: place = .head
        case UInt8(ascii: "?") where last.2 == .less: place = .instruction
        case UInt8(ascii: "-") where last.2 == UInt8(ascii: "-") && last.1 == UInt8(ascii: "!"): place = .comment
        default: break
        }
    }

    private mutating func collect(_ byte: UInt8) {
        if !declaration.isEmpty, declaration.count <= longest { declaration.append(byte) }
    }
}
