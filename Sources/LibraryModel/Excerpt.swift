public import PodcastModel

/// A few words of a text, with what was searched for marked in them.
public struct Excerpt: Equatable, Sendable {
    /// One line in pieces: every second one, from the second on, is what was found.
    public var pieces: [String]

    public init(pieces: [String]) { self.pieces = pieces }

    public var text: String { pieces.joined() }
}

/// The place of a cue among all stored transcripts.
public struct SpokenKey: Equatable, Sendable {
    public var episode: EpisodeID
    /// The row of the passage.
    public var passage: Int64
    /// The index of the cue in the passage, from 0.
    public var cue: Int

    public init(episode: EpisodeID, passage: Int64, cue: Int) {
        (self.episode, self.passage, self.cue) = (episode, passage, cue)
    }
}

/// A place in a transcript where something is said.
public struct SpokenPlace: Equatable, Sendable {
    public var key: SpokenKey
    public var episode: Episode
    /// The cue in which it is said. Its time is nil in a transcript without times.
    public var cue: Cue
    /// The cue's words, with what was searched for marked.
    public var excerpt: Excerpt
    /// What is said before and after, where the passage has more.
    public var before: String?
    /// What is said after.
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
