/// Joins the words of a shell to the text of a filter: the shell removes the quotes of `title:"best of"`.
enum FilterWords {
    /// The words as one text. A word that is one condition whose value has spaces is quoted again. A word that contains quotes or
    /// several conditions is not changed; `feed:f1 Fog` has two, because an id ends at the space.
    static func joined(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    private static func quoted(_ word: String) -> String {
        guard word.contains(" "), !word.contains("\""), let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            return word
        }
        let key = word[..<colon]
        let value = word[word.utf8.index(after: colon)...]
        let parts = value.split(separator: " ")
        let isIDs = parts.first?.split(separator: ",").allSatisfy { $0.first == "f" && Int($0.dropFirst()) != nil }
        let hasMore = parts.contains { $0 == "then" || $0.contains(":") } || key == "feed" && isIDs == true
        guard !hasMore, ["title", "feed", "tag"].contains(key) else { return word }
        return "\(key):\"\(value)\""
    }
}
