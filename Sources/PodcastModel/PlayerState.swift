/// What the player does.
public enum PlayerState: String, Sendable, CaseIterable {
    case stopped
    /// The episode is being opened.
    case loading
    /// Audio comes too slowly.
    case buffering
    case playing
    case paused

    /// Whether the player plays, or does as soon as it can.
    public var isPlaying: Bool {
        switch self {
        case .loading, .buffering, .playing: true
        case .stopped, .paused: false
        }
    }
}
