internal import MediaPorts
internal import PodcastModel

/// The work of the sink thread: carries out the machine's activities with a source and a sink. Used by one thread at a
/// time.
final class RenderLoop {
    /// Why gathering frames ended.
    enum Gathered {
        /// The requested number of frames is staged.
        case enough
        /// No more frames are decoded yet.
        case dry
        /// The ring has no room until frames are heard.
        case full
        /// The next chunk is the end.
        case end
        /// The next frames have another format.
        case format
        /// The next chunk belongs to a generation whose command has not arrived yet.
        case early
    }

    /// What an open sink has of our frames.
    enum Flow {
        /// Nothing: it was opened, dropped or had an underrun. The next frames start playback. → playing
        case empty
        /// → held, empty
        case playing(Latency)
        /// The sink keeps its frames during a pause. → playing, empty
        case held(Latency)
    }

    /// What is known about the latency of a sink that learns it while playing.
    struct Latency {
        /// Time until which it is not reliable.
        var unsureUntil = Instant.distantPast
        var checks = 0
    }

    /// How far the current activity has come; another activity begins with `none`.
    enum Progress {
        case none
        case resting(since: Instant)
        /// Time of the last wait.
        case filling(delay: Duration)
        case draining(attempts: Int)
        case retrying(at: Instant)
    }

    let settings: RendererSettings
    let clock: any OutputClock
    let mailbox: RendererMailbox
    let board: PlayheadBoard

