/// Finds the end of a DOCTYPE, whose internal subset holds brackets, quotes and comments of its own: XML 1.0 section 2.8.
struct SubsetScanner {
    private var isInSubset = false
    private var quote: UInt8?
    private var isComment = false
    private var last: (UInt8, UInt8, UInt8) = (0, 0, 0)
    /// The closing `>` was read.
    private(set) var isAtEnd = false

    /// Reads on, up to the end of the declaration or of the block.
    mutating func skip(_ start: Bytes, _ end: Bytes) -> Bytes {
        var place = start
        while place < end {
            let byte = place.pointee
            place += 1
            defer { last = (last.1, last.2, byte) }
            if isComment {
                if byte == .greater && last.1 == UInt8(ascii: "-") && last.2 == UInt8(ascii: "-") { isComment = false }
            } else if let open = quote {
                // Outside the subset no literal holds a `>`: one that does lacks its closing quote.
                if byte == open { quote = nil }
                if byte == .greater && !isInSubset { return finish(place) }
            } else if byte == .quote || byte == .apostrophe {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                isInSubset = true
            } else if byte == .bracket {
                isInSubset = false
            } else if byte == UInt8(ascii: "-") && last.2 == UInt8(ascii: "-") && last.1 == UInt8(ascii: "!") {
                isComment = true
            } else if byte == .greater && !isInSubset {
                return finish(place)
            }
        }
        return place
    }

    private mutating func finish(_ place: Bytes) -> Bytes {
        isAtEnd = true
        return place
    }
}
