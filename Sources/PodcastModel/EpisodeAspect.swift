/// A part of an episode that can change separately, so that clients that do not show that part can ignore the change.
public enum EpisodeAspect: String, Sendable, CaseIterable {
    /// Data from the publisher or the media file.
    case content
    /// Played, starred, note, bookmarks, hidden.
    case mark
    case position
    case download
}
