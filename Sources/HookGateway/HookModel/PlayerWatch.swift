internal import ControlProtocol
internal import PodcastModel

/// Which events the states of the player mean. States that come and go between two reports are missed.
struct PlayerWatch: Equatable, Sendable {
    private var last: PlayerReply?
    /// The entry that was heard since playback began.
    private var heard: EntryID?
    private var isPaused = false

    /// Whether the last report has left an entry, so that the history may have a new line.
    private(set) var hasLeftEntry = false

    /// Takes a report. The first one is only the beginning.
    mutating func take(_ player: PlayerReply) -> [HookEvent] {
        defer { last = player }
        let entry = player.episode?.entry
        guard let last else {
            heard = player.state == .stopped ? nil : entry
            isPaused = player.state == .paused
            return []
        }
        hasLeftEntry = last.state != .stopped && (player.state == .stopped || last.episode?.entry != entry)
        var events: [HookEvent] = []
        if last.sleep != nil && player.sleep == nil && player.state == .paused && last.state != .paused {
            events.append(.sleepTimerEnded)
        }
        switch player.state {
        case .playing:
            if heard != entry { events.append(.episodeStarted) } else if isPaused { events.append(.resumed) }
            (heard, isPaused) = (entry, false)
        case .paused:
            if !isPaused && heard != nil { events.append(.paused) }
            isPaused = true
        case .stopped:
            if last.state != .stopped { events.append(.stopped) }
            (heard, isPaused) = (nil, false)
        case .loading, .buffering: break
        }
        return events
    }
}
