public import MediaPorts
internal import PodcastModel

/// Makes the player's decisions: takes events and returns actions. It reads no clock and has no side effects.
///
/// Three numbers identify stale results: `session` increases with each attempt to play an entry, `generation` with each
/// entry and seek, `request` with each query to the queue. Events with an older number are ignored.
public struct PlayerStateMachine: Equatable, Sendable {
    /// How many times a file that changed at its host is opened again before the player gives up.
    public static let maximumReopenings = 2

    public internal(set) var state: PlayerState = .stopped(.neverStarted)
    /// The last failure; cleared when a user starts or stops playback.
    public internal(set) var report: MediaFailure?
    var settings: PlaybackSettings
    var session: UInt32 = 0
    var generation: UInt32 = 0
    var request: UInt32 = 0
    /// The query with number `request`; nil once it is answered or no longer relevant.
    var asked: PlayerAction.Choice?
    /// The last failed write; nil once recording the position succeeds again.
    var failedRecord: MediaFailure?
    var sinkTrouble: SinkError?
    /// Entries whose hosts could not be reached, in order, since the last sound or command; all on one host.
    var unreached: [Unreached] = []
    /// The entry whose host is awaited; nil after a sound or a command.
    var awaited: AwaitedEntry?
    /// The entry of the last `play`, until it is heard or another command follows.
    var requested: RequestedEntry?
    /// What playback returns to after the message that plays; nil while none does.
    var interruption: Interruption?
    /// The entry that was heard last, unless to its end.
    var lastHeard: QueueEntry?
    /// Where playback left an entry last; nil before it left one.
    var left: LeftEntry?
    var isShutDown = false
    /// What happens at the end of the episode.
    var endHold = EndHold.none
    /// Whether the last event was the end of an episode that was heard to it.
    var hasHeardEnd = false

    /// Creates a state machine in the state `stopped`.
    public init(settings: PlaybackSettings = PlaybackSettings()) {
        self.settings = settings
    }

    /// The legal successors of a state, including the state itself.
    public static func successors(of kind: PlayerState.Kind) -> Set<PlayerState.Kind> {
        switch kind {
        case .stopped: [.stopped, .loading]
        case .loading: [.loading, .buffering, .playing, .paused, .stopped]
        case .buffering: [.buffering, .playing, .loading, .paused, .stopped]
        case .playing: [.playing, .buffering, .loading, .paused, .stopped]
        case .paused: [.paused, .loading, .buffering, .playing, .stopped]
        }
    }

    /// Handles an event.
    ///
    /// - Parameter moment: playhead and buffer at the time of the event.
    /// - Returns: the actions to execute, in order.
    public mutating func handle(_ event: PlayerEvent, at moment: PlayerMoment = PlayerMoment()) -> [PlayerAction] {
        note(moment)
        // The library and the queue hear nothing of a message.
        return decide(event, at: moment).filter { !$0.concernsMessage }
    }

    private mutating func decide(_ event: PlayerEvent, at moment: PlayerMoment) -> [PlayerAction] {
        hasHeardEnd = false
        if event.isCommand { (unreached, awaited) = ([], nil) }
        let abandoned = event.isAbandoning ? abandonRequest() : []
        if event.isOtherEntry { requested = nil }
        return follow(event, at: moment) + abandoned
    }

