/// How a shell's words become the text of a filter: the shell takes the quotes of `title:"best of"` away.
enum FilterWords {
    /// The words as one text. A word of one condition whose value has spaces gets its quotes back; one that holds quotes
    /// or several conditions is taken as it stands.
    static func joined(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    private static func quoted(_ word: String) -> String {
        guard word.contains(" "), !word.contains("\""), let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            return word
        }
        let key = word[..<colon]
        let value = word[word.utf8.index(after: colon)...]
        let hasMore = value.split(separator: " ").contains { $0 == "then" || $0.contains(":") }
        guard !hasMore, key.utf8.allSatisfy(isLetter) else { return word }
        return "\(key):\"\(value)\""
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
    }
}
