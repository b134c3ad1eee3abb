public import Activity
public import MediaPorts
public import PodcastModel
internal import Synchronization

/// Plays the queue's entries: carries out what `PlayerStateMachine` decides, over ports.
///
/// Commands run on the actor and return when what they acknowledge is on disk. Reports of sources, decoders, renderer
/// and timers come from threads of their own through an inbox, in order. `status` and `observe` may be used from any
/// thread. No timer runs, apart from the one that ends a long pause's connection and the one that shows how a buffer fills:
/// what sounds is recorded by the store alone.
public actor Player {
    /// What a player is made of.
    public struct Ports: Sendable {
        /// Opens media.
        public var opener: any MediaOpening
        /// Starts decoders.
        public var decoders: any DecoderStarting
        /// Makes sound.
        public var renderer: any AudioRendering
        /// The library.
        public var store: any PlaybackStore
        /// The queue.
        public var queue: any PlayQueue
        /// Where waits are shown.
        public var activities: any ActivityReporting
        /// Time.
        public var clock: any TimerClock
        /// Where the player's decisions run; nil takes Swift's shared pool.
        public var executor: (any TaskExecutor)?

        /// The ports of a player.
        public init(
            opener: any MediaOpening, decoders: any DecoderStarting, renderer: any AudioRendering,
            store: any PlaybackStore, queue: any PlayQueue, activities: any ActivityReporting,
            clock: any TimerClock, executor: (any TaskExecutor)? = nil
        ) {
            self.opener = opener
            self.decoders = decoders
            self.renderer = renderer
            self.store = store
            self.queue = queue
            self.activities = activities
            self.clock = clock
            self.executor = executor
        }
    }

    /// What an entry under way is made of.
    struct Deck {
        let session: UInt32
        let source: WatchedSource
        let decoder: any DecoderSession
    }

    /// The next entry's source, connected ahead of time.
    struct Prepared {
        let entry: QueueEntry
        let media: PlaybackMedia
        let source: WatchedSource
    }

    let ports: Ports
    private(set) var settings: PlaybackSettings
    let board: PlayerBoard
    private let inbox = PlayerInbox()
    var machine: PlayerStateMachine
    var deck: Deck?
    var prepared: Prepared?
    var lastWrite: Task<(any Error)?, Never>?
    /// Generation of what the store records now.
    var recorded: UInt32?
    private var volume: Int
    private var fillTimer: (any ScheduledTimer)?
    private var holdTimer: (timer: any ScheduledTimer, generation: UInt32)?
    private var shown: (wait: PlayerWait, handle: ActivityHandle)?

    /// A player that plays nothing yet.
    ///
    /// - Parameters:
    ///   - ports: what it works on.
    ///   - volume: 0 to 100.
    ///   - settings: its figures.
    public init(ports: Ports, volume: Int = 100, settings: PlaybackSettings = PlaybackSettings()) {
        self.ports = ports
        self.settings = settings
        self.volume = min(max(volume, Volume.range.lowerBound), Volume.range.upperBound)
        machine = PlayerStateMachine(settings: settings)
        board = PlayerBoard(renderer: ports.renderer, clock: ports.clock, settings: settings, volume: self.volume)
        ports.renderer.setGain(Volume.gain(of: self.volume))
        ports.renderer.observe { [weak self] event in self?.post(.renderer(event)) }
    }

    // MARK: Commands

    /// Plays an entry from where listening stopped last, or from `start`. What played before has its position on disk
    /// when this returns.
    public func play(_ entry: QueueEntry, at start: MediaTime? = nil) async throws {
        try await command(.play(entry, at: start))
    }

    /// Goes on after a pause; begins with the queue's current entry when nothing is under way.
    public func resume() async throws { try await command(.resume) }

    /// Holds the sound. The position is on disk when this returns.
    public func pause() async throws { try await command(.pause) }

    /// Holds what sounds, goes on with what is held.
    public func toggle() async throws { try await command(.toggle) }

    /// Stops. The position is on disk when this returns.
    public func stop() async throws { try await command(.stop) }

    /// Goes to the queue's next entry.
    /// - Throws: `PlayerError.noNextEntry` at its end; what plays goes on then.
    public func next() async throws { try await command(.step(.next)) }

    /// Goes to the queue's previous entry.
    /// - Throws: `PlayerError.noPreviousEntry` at its beginning; what plays goes on then.
    public func previous() async throws { try await command(.step(.previous)) }

    /// Moves within the episode, also while it is held. The new position is on disk when this returns.
    public func seek(_ time: TimeArgument) async throws { try await command(.seek(time)) }

    /// Takes chapters that came after their episode was loaded; those of its file go before. Any thread.
    public nonisolated func use(_ chapters: [Chapter], of episode: EpisodeID) { board.use(chapters, of: episode) }

    /// Sets the loudness, 0 to 100; what is outside is clamped.
    public func setVolume(_ volume: Int) {
        self.volume = min(max(volume, Volume.range.lowerBound), Volume.range.upperBound)
        ports.renderer.setGain(Volume.gain(of: self.volume))
        publish()
    }

    /// Other figures from now on; what plays keeps those that it began with until the next start, seek or pause.
    public func use(_ settings: PlaybackSettings) {
        self.settings = settings
        machine.settings = settings
        board.use(settings)
    }

    /// Says that entries came, went or moved, so that what was prepared to follow is looked at again.
    public func queueChanged() { apply(.queueChanged) }

    /// Stops for good: further commands are refused. Returns when everything that was to be written is, at the latest
    /// after `PlaybackSettings.shutdownLimit`.
    public func shutdown() async {
        apply(.shutdown)
        // Writes follow one another, so the last one's end is the end of all.
        guard let lastWrite else { return }
        let clock = ports.clock
        let limit = settings.shutdownLimit
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let gate = OnceGate(continuation)
            let timer = clock.schedule(after: limit) { gate.open() }
            Task(executorPreference: ports.executor) {
                _ = await lastWrite.value
                timer.cancel()
                gate.open()
            }
        }
    }

    // MARK: Status

    /// What it does now. From any thread; takes one short lock.
    public nonisolated var status: PlayerStatus { board.status }

    /// Calls `handler` after each change of what `status` says, other than the position's own progress; from whatever
    /// thread made the change. It must return at once. Handlers stay for the player's life.
    public nonisolated func observe(_ handler: @escaping @Sendable () -> Void) { board.observe(handler) }

    // MARK: Events

    /// Takes a report from any thread.
    nonisolated func post(_ event: PlayerEvent) {
        if inbox.add(event) { Task(executorPreference: ports.executor) { await self.empty() } }
    }

    private func empty() {
        while let events = inbox.takeAll() {
            for event in events { apply(event) }
        }
    }

    private func command(_ event: PlayerEvent) async throws {
        let outcome = apply(event)
        if let refusal = outcome.refusal { throw refusal }
        for write in outcome.pending {
            if let error = await write.value { throw error }
        }
    }

    /// What became of an event.
    struct Outcome {
        var refusal: PlayerError?
        /// Work whose end the command's acknowledgement waits for.
        var pending: [Task<(any Error)?, Never>] = []
    }

    /// Decides and acts, without a pause between, so that no other event comes in the middle.
    @discardableResult
    func apply(_ event: PlayerEvent) -> Outcome {
        var outcome = Outcome()
        let actions = machine.handle(event, at: moment)
        arrangeRecord()
        for action in actions { run(action, &outcome) }
        if case .stopped = machine.state { dropPrepared() }
        arrangeTimers()
        showWait()
        publish()
        return outcome
    }

    private var moment: PlayerMoment {
        guard let listening = machine.state.listening, let deck else { return PlayerMoment() }
        let playhead = ports.renderer.playhead
        let heard =
            playhead.generation == listening.generation ? playhead.position(at: ports.clock.now) : nil
        return PlayerMoment(heard: heard, buffered: deck.decoder.pcm.bufferedSeconds)
    }

    // MARK: What follows from the state

    private func arrangeTimers() {
        if case .paused(.listening(let listening)) = machine.state, !listening.isSourceSuspended {
            guard holdTimer?.generation != listening.generation else { return }
            holdTimer?.timer.cancel()
            let generation = listening.generation
            let timer = ports.clock.schedule(after: settings.suspendDelay) { [weak self] in
                self?.post(.heldLong(generation: generation))
            }
            holdTimer = (timer, generation)
        } else {
            holdTimer?.timer.cancel()
            holdTimer = nil
        }
    }

    private func showWait() {
        guard let wait = machine.wait else {
            shown?.handle.end()
            shown = nil
            fillTimer?.cancel()
            fillTimer = nil
            return
        }
        if let shown, shown.wait.kind == wait.kind {
            if shown.wait != wait { shown.handle.update(subject: wait.subject) }
            self.shown = (wait, shown.handle)
        } else {
            let begun = ports.activities.begin(wait.kind.activity, wait.kind.message, subject: wait.subject)
            shown?.handle.end()
            shown = (wait, begun)
        }
        showFill()
    }

    /// How far a buffer is filled is nobody's event: it is looked at four times a second while somebody waits.
    private func showFill() {
        guard case .buffering(let goal) = shown?.wait.kind, let handle = shown?.handle else {
            fillTimer?.cancel()
            fillTimer = nil
            return
        }
        if goal > 0, let deck { handle.update(progress: deck.decoder.pcm.bufferedSeconds / goal) }
        guard fillTimer == nil else { return }
        fillTimer = ports.clock.schedule(after: .milliseconds(250)) { [weak self] in
            guard let self else { return }
            Task(executorPreference: self.ports.executor) { await self.fillIsDue() }
        }
    }

    private func fillIsDue() {
        fillTimer = nil
        showFill()
    }

    private func publish() {
        board.publish(machine, volume: volume, deck: deck)
    }
}

extension PlayerWait.Kind {
    var activity: Activity.Kind {
        switch self {
        case .loading: .loading
        case .buffering, .output: .buffering
        case .seeking: .seeking
        }
    }

    var message: String {
        switch self {
        case .loading: "Loading episode"
        case .buffering: "Buffering audio"
        case .seeking: "Seeking"
        case .output: "Waiting for the output"
        }
    }
}
