/// "ß" and "ss", which FTS5's tokenizer reads as different letters.
enum SharpS {
    /// Of a text with many "ss" only the first three have two spellings.
    private static let maximumSpellings = 8

    /// A text with "ss" and with "ß" at each place that has one of them.
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
