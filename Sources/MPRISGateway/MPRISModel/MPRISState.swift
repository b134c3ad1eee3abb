internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// What podcast-mpris knows of the daemon.
struct MPRISState: Equatable, Sendable {
    /// The state that desktop environments show.
    enum Status: String {
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }

    var player = PlayerReply()
    /// Whether the daemon looks up the next episode, and `player` is still the state before.
    private(set) var isLookingUp = false
    var queue = QueueExtent()
    /// The entries around the current one.
    var tracks: [EntryReply] = []
    /// The current episode; nil until it was read.
    var episode: EpisodeReply?
    /// The beginning of its notes.
    var summary: String?
    /// URL of its cover.
    var artURL: String?
    /// The permission of the connection; nil without a daemon.
    var permission: CommandDeclaration.Permission?

    /// Takes the player's next state. A state without the title, length and position of its episode is left out until the daemon has
    /// looked them up, so that other programs see all of them change at once.
    mutating func take(_ player: PlayerReply) {
        isLookingUp = player.state != .stopped && player.announcement == nil && player.episode?.title == nil
        if !isLookingUp { self.player = player }
    }

    /// Forgets what belongs to a daemon that has gone. Volume and speed stay, because the next one will have the same.
    mutating func loseDaemon() {
        let (volume, speed) = (player.volume, player.speed)
        self = MPRISState()
        (player.volume, player.speed) = (volume, speed)
    }

    func position(at now: Instant) -> MediaTime? { player.position(at: now) }

    /// The speed. The player's is a multiple of 0.05 that single precision has rounded.
    var rate: Double { (player.speed * 100).rounded() / 100 }

    /// Loading and buffering count as playing, because MPRIS has no state for them.
    var status: Status {
        switch player.state {
        case .stopped: .stopped
        case .paused: .paused
        case .playing, .loading, .buffering: .playing
        }
    }

    var canControl: Bool { permission.map { $0 >= .control } ?? false }
    var hasTrack: Bool { player.episode != nil }
    var canPlay: Bool { canControl && (hasTrack || queue.length > 0) }
    var canPause: Bool { canControl && hasTrack }
    var canSeek: Bool { canControl && hasTrack && player.duration != nil && status != .stopped }
    var canGoPrevious: Bool { canControl && hasTrack }
    /// A stopped player does not say what is next.
    var canGoNext: Bool {
        canControl && (player.upcoming.next != nil || (status == .stopped && queue.length > (queue.index ?? 0)))
    }
}
