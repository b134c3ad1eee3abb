public import MediaPorts
internal import PodcastModel

/// The player's decisions: events in, actions out. It reads no clock and touches nothing.
///
/// Three numbers keep stale results apart: `session` grows with every attempt at an entry, `generation` with every
/// entry and seek, `request` with every question to the queue. Whatever carries an older one is passed over.
public struct PlayerStateMachine: Equatable, Sendable {
    /// How often a file that changed at its host is opened again before the player gives it up.
    public static let maximumReopenings = 2

    /// What the player does.
    public internal(set) var state: PlayerState = .stopped(.neverStarted)
    /// The last thing that went wrong; kept until somebody starts or stops something.
    public internal(set) var report: MediaFailure?
    var settings: PlaybackSettings
    var session: UInt32 = 0
    var generation: UInt32 = 0
    var request: UInt32 = 0
    /// What the question numbered `request` asks; nil once it is answered or of no interest any more.
    var asked: PlayerAction.Choice?
    /// The report of a record that could not be written, until one is written again.
    var failedRecord: MediaFailure?
    var sinkTrouble: SinkError?
    var isShutDown = false

    /// A player that was never started.
    public init(settings: PlaybackSettings = PlaybackSettings()) {
        self.settings = settings
    }

    /// What may follow what; a state may always stay as it is.
    public static func successors(of kind: PlayerState.Kind) -> Set<PlayerState.Kind> {
        switch kind {
        case .stopped: [.stopped, .loading]
        case .loading: [.loading, .buffering, .playing, .paused, .stopped]
        case .buffering: [.buffering, .playing, .loading, .paused, .stopped]
        case .playing: [.playing, .buffering, .loading, .paused, .stopped]
        case .paused: [.paused, .loading, .buffering, .playing, .stopped]
        }
    }

    /// Takes an event.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - moment: what is heard and decoded at this instant.
    /// - Returns: what to do, in order.
    public mutating func handle(_ event: PlayerEvent, at moment: PlayerMoment = PlayerMoment()) -> [PlayerAction] {
        note(moment)
        switch event {
        case .play(let entry, let start): return play(entry, at: start)
        case .resume: return resume(at: moment)
        case .pause: return pause()
        case .toggle:
            switch state {
            case .stopped, .paused: return resume(at: moment)
            case .loading, .buffering, .playing: return pause()
            }
        case .stop: return stop()
        case .seek(let argument): return seek(argument)
        case .step(let step): return self.step(step)
        case .shutdown: return shutdown()
        case .queueChanged: return queueChanged()
        case .chosen(let request, let entry): return chosen(entry, request: request)
        case .choiceFailed(let request, let failure): return choiceFailed(failure, request: request)
        case .resolved(let session, let media): return resolved(media, session: session)
        case .resolutionFailed(let session, let failure): return resolutionFailed(failure, session: session)
        case .startFailed(let session, let failure):
            guard let listening = current(session) else { return [] }
            return fail(listening, failure)
        case .source(let session, let phase): return source(phase, session: session, at: moment)
        case .shortage(let session, let words): return shortage(words, session: session)
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
        }
    }

    /// The wait that watchers are shown; nil when nobody waits for anything. A look into the queue is none: it may find that
    /// nothing follows.
    public var wait: PlayerWait? {
        switch state {
        case .stopped, .playing, .paused: return nil
        case .loading(let stage):
            switch stage {
            case .choosing: return nil
            case .resolving: return PlayerWait(kind: .loading, subject: nil)
            case .listening(let listening): return PlayerWait(kind: .loading, subject: listening.media.title)
            }
        case .buffering(_, .sink(let message)): return PlayerWait(kind: .output, subject: message)
        case .buffering(let listening, _):
            let kind: PlayerWait.Kind =
                switch listening.progress {
                case .seeking: .seeking
                case .starved: .buffering(goal: settings.rebuffer)
                case .opening, .filling, .sounding: .buffering(goal: settings.prebuffer)
                }
            return PlayerWait(kind: kind, subject: listening.media.title)
        }
    }

    /// Why there is no sound although there should be.
    public var cause: BufferingCause? {
        switch state {
        case .loading(.listening(let listening)): cause(of: listening)
        case .buffering(_, let cause): cause
        case .stopped, .loading(.choosing), .loading(.resolving), .playing, .paused: nil
        }
    }

    /// Why it waits or is stopped, in one line; nil when there is nothing to say.
    public var reason: String? {
        switch state {
        case .stopped(.neverStarted), .stopped(.asked), .playing, .paused: nil
        case .stopped(.ended): "the end of the queue was reached"
        case .stopped(.failed(let failure)): failure.message
        case .loading(.choosing), .loading(.resolving): "looking up the episode"
        case .loading(.listening), .buffering: cause?.description
        }
    }
}

// MARK: Commands

