/// Finds titles that complete a text.
struct TitleCompleter: Sendable {
    private let folded: String
    private let words: [Substring]

    public init(_ text: String) {
        folded = FoldedText.folded(text)
        words = FoldedText.words(folded)
    }

    /// First the titles that begin with the text, then the titles with all its words, of which the last may be
    /// incomplete; both in the order of the candidates.
    func completions(among candidates: [NamedCandidate]) -> [NamedCandidate] {
        var (beginning, containing): ([NamedCandidate], [NamedCandidate]) = ([], [])
        for candidate in candidates {
            let title = FoldedText.folded(candidate.title)
            if title.hasPrefix(folded) {
                beginning.append(candidate)
            } else if hasWords(title) {
                containing.append(candidate)
            }
        }
        return beginning + containing
    }

    private func hasWords(_ title: String) -> Bool {
        guard let last = words.last else { return false }
        let present = FoldedText.words(title)
        return words.dropLast().allSatisfy(present.contains) && present.contains { $0.hasPrefix(last) }
    }
}
