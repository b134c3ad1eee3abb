/// The order of a view of episodes; the raw value is the word of users. Ties are ordered by id, so that a key identifies exactly one row.
public enum EpisodeOrder: String, Sendable, CaseIterable {
    /// Titles first, then notes, transcripts; then by number of matches; then the newest. Without a search, the newest.
    case bestFirst = "best"
    case newestFirst = "newest"
    case oldestFirst = "oldest"
    /// Lists only episodes that were heard or are in progress. Not for a search.
    case lastHeardFirst = "heard"
    case shortestFirst = "length"
    case byTitle = "title"
    /// By the title of the show, then as the episodes came.
    case byShow = "show"
    /// By the position up to which the episode was heard.
    case furthestFirst = "position"
    /// Neither by date nor by show, and always the same.
    case any
}
