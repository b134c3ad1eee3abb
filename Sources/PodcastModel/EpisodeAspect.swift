/// A part of an episode that changes by itself, so that clients that do not show it ignore the change.
public enum EpisodeAspect: String, Sendable, CaseIterable {
    /// What the publisher or the file says.
    case content
    /// Played, starred, note, bookmarks, hidden or not.
    case mark
    case position
    case download
}
