import Library
import PodcastModel

/// Finds the queue entries that a word names.
struct QueuedNames {
    let entries: [QueueEntry]
    /// The entry that plays, which `heard` excludes.
    var playing: EntryID?
    let store: LibraryStore
    let now: Timestamp

    /// The word for the entries of played episodes.
    static let heard = "heard"

    /// The named entries, in the queue's order; may be empty. A number is an index, from 1.
    /// - Throws: `LibraryError`, `ChoiceFailure` or `ExpressionError`: several titles match, or invalid syntax.
    func entries(named word: String) throws -> [QueueEntry] {
        let name = Name(word, number: .entry)
        switch name {
        case .entries(let range): return entries.enumerated().filter { range.contains($0.offset + 1) }.map(\.element)
        case .episodes(let range): return entries.filter { range.contains($0.episode) }
        case .feeds(let range): return try entries { range.contains($0.feed) }
        case .current:
            let current = try store.queue.queue().current
            return entries.filter { $0.id == current }
        case .url(let url):
            let feed = try store.feeds.feed(url: url)?.id
            return try entries { $0.enclosure.url == url || $0.feed == feed }
        case .playlist, .filter:
            let choices = try EpisodeChoice.choices(name, word: word, isExact: false, in: store, at: now)
            return try choices.flatMap { choice in
                switch choice {
                case .named(.episode(let id)): return entries.filter { $0.episode == id }
                case .named(.feed(let id)): return try entries { $0.feed == id }
                case .list(let ids): return entries.filter { ids.contains($0.episode) }
                case .view(let filter, _):
                    let matching = Set(try store.episodes.matching(filter, among: entries.map(\.episode)))
                    return entries.filter { matching.contains($0.episode) }
                }
            }
        case .reversedRange: throw LibraryError.reversedRange(word)
        case .text(Self.heard): return try entries { $0.state.isPlayed }.filter { $0.id != playing }
        case .text(let text): return try titled(text)
        }
    }

    private func entries(where isNamed: (Episode) -> Bool) throws -> [QueueEntry] {
        let named = Set(try store.episodes.episodes(entries.map(\.episode)).filter(isNamed).map(\.id))
        return entries.filter { named.contains($0.episode) }
    }

    private func titled(_ text: String) throws -> [QueueEntry] {
        let queued = Set(entries.map(\.episode))
        let candidates = try store.episodes.episodes(Array(queued)).map { NamedCandidate($0) }
        switch TitleResolver(text).resolve(candidates) {
        case .none:
            let feed = try? store.feeds.resolveFeed(text).id
            return try entries { $0.feed == feed }
        case .several(let several):
            let exact = try? store.names.resolve(.text(text), word: text, .feed, isExact: true)
            let ofFeed = try entries { exact == [.feed($0.feed)] }
            if ofFeed.isEmpty { throw LibraryError.ambiguous(text, of: .entry, candidates: several) }
            return ofFeed
        case .one(let candidate, _): return entries.filter { candidate.object == .episode($0.episode) }
        }
    }
}