    var machine = RenderMachine()
    var ring = FrameRing()
    var map = MediaMap()
    var source: (any PCMSource)?
    var sink: (any Sink)?
    /// Nil while the sink is closed.
    var stage: OutputStage?
    var events: EventQueue
    /// Events that did not fit into the queue, because the event handler is blocked.
    private var unsent: [RendererEvent] = []
    /// Generation of the frames in the ring; nil before the first.
    var ringGeneration: UInt32?
    /// When `ring.played` was or will be true; frames are heard later than they are given to the device.
    private var playedInstant = Instant.distantPast
    var flow = Flow.empty
    private var activity = RenderMachine.Activity.rest
    var progress = Progress.none
    /// The generation that continues what is heard, once enough of it is decoded.
    var successor: UInt32?
    /// Frames before this media time, in frames, were heard from the generation before.
    var joint: Int64?
    let scrap = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 64)

    init(
        settings: RendererSettings, clock: any OutputClock, mailbox: RendererMailbox, board: PlayheadBoard,
        events: EventQueue
    ) {
        self.settings = settings
        self.clock = clock
        self.mailbox = mailbox
        self.board = board
        self.events = events
    }

    deinit {
        scrap.deallocate()
        ring.release()
    }

    /// Runs until there is nothing to do and the sink is closed, or the renderer is shut down.
    func run() {
        while true {
            if mailbox.hasCommands, let commands = mailbox.take() {
                if commands.isShutdown { return close() }
                execute(commands)
            }
            if !unsent.isEmpty { resend() }
            if let successor, machine.activity != .deliver || stage == nil { handle(.switchGeneration(successor)) }
            if machine.activity != activity { (activity, progress) = (machine.activity, .none) }
            switch activity {
            case .rest: if rest() { return }
            case .fill: fill()
            case .deliver: deliver()
            case .drain: drain()
            case .retry(let attempt): retry(attempt)
            }
        }
    }

    // MARK: Commands

    private func execute(_ commands: RendererMailbox.Commands) {
        if commands.stops { handle(.stop) }
        if let load = commands.load {
            handle(.load(generation: load.generation, prebuffer: load.prebuffer, rebuffer: load.rebuffer))
            source = load.source
        }
        if let generation = commands.generation { handle(.switchGeneration(generation)) }
        if let generation = commands.successor { successor = generation }
        if let sink = commands.sink {
            handle(.sinkReplaced)
            self.sink = sink
        }
        if let isPaused = commands.isPaused { handle(isPaused ? .pause : .unpause) }
    }

    private func close() {
        handle(.stop)
        closeSink()
        sink = nil
        mailbox.close()
        putEnd()
    }

    // MARK: The machine

    func handle(_ event: RenderMachine.Event) {
        let (effects, notice) = machine.handle(event)
        if let notice { emit(notice) }
        guard !effects.isEmpty else { return }
        if effects.contains(.forget) { forget() }
        if effects.contains(.release) {
            source = nil
            ring.release()
        }
        if effects.contains(.pause) { pause() }
        if effects.contains(.resume) { resume() }
        if effects.contains(.close) { closeSink() }
    }

    func fail(_ error: SinkError) {
        // Only `close` and `open` may be called now, so compute from the clock what was heard.
        let elapsed = PacedBuffer.frames(in: clock.now - playedInstant, rate: ring.format.rate)
        ring.markPlayed(upTo: ring.played + max(0, elapsed))
        map.forget(before: ring.played)
        ring.rewind()
        stage = nil
        flow = .empty
        sink?.close()
        progress = .none
        handle(.sinkFailed(error))
        publish(isSounding: false)
    }

    private func emit(_ event: RendererEvent) {
        if unsent.isEmpty, events.put(.event(event)) { return }
        unsent.append(event)
    }

    private func resend() {
        while let event = unsent.first, events.put(.event(event)) { unsent.removeFirst() }
    }

    func putEnd() {
        while !unsent.isEmpty || !events.put(.end) {
            resend()
            clock.wait(readable: -1, until: clock.now + .milliseconds(10))
        }
    }

    // MARK: The sink

    /// Opens the sink for the ring's format, unless it is open.
    func ensureOpen() -> Bool {
        if let stage, stage.source == ring.format { return true }
        guard let sink else {
            fail(SinkError("no output is enabled; enable one with 'podcastctl output enable'"))
            return false
        }
        do throws(SinkError) {
            if stage != nil { try sink.drain() }
            let taken = try sink.open(ring.format)
            stage = try OutputStage(
                from: ring.format, to: taken, limit: periodFrames, gain: GainRamp(mailbox.gain))
            flow = .empty
            playedInstant = clock.now
            handle(.opened)
            return true
        } catch {
            fail(error)
            return false
        }
    }

    func closeSink() {
        guard stage != nil else { return }
        updatePlayed()
        ring.rewind()
        stage = nil
        flow = .empty
        sink?.close()
    }

    private func forget() {
        updatePlayed()
        publish(isSounding: false)
        if stage != nil { sink?.drop() }
        flow = .empty
        stage?.discard()
        stage?.gain.settle()
        ring.reset()
        map.reset()
        ringGeneration = nil
        progress = .none
        (successor, joint) = (nil, nil)
    }

    private func pause() {
        guard let stage, let sink else { return }
        if sink.pause() {
            updatePlayed()
            flow = .held(latency)
        } else {
            updatePlayed()
            sink.drop()
            flow = .empty
            ring.rewind()
            stage.discard()
            stage.gain.settle()
        }
        publish(isSounding: false)
    }

    private func resume() {
        guard case .held(let latency) = flow, let sink else { return }
        flow = .playing(latency)
        do throws(SinkError) {
            try sink.resume()
            updatePlayed()
            publish(isSounding: true)
        } catch {
            fail(error)
        }
    }

    // MARK: The playhead

    /// Records that the sink accepted frames.
    func noteDelivery() {
        guard case .empty = flow else { return }
        let isLearned = sink?.learnsLatency == true
        flow = .playing(
            isLearned ? Latency(unsureUntil: clock.now + Self.checkDelay, checks: Self.latencyChecks) : Latency())
    }

    var latency: Latency {
        switch flow {
        case .empty: Latency()
        case .playing(let latency), .held(let latency): latency
        }
    }

    func updatePlayed() {
        guard let stage, let sink, clock.now >= latency.unsureUntil else { return }
        let (frames, instant) = frames(in: sink)
        let reached = ring.fed - stage.heldFrames(beyond: frames)
        ring.markPlayed(upTo: reached)
        map.forget(before: ring.played)
        playedInstant = instant + PacedBuffer.duration(of: max(0, ring.played - reached), rate: ring.format.rate)
    }

    /// The sink's latency and the time of the answer. Asks again if the kernel suspended this thread in between,
    /// because the position would be wrong by that time until the next period.
    private func frames(in sink: any Sink) -> (frames: Int, instant: Instant) {
        var answer = (frames: 0, instant: clock.now)
        for _ in 0..<5 {
            let asked = answer.instant
            answer = (sink.latency, clock.now)
            if answer.instant - asked < .milliseconds(2) { break }
        }
        return answer
    }

    /// Publishes the position being heard. While the device is still catching up the position stands still; it never
    /// jumps ahead.
    func publish(isSounding: Bool) {
        guard let ringGeneration else { return }
        let frame = ring.played
        let course = map.course(from: frame, rate: ring.format.rate)
        var playhead = Playhead(
            generation: ringGeneration,
            position: MediaTime(frames: map.media(of: frame), rate: ring.format.rate),
            instant: isSounding ? max(playedInstant, latency.unsureUntil) : clock.now,
            speed: isSounding ? course.pace : 0)
        playhead.omitted = MediaTime(frames: map.omitted(before: frame), rate: ring.format.rate)
        if isSounding { playhead.turns = course.turns }
        board.show(playhead)
    }
}