    private mutating func follow(_ event: PlayerEvent, at moment: PlayerMoment) -> [PlayerAction] {
        switch event {
        case .play(let entry, let start, let isNew):
            return endMessage() + play(entry, at: start, isNew: isNew)
        case .announce(let media, let place): return announce(media, leavingAt: place)
        case .stop where interruption != nil: return endMessage() + stop()
        case .shutdown where interruption != nil: return endMessage() + shutdown()
        case .step where interruption != nil: return returnFromMessage()
        case .resume: return resume(at: moment)
        case .pause: return pause(at: moment)
        case .toggle:
            switch state {
            case .stopped, .paused: return resume(at: moment)
            case .loading, .buffering, .playing: return pause(at: moment)
            }
        case .stop: return stop()
        case .seek(let argument): return seek(argument)
        case .step(let step): return self.step(step)
        case .shutdown: return shutdown()
        case .queueChanged: return queueChanged()
        case .removed(let entries): return leave(entries)
        case .soundChanged(let sound):
            settings.sound = sound
            return adjustSound()
        case .feedSoundChanged(let feed, let sound, let isMusic): return use(sound, of: feed, isMusic: isMusic)
        case .skipsChanged(let skips, let episode): return use(skips, of: episode)
        case .chaptersArrived(let chapters, let episode): return use(chapters, of: episode)
        case .chosen(let request, let entry): return chosen(entry, request: request)
        case .choiceFailed(let request, let failure): return choiceFailed(failure, request: request)
        case .resolved(let session, let media): return resolved(media, session: session)
        case .resolutionFailed(let session, let failure): return resolutionFailed(failure, session: session)
        case .startFailed(let session, let failure):
            guard let listening = current(session) else { return [] }
            return fail(listening, failure)
        case .endless(let session, let isCertain): return endless(session: session, isCertain: isCertain)
        case .source(let session, let phase): return source(phase, session: session, at: moment)
        case .decoder(let session, let event): return decoder(event, session: session, at: moment)
        case .renderer(let event): return renderer(event)
        case .recordFailed(let failure):
            report = failure
            failedRecord = failure
            return []
        case .recordRecovered:
            if report == failedRecord { report = nil }
            failedRecord = nil
            return []
        case .heldLong(let generation): return heldLong(generation: generation)
        case .retryIsDue(let session): return retry(session: session)
        case .fellAsleep(let place): return fallAsleep(at: place)
        case .sleepIsDue: return []
        }
    }
}

// MARK: Commands

extension PlayerStateMachine {
    private mutating func play(_ entry: QueueEntry, at start: MediaTime?, isNew: Bool) -> [PlayerAction] {
        guard !isShutDown else { return [.refuse(.shuttingDown)] }
        report = nil
        // If the entry is current already, continue it: no gap, and no second request to the host.
        if state.entry == entry, let listening = state.listening, listening.failure == nil {
            guard let start else { return resume(at: PlayerMoment()) }
            return restart(at: start)
        }
        let superseded = waitingRequest.flatMap { $0.isNew && $0.entry != entry ? $0.entry : nil }
        let forgetting = superseded.map { [PlayerAction.discard($0, isWithdrawn: true)] } ?? []
        let requested = RequestedEntry(entry: entry, isNew: isNew, former: former)
        defer { self.requested = requested }
        // An explicit start position is saved like a seek, even if starting fails.
        if let start {
            let start = max(start, .zero)
            return begin(entry, at: start, isHeld: false, isChosen: true)
                + [.savePosition(start, entry.episode, isHeard: false)] + forgetting
        }
        // `leave` saves the position only after this lookup, so pass it along instead of reading it back.
        let isSame = state.listening.map { $0.wasHeard && $0.entry.episode == entry.episode } ?? false
        return begin(entry, at: isSame ? state.listening?.position : nil, isHeld: false) + forgetting
    }

    /// What playback returns to if another entry cannot be played.
    private var former: RequestedEntry.Former? {
        guard let listening = state.listening, listening.wasHeard, listening.failure == nil, !isNearlyOver(listening)
        else { return requested?.former }
        return RequestedEntry.Former(
            entry: listening.entry, position: listening.position, isHeld: state.kind == .paused)
    }

    /// Leaves the current entry and queries the library for another one.
    mutating func begin(
        _ entry: QueueEntry, at start: MediaTime?, isHeld: Bool, isChosen: Bool = false
    ) -> [PlayerAction] {
        let leaving = leaveForOther(entry)
        session += 1
        asked = nil
        var resolving = Resolving(entry: entry, start: start, session: session)
        resolving.isChosen = isChosen
        place(.resolving(resolving), isHeld: isHeld)
        return [.resolve(session: session, entry.episode)] + leaving + [.setCurrentEntry(entry)]
    }

