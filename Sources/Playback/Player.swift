public import MediaPorts
public import PodcastModel
public import Reporting
internal import SerialThreads
internal import Synchronization

/// Plays the queue's entries: executes the decisions of `PlayerStateMachine` through ports.
///
/// Commands run on the actor and return once the changes that they acknowledge are on disk. Sources, decoders, renderer
/// and timers report from their own threads through an inbox that keeps the order. `status` and `observe` may be used
/// from any thread. During playback the sleep timer is the only one, because the store records the position by itself. Others run
/// while the player waits or is paused, after a failure, before an announcement, and during shutdown.
public actor Player {
    /// What is played once the source of the current entry is open.
    struct Opening {
        let session: UInt32
        var start: DecoderStart
        var isHeld: Bool
    }

    /// Source and decoder of the current entry.
    struct Deck {
        let source: any ByteSource
        let decoder: any DecoderSession
    }

    /// The next entry's source and decoder, started ahead of time.
    struct Prepared {
        let episode: EpisodeID
        let media: PlaybackMedia
        let source: any ByteSource
        /// Nil if it could not start.
        let decoder: PreparedDecoder?

        func close() {
            decoder?.session.stop()
            source.close()
        }
    }

    struct PreparedDecoder {
        let session: any DecoderSession
        let events: HeldEvents
        let start: DecoderStart
    }

    let opener: any MediaOpening
    let decoders: any DecoderStarting
    let renderer: any AudioRendering
    let store: any PlaybackStore
    let queue: any PlayQueue
    private let activities: ActivityBoard
    let clock: any TimerClock
    let executor: (any TaskExecutor)?
    let timeOfDay: (@Sendable () -> Timestamp)?
    let board: PlayerBoard
    /// Reports that the player has not handled yet, in order. A task takes them all after the first one was added.
    private let inbox = Mutex<[PlayerEvent]>([])
    var machine: AnnouncingPlayer
    var opening: Opening?
    var deck: Deck?
    var prepared: Prepared?
    var lastWrite: Task<(any Error)?, Never>?
    /// Generation whose position the store records; nil if it records none.
    var recorded: UInt32?
    private var volume: Int
    /// The volume of the message that plays; nil for the user's.
    var messageVolume: Int?
    /// Share of the volume during the sleep timer's fade, 0 to 1.
    var fade = 1.0
    private var gain: Float
    var sleepTimer: SleepTimer
    var sleepWait: (any ScheduledTimer)?
    /// While the player waits before it opens the source again.
    var hostWait: (wait: HostWait, timer: any ScheduledTimer)?
    /// The next poll while the player waits.
    private var waitTimer: (any ScheduledTimer)?
    private var holdTimer: (timer: any ScheduledTimer, generation: UInt32)?
    private var shown: (wait: PlayerWait, handle: ActivityHandle)?
    /// How long a failure stays in the status while something plays; the log keeps it.
    private static let reportTime = Duration.seconds(60)
    private var reported: (failure: MediaFailure, timer: any ScheduledTimer)?

    /// Creates a stopped player.
    /// - Parameters:
    ///   - activities: shows waits to users.
    ///   - executor: runs the player's tasks; nil uses Swift's shared pool.
    ///   - now: the time of day, which says how long a pause lasted; nil if it does not matter.
    ///   - volume: 0 to 100; other values are clamped.
    public init(
        opener: any MediaOpening, decoders: any DecoderStarting, renderer: any AudioRendering, store: any PlaybackStore,
        queue: any PlayQueue, activities: ActivityBoard, clock: any TimerClock, executor: (any TaskExecutor)? = nil,
        now: (@Sendable () -> Timestamp)? = nil, volume: Int = 100, settings: PlaybackSettings = PlaybackSettings()
    ) {
        self.opener = opener
        self.decoders = decoders
        self.renderer = renderer
        self.store = store
        self.queue = queue
        self.activities = activities
        self.clock = clock
        self.executor = executor
        timeOfDay = now
        self.volume = Volume.clamped(volume)
        machine = AnnouncingPlayer(PlayerStateMachine(settings: settings))
        sleepTimer = SleepTimer(fadeLength: settings.sleepFade)
        board = PlayerBoard(renderer: renderer, clock: clock)
        board.publish(machine, volume: self.volume, sleep: sleepTimer, deck: nil, hostWait: nil)
        gain = Volume.gain(of: self.volume)
        renderer.setGain(gain)
        renderer.observe { [weak self] event in self?.post(.renderer(event)) }
    }

    // MARK: Commands

    /// Plays an entry from `start`; nil for its saved position. The former entry's position is on disk when this returns.
    /// - Parameter isNew: whether it is forgotten if it cannot be played, because it came with this request.
    public func play(_ entry: QueueEntry, at start: MediaTime? = nil, isNew: Bool = false) async throws {
        try await command(.play(entry, at: start, isNew: isNew))
    }

    /// Resumes after a pause. If the player is stopped, starts the queue's current entry.
    public func resume() async throws { try await command(.resume) }

    /// Pauses. The position is on disk when this returns.
    public func pause() async throws { try await command(.pause) }

    /// Pauses, or resumes if paused or stopped.
    public func toggle() async throws { try await command(.toggle) }

    /// Stops. The position is on disk when this returns.
    public func stop() async throws {
        if case .stopped = machine.state, sleepTimer.status != nil { try sleep(.off) }
        try await command(.stop)
    }

    /// Entries have left the queue. If one of them plays, the next one does from now on; if it is paused, playback stops.
    public func dropCurrent(ifIn entries: Set<EntryID>) async throws { try await command(.removed(entries)) }

    /// Plays the queue's next entry.
    /// - Throws: `PlayerError.noNextEntry` at the end of the queue; the current entry continues.
    public func next() async throws { try await command(.step(.next)) }

    /// Plays the queue's previous entry, or restarts the current one if its position is 5 s or later.
    /// - Throws: `PlayerError.noPreviousEntry` at the beginning of the queue; the current entry continues.
    public func previous() async throws { try await command(.step(.previous)) }

    /// Seeks within the episode, also while paused. The new position is on disk when this returns.
    public func seek(_ time: TimeArgument) async throws { try await command(.seek(time)) }

    /// Supplies chapters that arrived after their episode was loaded; chapters of the file only complete them. Any thread.
    public nonisolated func use(_ chapters: [Chapter], of episode: EpisodeID) {
        post(.chaptersArrived(chapters, episode))
    }

    /// Supplies a feed's settings of sound that have changed.
    public func use(_ sound: FeedSound, of feed: FeedID, isMusic: Bool) {
        apply(.feedSoundChanged(feed, sound, isMusic: isMusic))
    }

    /// Supplies the parts of an episode that the user has marked to be skipped.
    public func use(_ skips: [Range<MediaTime>], of episode: EpisodeID) { apply(.skipsChanged(skips, episode)) }

    /// Sets the volume, 0 to 100; other values are clamped.
    public func setVolume(_ volume: Int) {
        self.volume = Volume.clamped(volume)
        // Clients first: the renderer's thread would take a processor from them.
        publish()
        applyGain()
    }

    /// Uses a feed's volume, a percentage of the user's, if its episode is current; nil for no difference.
    public func setFeedVolume(_ volume: Int?, of feed: FeedID) {
        if machine.player.listening?.media.feed == feed { machine.player.listening?.media.volume = volume }
        applyGain()
        publish()
    }

    /// Applies the volume, the feed's volume and the fade.
    func applyGain() {
        let volume = machine.isAnnouncing ? messageVolume ?? volume : volume
        let gain = Volume.gain(of: volume, feed: machine.current.listening?.media.volume, fade: fade)
        guard gain != self.gain else { return }
        self.gain = gain
        renderer.setGain(gain)
    }

    /// Changes the settings. Those of sound are heard at once, others from the next start, seek or pause on.
    public func use(_ settings: PlaybackSettings) {
        let sound = machine.settings.sound
        machine.settings = settings
        sleepTimer.fadeLength = settings.sleepFade
        publish()
        if sound != settings.sound { apply(.soundChanged(settings.sound)) }
    }

    /// Call this when entries were added, removed or moved, so that the player checks again which entry comes next.
    public func queueChanged() { apply(.queueChanged) }

    /// Stops, and refuses further commands. Returns once all writes are done, or after `PlaybackSettings.shutdownLimit`.
    public func shutdown() async {
        apply(.shutdown)
        // Writes run one after another, so all are done when the last one is.
        guard let lastWrite else { return }
        let end = FirstAnswer<Void>()
        let timer = clock.schedule(after: machine.settings.shutdownLimit) { end.give(()) }
        Task(executorPreference: executor) {
            _ = await lastWrite.value
            timer.cancel()
            end.give(())
        }
        await end.value
    }

    // MARK: Status

    /// Any thread; takes one lock for a short time.
    public nonisolated var status: PlayerStatus { board.status }

    /// Calls `handler` after each change of `status`, except the regular progress of position and buffer, on the thread
    /// that made the change. It must return at once. Handlers cannot be removed.
    public nonisolated func observe(_ handler: @escaping @Sendable () -> Void) { board.observe(handler) }

    // MARK: Events

    /// Adds a report to the inbox. Any thread.
    nonisolated func post(_ event: PlayerEvent) {
        let isFirst = inbox.withLock { events in
            events.append(event)
            return events.count == 1
        }
        if isFirst { Task(executorPreference: executor) { await self.emptyInbox() } }
    }

    private func emptyInbox() { for event in inbox.withLock({ exchange(&$0, with: []) }) { apply(event) } }

    func command(_ event: PlayerEvent) async throws { if let error = await apply(event).failure { throw error } }

    struct Outcome {
        var refusal: PlayerError?
        /// Writes that must end before the command is acknowledged.
        var pending: [Task<(any Error)?, Never>] = []

        /// Why the command failed; waits for its writes.
        var failure: (any Error)? {
            get async {
                if let refusal { return refusal }
                for write in pending { if let error = await write.value { return error } }
                return nil
            }
        }
    }

    /// Decides and acts without suspending, so that no other event is handled in between.
    @discardableResult
    func apply(_ event: PlayerEvent) -> Outcome {
        var outcome = Outcome()
        let isPoll = if case .timePassed = event { true } else { false }
        if isPoll { waitTimer.take()?.cancel() }
        let actions = sleepTimer.pass(event, to: &machine, at: moment)
        arrangeRecord()
        for action in actions { run(action, &outcome) }
        if case .stopped = machine.state { prepared.take()?.close() }
        arrangeTimers()
        arrangeReport()
        showWait()
        publish()
        // The seconds that a host has not answered are part of the status.
        if isPoll, isWaitingForHost { board.tell() }
        arrangeSleep()
        return outcome
    }

    private var moment: PlayerMoment {
        let time = timeOfDay?()
        guard let listening = machine.current.listening, let deck else { return PlayerMoment(time: time) }
        let playhead = renderer.playhead
        let heard = playhead.generation == listening.generation ? playhead.position(at: clock.now) : nil
        return PlayerMoment(heard: heard, buffered: deck.decoder.pcm.bufferedSeconds, time: time)
    }

    // MARK: What follows from the state

    private func arrangeTimers() {
        if case .paused(.listening(let listening)) = machine.state {
            guard holdTimer?.generation != listening.generation else { return }
            holdTimer?.timer.cancel()
            let generation = listening.generation
            let timer = clock.schedule(after: machine.settings.suspendDelay) { [weak self] in
                self?.post(.heldLong(generation: generation))
            }
            holdTimer = (timer, generation)
        } else {
            holdTimer.take()?.timer.cancel()
        }
    }

    private func arrangeReport() {
        guard machine.report != reported?.failure else { return }
        reported.take()?.timer.cancel()
        guard let failure = machine.report else { return }
        let timer = clock.schedule(after: Self.reportTime) { [weak self] in self?.post(.reportIsOld(failure)) }
        reported = (failure, timer)
    }

    private var isWaitingForHost: Bool { machine.current.wait != nil && machine.current.cause?.isOfHost ?? false }

    /// Polls what nothing reports: the buffer's fill four times, and how long a host has not answered once a second.
    private func showWait() {
        guard let wait = machine.current.wait.map(explained) else {
            shown.take()?.handle.end()
            waitTimer.take()?.cancel()
            return
        }
        if let shown, shown.wait.kind == wait.kind {
            if shown.wait != wait { shown.handle.update(subject: wait.subject) }
            self.shown = (wait, shown.handle)
        } else {
            let (kind, message) = wait.kind.activity
            let begun = activities.begin(kind, message, subject: wait.subject)
            shown?.handle.end()
            shown = (wait, begun)
        }
        if case .buffering(let goal) = wait.kind, goal > .zero, let deck {
            shown?.handle.update(progress: .seconds(deck.decoder.pcm.bufferedSeconds) / goal)
        }
        let interval: Duration
        switch wait.kind {
        case _ where isWaitingForHost: interval = .seconds(1)
        case .buffering: interval = .milliseconds(250)
        case .loading, .seeking, .output:
            waitTimer.take()?.cancel()
            return
        }
        if waitTimer != nil { return }
        waitTimer = clock.schedule(after: interval) { [weak self] in self?.post(.timePassed) }
    }

    /// A wait whose subject also says that a host does not answer.
    private func explained(_ wait: PlayerWait) -> PlayerWait {
        let now = clock.now
        guard let cause = machine.current.cause, cause.isOfHost,
            let host = deck?.source.snapshot.wait ?? hostWait?.wait, !cause.isShort(host, at: now)
        else { return wait }
        let reason = cause.description(host, at: now)
        var wait = wait
        wait.subject = wait.subject.map { "\($0) (\(reason))" } ?? reason
        return wait
    }

    func publish() { board.publish(machine, volume: volume, sleep: sleepTimer, deck: deck, hostWait: hostWait?.wait) }
}
