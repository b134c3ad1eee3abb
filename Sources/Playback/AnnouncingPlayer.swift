internal import MediaPorts
internal import PodcastModel

/// A player that messages may interrupt. One state machine plays a message; the player's own keeps what playback returns to.
struct AnnouncingPlayer: Equatable {
    var player: PlayerStateMachine
    /// Plays the message; nil while none plays.
    private var message: PlayerStateMachine?

    init(_ player: PlayerStateMachine) { self.player = player }

    /// What is heard: the message, or else the player.
    var current: PlayerStateMachine { message ?? player }
    var isAnnouncing: Bool { message != nil }
    var state: PlayerStateMachine.State { current.state }
    var report: MediaFailure? { message?.report ?? player.report }

    var settings: PlaybackSettings {
        get { player.settings }
        set {
            player.settings = newValue
            message?.settings = newValue
        }
    }

    /// Whether an event is the end of an episode: it was heard, or a seek leads there.
    func isEnd(_ event: PlayerEvent, at moment: PlayerMoment) -> Bool {
        guard message == nil else { return false }
        if case .renderer(.ended(let generation)) = event { return player.isHeardToEnd(generation) }
        guard case .seek = event else { return false }
        var player = player
        return player.handle(event, at: moment).contains { if case .finish = $0 { true } else { false } }
    }

    mutating func handle(_ event: PlayerEvent, at moment: PlayerMoment = PlayerMoment()) -> [PlayerAction] {
        if case .announce(let media, let place) = event { return announce(media, leavingAt: place, at: moment) }
        guard var message else { return player.handle(event, at: moment) }
        switch event {
        case .play, .stop, .shutdown: return endMessage() + player.handle(event)
        case .step: return endMessage() + player.resumeInterrupted()
        case .fellAsleep:
            // The message is heard to its end; what it interrupted is paused then.
            _ = player.handle(event)
            return []
        case .recordFailed, .recordRecovered, .reportIsOld: return player.handle(event)
        // What the player must do follows when it is resumed.
        case .removed, .soundChanged, .chaptersArrived, .chosen, .choiceFailed: _ = player.handle(event)
        case .announce, .resume, .pause, .toggle, .seek, .queueChanged, .feedSoundChanged, .skipsChanged,
            .resolved, .resolutionFailed, .startFailed, .source, .endless,
            .decoder, .renderer, .heldLong, .retryIsDue, .timePassed:
            break
        }
        let actions = message.handle(event, at: moment).filter(\.isAboutSound)
        self.message = message
        // The message has ended or failed.
        guard message.entry == nil else { return actions }
        _ = endMessage()
        player.report = message.report
        return actions + player.resumeInterrupted()
    }

    /// Plays a message. Another one that plays is replaced, and playback returns to where it was before that one.
    private mutating func announce(
        _ media: PlaybackMedia, leavingAt place: MediaTime?, at moment: PlayerMoment
    ) -> [PlayerAction] {
        if case .shutDown = player.activity { return [.refuse(.shuttingDown)] }
        player.updatePosition(moment)
        let leaving = message == nil ? player.interrupt(at: place) : endMessage()
        var message = PlayerStateMachine(settings: player.settings, numbers: player.numbers)
        defer { self.message = message }
        // No entry and no episode has a negative id.
        _ = message.begin(QueueEntry(id: EntryID(-1), episode: EpisodeID(-1)), at: .zero, isHeld: false)
        return leaving + message.resolved(media, session: message.numbers.session)
    }

    private mutating func endMessage() -> [PlayerAction] {
        if let message { player.numbers = message.numbers }
        message = nil
        return [.silence]
    }
}

extension PlayerStateMachine {
    /// Leaves the current entry. `resumeInterrupted` returns to it.
    /// - Parameter place: where playback returns to; nil for the last known position.
    fileprivate mutating func interrupt(at place: MediaTime?) -> [PlayerAction] {
        report = nil
        if case .step = intent {} else { intent = .order }
        guard var listening else { return [] }
        if let place { listening.position = place }
        let leaving = leave(listening)
        resolve(listening.entry, at: listening.position, isHeld: isHeld)
        return leaving
    }

    /// Queries library or queue again for what was interrupted.
    fileprivate mutating func resumeInterrupted() -> [PlayerAction] {
        switch stage {
        case .choosing(let choosing):
            return choose(choosing.question.choice, otherwise: choosing.otherwise, isHeld: isHeld)
        case .resolving(let resolving):
            return begin(resolving.entry, at: resolving.start, isHeld: isHeld, isChosen: resolving.isChosen)
        case .listening, nil: return []
        }
    }
}

extension PlayerAction {
    /// Whether it tells nothing to the library and the queue, which do not know messages.
    var isAboutSound: Bool {
        switch self {
        case .start, .seek, .change, .retryLater, .setPaused, .silence, .suspendSource, .wakeSource, .refuse: true
        case .choose, .resolve, .savePosition, .finish, .discard, .requestFailed, .setMeasuredDuration,
            .forgetMeasurements, .setCurrentEntry, .prepareNext:
            false
        }
    }
}
