internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import SessionBus

/// The daemon's state, as podcast-mpris and podcast-snapcast report it.
struct MPRISState: Equatable {
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
    /// The current episode; nil until the episode was read.
    var episode: EpisodeReply?
    /// The beginning of the current episode's notes.
    var summary: String?
    /// The cover of the current episode: the URL of its file for the desktop, the file in Base64 for Snapcast.
    var cover: String?
    /// The permission of the connection; nil without a daemon.
    var permission: CommandDeclaration.Permission?

    /// Takes the player's next state. A state without the title, length and position of its episode is left out until the daemon has
    /// looked them up, so that other programs see all of them change at once.
    mutating func update(_ player: PlayerReply) {
        isLookingUp = player.state != .stopped && player.announcement == nil && player.episode?.title == nil
        if !isLookingUp { self.player = player }
    }

    /// Forgets what belongs to a daemon that has gone. Volume and speed stay, because the next one will have the same.
    mutating func loseDaemon() {
        let volume = player.volume
        let speed = player.speed
        self = MPRISState()
        player.volume = volume
        player.speed = speed
    }

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

    /// The current episode as the library has it; nil until it was read.
    var row: Episode? { episode.flatMap { $0.episode.id == player.episode?.id ? $0.episode : nil } }
    var title: String? { (player.episode?.title ?? row?.title).flatMap { SafeText.title($0) } }
    var show: String? { (player.feed?.title ?? row?.feedTitle).flatMap { SafeText.title($0) } }

    /// The state at an instant if nothing changes until then.
    func later(_ now: Instant) -> MPRISState {
        var later = self
        later.player = player.state(at: now)
        return later
    }

    var canControl: Bool { permission.map { $0 >= .control } ?? false }
    var hasTrack: Bool { player.episode != nil }
    var canPlay: Bool { canControl && (hasTrack || queue.length > 0) }
    var canPause: Bool { canControl && hasTrack }
    var canSeek: Bool { canControl && hasTrack && player.duration != nil && status != .stopped }
    var canGoPrevious: Bool { canControl && hasTrack }
    /// A stopped player does not name the next episode.
    var canGoNext: Bool {
        canControl && (player.upcoming.next != nil || (status == .stopped && queue.length > (queue.index ?? 0)))
    }
}

/// Tracks are entries of the queue: an episode that is queued twice is two of them.
enum MPRISTrack {
    private static let longestComment = 2000

    static func path(_ entry: EntryID) -> String { "/org/podcastd/entry/\(entry.rawValue)" }

    static func metadata(_ state: MPRISState) -> [BusMember] {
        guard let playing = state.player.episode else { return [] }
        let row = state.row
        // Desktop environments show the artist, not the album, so the show is both.
        let show = state.show
        let members: [(name: String, value: BusValue?)] = [
            ("mpris:trackid", .path(path(playing.entry))),
            ("mpris:length", state.player.duration.map { .int64($0.nanoseconds / 1000) }),
            ("mpris:artUrl", row.flatMap { _ in text(state.cover) }), ("xesam:title", text(state.title)),
            ("xesam:album", text(show)), ("xesam:artist", show.map { .strings([$0]) }),
            ("xesam:url", text(row?.enclosure.url)), ("xesam:contentCreated", text(row?.published.description)),
            ("xesam:trackNumber", number(row?.number)), ("xesam:discNumber", number(row?.season)),
            ("xesam:lastUsed", text(row?.state.lastPlayed?.description)),
            ("xesam:comment", row.flatMap { _ in comment(state.summary) }),
        ]
        return members.compactMap { name, value in value.map { BusMember(name, $0) } }
    }

    private static func text(_ text: String?) -> BusValue? {
        text.flatMap { $0.isEmpty ? nil : .string(SafeText.line($0)) }
    }

    private static func number(_ number: Int?) -> BusValue? { number.flatMap { Int32(exactly: $0) }.map { .int32($0) } }

    private static func comment(_ summary: String?) -> BusValue? {
        let text = SafeText.lines(String((summary ?? "").unicodeScalars.prefix(longestComment)))
        return text.isEmpty ? nil : .strings([text])
    }
}
