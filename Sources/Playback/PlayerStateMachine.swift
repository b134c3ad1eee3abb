internal import MediaPorts
internal import PodcastModel

/// Makes the player's decisions: takes events and returns actions. It reads no clock and has no side effects.
///
/// Events that come with an older number than those of `numbers` are ignored.
struct PlayerStateMachine: Equatable {
    /// What is played, or why nothing is.
    enum Activity: Equatable {
        case stopped(StopReason)
        /// For good, because the program exits.
        case shutDown
        /// - Parameter isHeld: whether the user has paused playback; loading continues without sound.
        case active(PlayerStage, isHeld: Bool)
    }

    /// The newest numbers, by which stale events are recognized.
    struct Numbers: Equatable {
        /// Increases with each attempt to play an entry.
        var session: UInt32 = 0
        /// Increases with each entry and seek.
        var generation: UInt32 = 0
        /// Increases with each query to the queue.
        var request: UInt32 = 0
    }

    static let maximumReopenings = 2

    var activity = Activity.stopped(.neverStarted)
    var intent = Intent.order
    /// The last failure; cleared when a user starts or stops playback.
    var report: MediaFailure?
    /// The last failed write; nil once recording the position succeeds again.
    var failedRecord: MediaFailure?
    var settings: PlaybackSettings
    var numbers: Numbers
    /// The entry that was heard last, unless to its end.
    var lastHeard: QueueEntry?
    /// The chapters that arrived last; their episode may have been looked up before.
    private var newestChapters: [EpisodeID: [Chapter]] = [:]
    /// Where playback left an entry last; nil before it left one.
    var left: LeftEntry?

    init(settings: PlaybackSettings = PlaybackSettings(), numbers: Numbers = Numbers()) {
        self.settings = settings
        self.numbers = numbers
    }

    /// - Returns: the actions to execute, in order.
    mutating func handle(_ event: PlayerEvent, at moment: PlayerMoment = PlayerMoment()) -> [PlayerAction] {
        updatePosition(moment)
        switch event {
        case .play(let entry, let start, let isNew): return play(entry, at: start, isNew: isNew)
        case .resume: return resume(at: moment)
        case .pause: return pause(at: moment)
        case .toggle:
            if case .active(_, isHeld: false) = activity { return pause(at: moment) }
            return resume(at: moment)
        case .stop: return stop()
        case .seek(let argument): return seek(argument)
        case .step(let step): return self.step(step)
        case .shutdown: return shutdown()
        case .queueChanged:
            guard let listening, listening.supply == .decoded else { return [] }
            return [.prepareNext(after: listening.entry.id)]
        case .removed(let entries): return dropCurrent(ifIn: entries)
        case .soundChanged(let sound): settings.sound = sound
        case .feedSoundChanged(let feed, let sound, let isMusic):
            guard listening?.media.feed == feed else { return [] }
            listening?.media.sound = sound
            listening?.media.isMusic = isMusic
        case .skipsChanged(let skips, let episode):
            guard listening?.entry.episode == episode, listening?.media.skips != skips else { return [] }
            listening?.media.skips = skips
        case .chaptersArrived(let chapters, let episode):
            newestChapters = [episode: chapters]
            guard listening?.entry.episode == episode else { return [] }
            listening?.media.chapters = chapters
        case .chosen(let request, let entry): return chosen(entry, request: request)
        case .choiceFailed(let request, let failure): return choiceFailed(failure, request: request)
        case .resolved(let session, let media): return resolved(media, session: session)
        case .resolutionFailed(let session, let failure): return resolutionFailed(failure, session: session)
        case .startFailed(let session, let failure): return current(session).map { fail($0, failure) } ?? []
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
        case .reportIsOld(let old):
            // Keep the reason why the player is stopped, and a failure that persists.
            if report == old, report != failedRecord, stage != nil { report = nil }
            return []
        case .heldLong(let generation): return heldLong(generation: generation)
        case .retryIsDue(let session): return retry(session: session)
        case .fellAsleep(let place): return fallAsleep(at: place)
        // `AnnouncingPlayer` and `SleepTimer` handle these events.
        case .announce, .timePassed: return []
        }
        return adjustSound()
    }

    // MARK: The state

