public import PodcastModel

/// Finds the title that a text names, or the titles that complete the text.
///
/// Order of preference: exact title of a feed, exact title of an episode, all words in a title (first whole words, then
/// the last word as the beginning of a longer word, then parts of words).
public struct TitleResolver: Sendable {
    public enum Resolution: Equatable, Sendable {
        case none
        case one(NamedCandidate, isExact: Bool)
        /// Equally good matches: feeds, then the newest episodes; at most `maximumShown`.
        case several([NamedCandidate])
    }

    static let maximumShown = 10

    private enum Match: Int, CaseIterable {
        case exact, words, beginnings, parts
    }

    private let folded: String
    private let words: [Substring]

    public init(_ text: String) {
        folded = FoldedText.folded(text)
        words = FoldedText.words(folded)
    }

    public func resolve(_ candidates: some Sequence<NamedCandidate>) -> Resolution {
        if folded.isEmpty { return .none }
        var matches: [Match: [NamedCandidate]] = [:]
        for candidate in candidates {
            if let match = match(candidate.title) { matches[match, default: []].append(candidate) }
        }
        guard let best = Match.allCases.first(where: { matches[$0] != nil }), var found = matches[best] else {
            return .none
        }
        if best == .exact, found.contains(where: \.isFeed) { found.removeAll { !$0.isFeed } }
        if found.count == 1 { return .one(found[0], isExact: best == .exact) }
        let feeds = found.filter(\.isFeed).sorted { $0.title < $1.title }
        let episodes = found.filter { !$0.isFeed }.sorted {
            ($0.published ?? Timestamp(seconds: 0)) > ($1.published ?? Timestamp(seconds: 0))
        }
        return .several(Array((feeds + episodes).prefix(Self.maximumShown)))
    }

    /// The candidates that complete the text: first the titles that begin with it, then the titles with all its words, of which
    /// the last may be incomplete; both in the order of the candidates.
    func completions(among candidates: [NamedCandidate]) -> [NamedCandidate] {
        var (beginning, containing): ([NamedCandidate], [NamedCandidate]) = ([], [])
        for candidate in candidates {
            if FoldedText.folded(candidate.title).hasPrefix(folded) {
                beginning.append(candidate)
            } else if let match = match(candidate.title), match != .parts {
                containing.append(candidate)
            }
        }
        return beginning + containing
    }

    private func match(_ title: String) -> Match? {
        let title = FoldedText.folded(title)
        if title == folded { return .exact }
        // A text without letters and digits matches a whole title or part of a title only.
        guard let last = words.last else { return title.contains(folded) ? .parts : nil }
        let present = FoldedText.titleWords(title)
        if words.dropLast().allSatisfy(present.contains) {
            if present.contains(last) { return .words }
            if present.contains(where: { $0.hasPrefix(last) }) { return .beginnings }
        }
        return words.allSatisfy { title.contains($0) } ? .parts : nil
    }
}