    /// Queries the queue for an entry to play; the player has no current entry until the queue answers.
    mutating func choose(
        _ choice: PlayerAction.Choice, otherwise: StopReason, isHeld: Bool
    ) -> [PlayerAction] {
        let question = ask(choice)
        place(.choosing(Choosing(request: request, otherwise: otherwise)), isHeld: isHeld)
        return [question]
    }

    mutating func resume(at moment: PlayerMoment) -> [PlayerAction] {
        switch state {
        case .stopped(let reason):
            guard !isShutDown else { return [.refuse(.shuttingDown)] }
            report = nil
            return choose(.current, otherwise: reason, isHeld: false)
        case .loading, .buffering, .playing: return []
        case .paused(.choosing(let choosing)):
            state = .loading(.choosing(choosing))
            return []
        case .paused(.resolving(let resolving)):
            state = .loading(.resolving(resolving))
            return []
        case .paused(.listening(var listening)):
            if let failure = listening.failure, listening.progress != .sounding {
                return fail(listening, failure)
            }
            var actions: [PlayerAction] = []
            let wasSuspended = listening.isSourceSuspended
            if wasSuspended, !listening.isLive {
                listening.isSourceSuspended = false
                if let byte = listening.missingByte { actions.append(.wakeSource(from: byte)) }
            }
            if listening.isLive, wasSuspended {
                listening.position = .zero
                return reopen(listening, isHeld: false)
            }
            let rewind = listening.isLive ? .zero : rewind(of: listening, at: moment)
            listening.pausedAt = nil
            settle(listening, isHeld: false)
            if rewind > .zero { actions += seek(.relative(.zero - rewind)) }
            return actions + [.setPaused(false)]
        }
    }

    /// How far playback goes back after a pause, so that the listener finds the thread again.
    private func rewind(of listening: Listening, at moment: PlayerMoment) -> MediaTime {
        guard listening.progress == .sounding, let paused = listening.pausedAt, let now = moment.time else {
            return .zero
        }
        return settings.rewind(after: .milliseconds(now.milliseconds - paused.milliseconds))
    }

    mutating func pause(at moment: PlayerMoment = PlayerMoment()) -> [PlayerAction] {
        switch state {
        case .stopped, .paused: return []
        case .loading(let stage):
            state = .paused(stage)
            guard case .listening = stage else { return [] }
            return [.setPaused(true)]
        case .buffering(var listening, _), .playing(var listening):
            listening.pausedAt = moment.time
            state = .paused(.listening(listening))
            return [.setPaused(true)] + record(listening)
        }
    }

    private mutating func stop() -> [PlayerAction] {
        report = nil
        // A pending answer must not start playback.
        asked = nil
        if case .stopped(let reason) = state {
            if case .failed = reason { state = .stopped(.asked) }
            return []
        }
        let actions = isShutDown ? leave() : leaveForOther()
        state = .stopped(.asked)
        return actions
    }

    private mutating func leave(_ entries: Set<EntryID>) -> [PlayerAction] {
        guard let entry = state.entry, entries.contains(entry.id) else { return [] }
        if state.kind == .paused { return stop() }
        requested = nil
        return leaveForOther() + choose(.step(.next, from: entry.id), otherwise: .asked, isHeld: false)
    }

    private mutating func shutdown() -> [PlayerAction] {
        isShutDown = true
        return stop()
    }

    private mutating func queueChanged() -> [PlayerAction] {
        guard let listening = state.listening, listening.isDecoded else { return [] }
        return [.prepareNext(after: listening.entry.id)]
    }
}

// MARK: Helpers

extension PlayerStateMachine {
    /// The current stage, whether paused or not; nil if stopped.
    var stage: PlayerStage? {
        switch state {
        case .stopped: nil
        case .loading(let stage), .paused(let stage): stage
        case .buffering(let listening, _), .playing(let listening): .listening(listening)
        }
    }

    /// The current episode, if it has this session number.
    func current(_ session: UInt32) -> Listening? {
        guard let listening = state.listening, listening.session == session else { return nil }
        return listening
    }