    var state: State {
        switch activity {
        case .stopped(let reason): .stopped(reason)
        case .shutDown: .stopped(.asked)
        case .active(let stage, isHeld: true): .paused(stage)
        case .active(.listening(let listening), isHeld: false):
            switch listening.progress {
            case .opening: .loading(.listening(listening))
            case .sounding where listening.sinkTrouble == nil: .playing(listening)
            case .seeking, .filling, .starved, .sounding: .buffering(listening, listening.cause)
            }
        case .active(let stage, isHeld: false): .loading(stage)
        }
    }

    var stage: PlayerStage? { if case .active(let stage, _) = activity { stage } else { nil } }

    var isHeld: Bool { if case .active(_, isHeld: true) = activity { true } else { false } }

    /// The current episode; nil until its media was looked up. A new value stays paused if the old one was paused.
    var listening: Listening? {
        get { if case .listening(let listening) = stage { listening } else { nil } }
        set {
            guard let newValue, case .active(_, let isHeld) = activity else { return }
            activity = .active(.listening(newValue), isHeld: isHeld)
        }
    }

    /// The current entry; nil if stopped or if the queue has not answered yet.
    var entry: QueueEntry? {
        switch stage {
        case .resolving(let resolving): resolving.entry
        case .listening(let listening): listening.entry
        case .choosing, nil: nil
        }
    }

    /// Where the current entry is heard or will begin; nil until the library has answered with the saved position.
    var position: MediaTime? {
        switch stage {
        case .resolving(let resolving): resolving.start
        case .listening(let listening): listening.position
        case .choosing, nil: nil
        }
    }

    /// Stores the playhead position, for all decisions. The position that `pause` saved stays until there is sound again.
    mutating func updatePosition(_ moment: PlayerMoment) {
        if let heard = moment.heard, !isHeld, listening?.progress == .sounding { listening?.position = heard }
    }

    /// The current episode, if it has this session number.
    func current(_ session: UInt32) -> Listening? { listening.flatMap { $0.session == session ? $0 : nil } }

    // MARK: Entries

    /// Leaves the current entry and queries the library for another one.
    /// - Parameter isChosen: whether the user named the start.
    mutating func begin(
        _ entry: QueueEntry, at start: MediaTime?, isHeld: Bool, isChosen: Bool = false
    ) -> [PlayerAction] {
        let leaving = leaveForOther(entry)
        if case .step = intent { intent = .order }
        numbers.session += 1
        resolve(entry, at: start, isHeld: isHeld, isChosen: isChosen)
        return [.resolve(session: numbers.session, entry.episode)] + leaving + [.setCurrentEntry(entry)]
    }

    /// Waits for the library's reply about an entry.
    mutating func resolve(
        _ entry: QueueEntry, at start: MediaTime?, isHeld: Bool, isChosen: Bool = false, after refusal: Refusal? = nil
    ) {
        let resolving = Resolving(
            entry: entry, start: start, isChosen: isChosen, session: numbers.session, refusal: refusal)
        activity = .active(.resolving(resolving), isHeld: isHeld)
    }

    /// Queries the queue for an entry to play; the player has no current entry until the queue answers.
    mutating func choose(_ choice: PlayerAction.Choice, otherwise: StopReason, isHeld: Bool) -> [PlayerAction] {
        if case .step = intent { intent = .order }
        let question = ask(choice)
        activity = .active(.choosing(Choosing(question: question, otherwise: otherwise)), isHeld: isHeld)
        return [.choose(request: question.number, choice)]
    }

    mutating func ask(_ choice: PlayerAction.Choice) -> Question {
        numbers.request += 1
        return Question(number: numbers.request, choice: choice)
    }

    private var question: Question? {
        if case .choosing(let choosing) = stage { return choosing.question }
        if case .step(let question) = intent { return question }
        return nil
    }

    private mutating func chosen(_ entry: QueueEntry?, request: UInt32) -> [PlayerAction] {
        guard let question, question.number == request else { return [] }
        if case .choosing(let choosing) = stage {
            return entry.map { begin($0, at: nil, isHeld: isHeld) } ?? foundNone(choosing)
        }
        intent = .order
        guard let entry else {
            switch question.choice {
            case .current, .step(.next, from: nil): return [.refuse(.queueIsEmpty)]
            case .step(.next, _): return [.refuse(.noNextEntry)]
            case .step(.previous, _): return [.refuse(.noPreviousEntry)]
            }
        }
        report = nil
        return begin(entry, at: nil, isHeld: false)
    }