extension PlayerStateMachine {
    private mutating func play(_ entry: QueueEntry, at start: MediaTime?) -> [PlayerAction] {
        guard !isShutDown else { return [.refuse(.shuttingDown)] }
        report = nil
        // Playing what plays is going on with it: no gap, no second request to the host.
        if state.entry == entry, let listening = state.listening, listening.failure == nil {
            guard let start else { return resume(at: PlayerMoment()) }
            return restart(at: start)
        }
        // A word of the listener's counts like a seek, whatever becomes of the start.
        if let start {
            let start = max(start, .zero)
            return begin(entry, at: start, isHeld: false) + [.savePosition(start, entry.episode)]
        }
        // The answer must find the position that `leave` records only later, so it travels with the question.
        let isSame = state.listening.map { $0.wasHeard && $0.entry.episode == entry.episode } ?? false
        return begin(entry, at: isSame ? state.listening?.position : nil, isHeld: false)
    }

    /// Leaves what is under way and asks the library for another entry.
    mutating func begin(_ entry: QueueEntry, at start: MediaTime?, isHeld: Bool) -> [PlayerAction] {
        let leaving = leave()
        session += 1
        asked = nil
        place(.resolving(Resolving(entry: entry, start: start, session: session)), isHeld: isHeld)
        return [.resolve(session: session, entry.episode)] + leaving + [.setCurrentEntry(entry)]
    }

    /// Asks the queue what to play, with nothing under way meanwhile.
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
            if listening.isSourceSuspended {
                listening.isSourceSuspended = false
                if let byte = listening.missingByte { actions.append(.wakeSource(from: byte)) }
            }
            settle(listening, isHeld: false)
            return actions + [.setPaused(false)]
        }
    }

    private mutating func pause() -> [PlayerAction] {
        switch state {
        case .stopped, .paused: return []
        case .loading(let stage):
            state = .paused(stage)
            guard case .listening = stage else { return [] }
            return [.setPaused(true)]
        case .buffering(let listening, _), .playing(let listening):
            state = .paused(.listening(listening))
            return [.setPaused(true)] + record(listening)
        }
    }

    private mutating func stop() -> [PlayerAction] {
        report = nil
        // An answer that is still on its way starts nothing any more.
        asked = nil
        if case .stopped(let reason) = state {
            if case .failed = reason { state = .stopped(.asked) }
            return []
        }
        let actions = leave()
        state = .stopped(.asked)
        return actions
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
    /// What is under way, held or not.
    var stage: PlayerStage? {
        switch state {
        case .stopped: nil
        case .loading(let stage), .paused(let stage): stage
        case .buffering(let listening, _), .playing(let listening): .listening(listening)
        }
    }

    /// The episode under way, if it belongs to this session.
    func current(_ session: UInt32) -> Listening? {
        guard let listening = state.listening, listening.session == session else { return nil }
        return listening
    }

    mutating func place(_ stage: PlayerStage, isHeld: Bool) {
        if case .listening(let listening) = stage { return settle(listening, isHeld: isHeld) }
        state = isHeld ? .paused(stage) : .loading(stage)
    }

    /// Puts an episode into the state that its progress calls for.
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

    func cause(of listening: Listening) -> BufferingCause {
        if let sinkTrouble { return .sink(sinkTrouble.message) }
        if case .waitingToRetry(let attempt, let delay, let reason) = listening.phase {
            return .reconnecting(attempt: attempt, delay: delay, reason: reason)
        }
        if listening.progress == .seeking { return .seeking }
        switch listening.phase {
        case .connecting: return .connecting
        case .receiving, .failed, .waitingToRetry: return .waitingForData
        case .idle, .complete: return .decoding
        }
    }

    /// Silence, with the position kept when there is one worth keeping.
    mutating func leave() -> [PlayerAction] {
        guard let listening = state.listening else { return [] }
        sinkTrouble = nil
        return [.silence] + record(listening)
    }

    /// The position on disk. Nothing is written for what was never heard: a failed start must not overwrite a
    /// good position.
    func record(_ listening: Listening) -> [PlayerAction] {
        guard listening.wasHeard else { return [] }
        return [.savePosition(listening.position, listening.entry.episode)]
    }

    /// Begins the same entry again with a new source and decoder, where `listening` says.
    mutating func reopen(_ listening: Listening, isHeld: Bool) -> [PlayerAction] {
        session += 1
        generation += 1
        var fresh = Listening(
            entry: listening.entry, media: listening.media, session: session, generation: generation,
            position: listening.position)
        fresh.wasHeard = listening.wasHeard
        fresh.reopenings = listening.reopenings
        settle(fresh, isHeld: isHeld)
        return [.silence, start(fresh, isHeld: isHeld)]
    }

    func start(_ listening: Listening, isHeld: Bool) -> PlayerAction {
        .start(
            session: listening.session, generation: listening.generation, listening.entry, listening.media,
            at: listening.position, isHeld: isHeld)
    }

    /// Takes what is heard into the state, so that every later decision knows it.
    private mutating func note(_ moment: PlayerMoment) {
        guard let heard = moment.heard, var listening = state.listening, listening.progress == .sounding else {
            return
        }
        listening.position = heard
        switch state {
        // What a pause saved stays until sound goes on.
        case .stopped, .loading, .paused: return
        case .buffering(_, let cause): state = .buffering(listening, cause)
        case .playing: state = .playing(listening)
        }
    }
}
