internal import MediaPorts
internal import PodcastModel
internal import Synchronization

/// The player's status, for any thread: the state after the last event, with present values of renderer, PCM ring and source.
final class PlayerBoard: Sendable {
    private struct State {
        var status = PlayerStatus()
        var listening: Listening?
        /// Whether the renderer plays the generation of `listening`.
        var isSounding = false
        var deck: Player.Deck?
        var hostWait: HostWait?
        var handlers: [@Sendable () -> Void] = []
        /// Playing time that must be decoded before there is sound.
        var goal = Duration.zero
    }

    private let state = Mutex(State())
    private let renderer: any AudioRendering
    private let clock: any TimerClock

    init(renderer: any AudioRendering, clock: any TimerClock) {
        self.renderer = renderer
        self.clock = clock
    }

    func observe(_ handler: @escaping @Sendable () -> Void) { state.withLock { $0.handlers.append(handler) } }

    /// Whether the current episode has chapters, as far as known.
    var hasChapters: Bool { state.withLock { $0.status.chapters.contains(where: \.isListed) } }

    /// Where the chapter that is heard at a position ends; nil in the last one and without chapters.
    func chapterEnd(at position: MediaTime) -> MediaTime? {
        let (chapters, skips) = state.withLock { ($0.status.chapters, $0.status.parameters.skips) }
        return ChapterList(merging: [chapters]).heardEnd(at: position, skipping: skips)
    }

    var status: PlayerStatus {
        let state = self.state.withLock { $0 }
        var status = state.status
        let now = clock.now
        status.instant = now
        let playhead = renderer.playhead
        if state.isSounding {
            let isCurrent = playhead.generation == state.listening?.generation
            if isCurrent { status.position = playhead.position(at: now) }
            // No event reports that the renderer continues with another speed, a tenth of a second after the change. Clients that
            // compute positions from the event of the change need the new speed at once.
            status.pace = isCurrent ? playhead.speed(at: now) : status.speed
        }
        if let duration = status.duration, status.position > duration {
            // Only a measured end limits the position; any other was wrong.
            if state.listening?.measuredDuration != nil { status.position = duration } else { status.duration = nil }
        }
        var wait = state.hostWait
        if let deck = state.deck {
            status.bufferSeconds = deck.decoder.pcm.bufferedSeconds
            status.bufferFill = state.goal > .zero ? min(.seconds(status.bufferSeconds) / state.goal, 1) : 1
            let snapshot = deck.source.snapshot
            status.bufferRate = snapshot.rate
            wait = snapshot.wait
        }
        if let cause = status.cause { status.reason = cause.description(wait, at: now) }
        status.chapter = status.chapters.last { $0.start <= status.position }
        return status
    }

    /// Calls the handlers although the state is the same, because a wait continues.
    func tell() { for handler in state.withLock({ $0.handlers }) { handler() } }

    func publish(_ player: AnnouncingPlayer, volume: Int, sleep: SleepTimer, deck: Player.Deck?, hostWait: HostWait?) {
        var status = PlayerStatus()
        let machine = player.current
        let state = machine.state
        let listening = machine.listening
        status.state = state.kind
        status.reason = machine.reason ?? (sleep.isAsleep && state.kind == .paused ? "the sleep timer has ended" : nil)
        status.sleep = sleep.status
        status.feedVolume = listening?.media.volume
        status.cause = machine.cause
        if case .stopped(let reason) = state { status.stopReason = reason } else { status.stopReason = nil }
        status.announcement = player.isAnnouncing ? listening?.media.title : nil
        status.entry = player.isAnnouncing ? nil : machine.entry
        let media = listening?.media
        status.title = media?.title
        status.feed = media?.feed
        status.feedTitle = media?.feedTitle
        status.position = machine.position ?? .zero
        status.duration = listening?.duration
        status.volume = volume
        status.speed = (listening?.parameters.speed ?? machine.settings.sound.speed).factor
        status.parameters = listening?.parameters ?? .neutral
        status.error = player.report
        status.info = listening?.info
        status.left = player.player.left
        // While paused, show the saved position, even if the sink thread has not stopped the sound yet.
        let isSounding = listening?.progress == .sounding && !machine.isHeld
        let goal = listening?.goal(player.settings) ?? player.settings.prebuffer
        let (handlers, old) = self.state.withLock { state in
            let known = state.listening
            let isMerged = known?.media.chapters == listening?.media.chapters && known?.info == listening?.info
            status.chapters = isMerged ? state.status.chapters : listening?.chapters ?? []
            var before = state.status
            // The regular progress of the position is not a change. A jump is one; it comes with a new generation.
            before.position = status.position
            let hasChanged = before != status || state.listening?.generation != listening?.generation
            let old = state.deck
            state.status = status
            state.listening = listening
            state.isSounding = isSounding
            state.goal = goal
            state.deck = deck
            state.hostWait = hostWait
            return (hasChanged ? state.handlers : [], old)
        }
        // Release the old values outside the lock, because releasing the last reference to a source closes it.
        _ = old
        for handler in handlers { handler() }
    }
}
