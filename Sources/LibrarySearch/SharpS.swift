/// Spellings with "ß" and "ss", which FTS5's tokenizer treats as different letters.
enum SharpS {
    /// Limits the expansion to the first three "ss" of a text.
    private static let maximumSpellings = 8

    /// All variants of a text with "ss" or "ß" at each place that has either.
    static func spellings(of text: String) -> [String] {
        var spellings = [String.UnicodeScalarView()]
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            let isDouble = isS(scalar) && rest.first.map(isS) ?? false
            guard isDouble || scalar == "ß" || scalar == "ẞ", spellings.count < maximumSpellings else {
                for index in spellings.indices { spellings[index].append(scalar) }
                continue
            }
            if isDouble { rest.removeFirst() }
            spellings = spellings.flatMap { [$0 + "ss".unicodeScalars, $0 + "ß".unicodeScalars] }
        }
        return spellings.map(String.init)
    }

    private static func isS(_ scalar: Unicode.Scalar) -> Bool { scalar == "s" || scalar == "S" }
}
