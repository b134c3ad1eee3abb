internal import PodcastModel

/// Words that the daemon reads as ids, indexes or URLs, never as titles.
enum IdWord {
    static func isOne(_ word: String) -> Bool { word.contains("://") || isNumber(word) }

    /// `e3124`, `f5`, `#7` or `3124`.
    static func isNumber(_ word: String) -> Bool {
        let hasLetter = word.utf8.first.map { byte in "ef#".utf8.contains(byte) } ?? false
        let digits = hasLetter ? word.utf8.dropFirst() : word.utf8[...]
        return !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The episode of `e3124` or `3124`.
    static func episode(_ word: String) -> EpisodeID? {
        isNumber(word) ? Int64(word.hasPrefix("e") ? String(word.dropFirst()) : word).map(EpisodeID.init) : nil
    }
}