    mutating func place(_ stage: PlayerStage, isHeld: Bool) {
        if case .listening(let listening) = stage { return settle(listening, isHeld: isHeld) }
        state = isHeld ? .paused(stage) : .loading(stage)
    }

    /// Sets the state that matches the episode's progress.
    mutating func settle(_ listening: Listening, isHeld: Bool) {
        if isHeld {
            state = .paused(.listening(listening))
            return
        }
        switch listening.progress {
        case .opening: state = .loading(.listening(listening))
        case .seeking, .filling, .starved: state = .buffering(listening, cause(of: listening))
        case .sounding: state = sinkTrouble == nil ? .playing(listening) : .buffering(listening, cause(of: listening))
        }
    }

    /// Changes the volume of the current episode, if it is of this feed.
    mutating func setFeedVolume(_ volume: Int?, of feed: FeedID) {
        guard var listening = state.listening, listening.media.feed == feed else { return }
        listening.media.volume = volume
        settle(listening, isHeld: state.kind == .paused)
    }

    func cause(of listening: Listening) -> BufferingCause {
        if let sinkTrouble { return .sink(sinkTrouble.message) }
        if let retry = listening.retry {
            return .reconnecting(attempt: retry.attempt, delay: retry.delay, reason: retry.reason)
        }
        if listening.progress == .seeking { return .seeking }
        switch listening.phase {
        case .connecting: return .connecting(host: WebAddress.authority(of: listening.media.url))
        case .receiving, .failed, .waitingToRetry: return .waitingForData
        case .idle, .complete: return .decoding
        }
    }

    /// As `leave`, but an episode that is nearly over counts as played.
    /// - Parameter next: the entry that follows; nil if none does.
    private mutating func leaveForOther(_ next: QueueEntry? = nil) -> [PlayerAction] {
        guard let listening = state.listening, listening.wasHeard, listening.entry != next, isNearlyOver(listening)
        else { return leave() }
        sinkTrouble = nil
        return [.silence, .finish(listening.entry, heard: listening.position)]
    }

    /// Whether what is left of an episode counts as heard.
    private func isNearlyOver(_ listening: Listening) -> Bool {
        guard settings.playedBeforeEnd > .zero, let end = listening.measuredDuration else { return false }
        return listening.position >= end - settings.playedBeforeEnd
    }

    /// Saves the position, unless there was neither sound nor a seek: a failed start must not overwrite the saved
    /// position.
    func record(_ listening: Listening) -> [PlayerAction] {
        guard listening.wasHeard, !listening.isLive else { return [] }
        return [.savePosition(listening.position, listening.entry.episode)]
    }

    /// Opens the same entry again at its position, with a new source and decoder.
    mutating func reopen(_ listening: Listening, isHeld: Bool) -> [PlayerAction] {
        let fresh = renewed(listening)
        settle(fresh, isHeld: isHeld)
        return [.silence, start(fresh, isHeld: isHeld)]
    }

    /// The same entry at its position, for a new source and decoder.
    mutating func renewed(_ listening: Listening) -> Listening {
        session += 1
        generation += 1
        var fresh = Listening(
            entry: listening.entry, media: listening.media, session: session, generation: generation,
            position: listening.position)
        fresh.parameters = listening.parameters
        fresh.chosen = listening.chosen
        fresh.wasHeard = listening.wasHeard
        fresh.reopenings = listening.reopenings
        fresh.isLive = listening.isLive
        return fresh
    }

    func start(_ listening: Listening, isHeld: Bool) -> PlayerAction {
        .start(
            session: listening.session, generation: listening.generation, listening.entry, listening.media,
            at: listening.position, isHeld: isHeld, listening.parameters)
    }

    /// Stores the playhead position in the state, so that all decisions use it.
    private mutating func note(_ moment: PlayerMoment) {
        guard let heard = moment.heard, var listening = state.listening, listening.progress == .sounding else {
            return
        }
        listening.position = heard
        switch state {
        // Keep the position that `pause` saved until there is sound again.
        case .stopped, .loading, .paused: return
        case .buffering(_, let cause): state = .buffering(listening, cause)
        case .playing: state = .playing(listening)
        }
    }
}