    private mutating func foundNone(_ choosing: Choosing) -> [PlayerAction] {
        let isHeld = isHeld
        activity = .stopped(choosing.otherwise)
        switch choosing.question.choice {
        case .current: return [.refuse(.queueIsEmpty)]
        case .step:
            // Reaching the end by itself is not an error.
            guard case .passing(let unreached) = intent else { return [] }
            // The next `play` begins with the first of them.
            guard settings.waitsForHosts, unreached.mayRecover else { return [.setCurrentEntry(unreached.entry)] }
            intent = .awaiting(unreached.entry, Backoff())
            return begin(unreached.entry, at: nil, isHeld: isHeld)
        }
    }

    private mutating func choiceFailed(_ failure: MediaFailure, request: UInt32) -> [PlayerAction] {
        guard let question, question.number == request else { return [] }
        report = failure
        if case .choosing = stage { activity = .stopped(.failed(failure)) } else { intent = .order }
        return []
    }

    mutating func resolved(_ media: PlaybackMedia, session: UInt32) -> [PlayerAction] {
        guard case .resolving(let resolving) = stage, resolving.session == session else { return [] }
        if let refusal = resolving.refusal, refusal.listening.media.url == media.url {
            return giveUp(refusal.listening, refusal.failure)
        }
        numbers.generation += 1
        var listening = Listening(
            entry: resolving.entry, media: media, session: session, generation: numbers.generation,
            position: resolving.start ?? media.beginning)
        if let chapters = newestChapters[resolving.entry.episode] { listening.media.chapters = chapters }
        listening.chosen = resolving.isChosen ? resolving.start : nil
        listening.parameters = listening.parameters(for: settings.sound)
        self.listening = listening
        return [listening.start(isHeld: isHeld)]
    }

    /// How an episode will start if it is the next one and nothing else happens before.
    func expectedStart(of episode: EpisodeID, _ media: PlaybackMedia) -> DecoderStart {
        let listening = Listening(
            entry: QueueEntry(id: EntryID(0), episode: episode), media: media, session: numbers.session + 1,
            generation: numbers.generation + 1, position: media.beginning)
        return DecoderStart(
            time: listening.position, generation: listening.generation,
            parameters: listening.parameters(for: settings.sound))
    }

    private mutating func resolutionFailed(_ failure: MediaFailure, session: UInt32) -> [PlayerAction] {
        guard case .resolving(let resolving) = stage, resolving.session == session else { return [] }
        return giveUp(resolving.entry, at: "", failure)
    }

    /// Opens the same entry again at its position, with a new source and decoder.
    mutating func reopen(_ listening: Listening, isHeld: Bool) -> [PlayerAction] {
        let fresh = renewed(listening)
        activity = .active(.listening(fresh), isHeld: isHeld)
        return [.silence, fresh.start(isHeld: isHeld)]
    }

    mutating func renewed(_ listening: Listening) -> Listening {
        numbers.session += 1
        numbers.generation += 1
        return listening.renewed(session: numbers.session, generation: numbers.generation)
    }

    /// Stops the sound, and saves the position if there was sound or a seek.
    mutating func leave() -> [PlayerAction] { listening.map { leave($0) } ?? [] }

    mutating func leave(_ listening: Listening) -> [PlayerAction] {
        let saving = listening.saving
        if !saving.isEmpty {
            left = LeftEntry(entry: listening.entry, position: listening.position, generation: listening.generation)
        }
        return [.silence] + saving
    }

    /// As `leave`, but an episode that is nearly over counts as played.
    /// - Parameter next: the entry that follows; nil if none does.
    mutating func leaveForOther(_ next: QueueEntry? = nil) -> [PlayerAction] {
        guard let listening, listening.wasHeard, listening.entry != next, listening.isNearlyOver(settings)
        else { return leave() }
        return [.silence, .finish(listening.entry, heard: listening.position)]
    }

    /// Marks an entry as played and queries the queue for the next one.
    /// - Parameter heard: the position that undo restores; nil for the saved one.
    mutating func finish(_ listening: Listening, heard: MediaTime?) -> [PlayerAction] {
        lastHeard = nil
        return [.silence, .finish(listening.entry, heard: heard)]
            + choose(.step(.next, from: listening.entry.id), otherwise: .ended, isHeld: isHeld)
    }
}
