internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import SessionBus

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
    /// The current episode; nil until the episode was read.
    var episode: EpisodeReply?
    /// The beginning of the current episode's notes.
    var summary: String?
    var artURL: String?
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
    /// A stopped player does not name the next episode.
    var canGoNext: Bool {
        canControl && (player.upcoming.next != nil || (status == .stopped && queue.length > (queue.index ?? 0)))
    }
}

/// Tracks are entries of the queue: an episode that is queued twice is two of them.
enum MPRISTrack {
    /// What stands for no track where a path is needed.
    static let none = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
    private static let prefix = "/org/podcastd/entry/"
    private static let longestComment = 2000

    static func path(_ entry: EntryID) -> String { prefix + String(entry.rawValue) }

    static func entry(_ path: String) -> EntryID? {
        guard path.hasPrefix(prefix), let number = Int64(path.dropFirst(prefix.count)), number > 0 else { return nil }
        return self.path(EntryID(number)) == path ? EntryID(number) : nil
    }

    /// The metadata of the track that plays, or would.
    static func metadata(_ state: MPRISState) -> [BusMember] {
        guard let playing = state.player.episode else { return [] }
        let row = state.episode.flatMap { $0.episode.id == playing.id ? $0 : nil }
        var list = Members(playing.entry)
        list.length(state.player.duration)
        list.text("mpris:artUrl", row == nil ? nil : state.artURL)
        list.title(playing.title ?? row?.episode.title)
        list.show(state.player.feed?.title ?? row?.episode.feedTitle)
        if let row { list.episode(row.episode) }
        if row != nil, let summary = state.summary {
            let text = SafeText.lines(String(summary.unicodeScalars.prefix(longestComment)))
            if !text.isEmpty { list.members.append(BusMember("xesam:comment", .strings([text]))) }
        }
        return list.members
    }

    /// The metadata of an entry of the queue.
    static func metadata(_ entry: EntryReply) -> [BusMember] {
        var list = Members(entry.id)
        if let row = entry.episode?.episode {
            list.length(row.duration)
            list.title(row.title)
            list.show(row.feedTitle)
            list.episode(row)
        }
        return list.members
    }

    private struct Members {
        var members: [BusMember]

        init(_ entry: EntryID) { members = [BusMember("mpris:trackid", .path(path(entry)))] }

        mutating func length(_ time: MediaTime?) {
            if let time { members.append(BusMember("mpris:length", .int64(time.nanoseconds / 1000))) }
        }

        mutating func text(_ name: String, _ text: String?) {
            guard let text, !text.isEmpty else { return }
            members.append(BusMember(name, .string(SafeText.line(text))))
        }

        mutating func title(_ title: String?) { text("xesam:title", title.flatMap { SafeText.title($0) }) }

        /// Desktop environments show the artist, not the album, so the show is both.
        mutating func show(_ title: String?) {
            guard let title = title.flatMap({ SafeText.title($0) }) else { return }
            members.append(BusMember("xesam:album", .string(title)))
            members.append(BusMember("xesam:artist", .strings([title])))
        }

        mutating func episode(_ episode: Episode) {
            text("xesam:url", episode.enclosure.url)
            text("xesam:contentCreated", episode.published.description)
            number("xesam:trackNumber", episode.number)
            number("xesam:discNumber", episode.season)
            text("xesam:lastUsed", episode.state.lastPlayed?.description)
        }

        private mutating func number(_ name: String, _ number: (some BinaryInteger)?) {
            if let number = number.flatMap({ Int32(exactly: $0) }) { members.append(BusMember(name, .int32(number))) }
        }
    }
}
