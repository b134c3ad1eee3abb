public import PodcastModel

/// A few words of a text around marked matches.
public struct Excerpt: Equatable, Sendable {
    /// One line in pieces: pieces at odd indexes are the matches.
    public var pieces: [String]

    public init(pieces: [String]) { self.pieces = pieces }
}

/// The key of a cue among all stored transcripts.
public struct SpokenKey: Equatable, Sendable {
    public var episode: EpisodeID
    /// The row id of the passage.
    public var passage: Int64
    /// Index of the cue in the passage, from 0.
    public var cue: Int

    public init(episode: EpisodeID, passage: Int64, cue: Int) {
        (self.episode, self.passage, self.cue) = (episode, passage, cue)
    }
}

/// A match in a transcript.
public struct SpokenPlace: Equatable, Sendable {
    public var key: SpokenKey
    public var episode: Episode
    /// The cue with the match. Its time is nil in a transcript without times.
    public var cue: Cue
    /// The cue's text with marked matches.
    public var excerpt: Excerpt
    public var before: String?
    public var after: String?

    public init(
        key: SpokenKey, episode: Episode, cue: Cue, excerpt: Excerpt, before: String? = nil, after: String? = nil
    ) {
        self.key = key
        self.episode = episode
        self.cue = cue
        self.excerpt = excerpt
        self.before = before
        self.after = after
    }
}
