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
    /// Whether the sink keeps its frames during a pause.
    private var isHeld = false
    /// Generation of the frames in the ring; nil before the first.
    var ringGeneration: UInt32?
    /// When `ring.heard` was or will be true; frames are heard later than they are given to the device.
    private var heardInstant: Int64 = 0
    /// Whether playback restarts with the next frames, because the sink was opened, dropped or had an underrun.
    var isSinkEmpty = true
    /// Time until which the latency of a sink that learns it is not reliable.
    private var unsureUntil = Int64.min
    var restSince: Int64?
    var retryAt: Int64?
    var fillDelay: Int64 = 0
    var drainAttempts = 0
    /// Remaining checks of the latency of a sink that learns it.
    var looksLeft = 0
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
            if mailbox.hasNews, let orders = mailbox.take() {
                if orders.isShutdown { return leaveForGood() }
                follow(orders)
            }
            if !unsent.isEmpty { resend() }
            let activity = machine.activity
            if activity != .rest { restSince = nil }
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

    private func follow(_ orders: RendererMailbox.Orders) {
        if orders.stops { handle(.stop) }
        if let load = orders.load {
            handle(.load(generation: load.generation, prebuffer: load.prebuffer, rebuffer: load.rebuffer))
            source = load.source
        }
        if let generation = orders.generation { handle(.switchGeneration(generation)) }
        if let sink = orders.sink {
            handle(.sinkReplaced)
            self.sink = sink
        }
        if let isPaused = orders.isPaused { handle(isPaused ? .pause : .unpause) }
    }

    private func leaveForGood() {
        handle(.stop)
        closeSink()
        sink = nil
        mailbox.leaveForGood()
        putEnd()
    }

    // MARK: The machine

    func handle(_ event: RenderMachine.Event) {
        let (effects, notice) = machine.handle(event)
        if let notice { tell(notice) }
        guard !effects.isEmpty else { return }
        if effects.contains(.forget) { forget() }
        if effects.contains(.letGo) {
            source = nil
            ring.release()
        }
        if effects.contains(.hold) { hold() }
        if effects.contains(.release) { release() }
        if effects.contains(.close) { closeSink() }
    }

    func fail(_ error: SinkError) {
        // Only `close` and `open` may be called now, so compute from the clock what was heard.
        let elapsed = PacedBuffer.frames(in: clock.now - heardInstant, rate: ring.format.rate)
        ring.hear(upTo: ring.heard + max(0, elapsed))
        map.forget(before: ring.heard)
        ring.rewind()
        stage = nil
        isHeld = false
        sink?.close()
        retryAt = nil
        handle(.sinkFailed(error))
        publish(isSounding: false)
    }

    private func tell(_ event: RendererEvent) {
        if unsent.isEmpty, events.put(.event(event)) { return }
        unsent.append(event)
    }

    private func resend() {
        while let event = unsent.first, events.put(.event(event)) { unsent.removeFirst() }
    }

    func putEnd() {
        while !unsent.isEmpty || !events.put(.end) {
            resend()
            clock.wait(readable: -1, until: clock.now + 10_000_000)
        }
    }

    // MARK: The sink

    /// Opens the sink for the ring's format, unless it is open.
    func ensureOpen() -> Bool {
        if let stage, stage.source == ring.format { return true }
        guard let sink else {
            fail(SinkError("no output is enabled; enable one with \"podcastctl output enable\""))
            return false
        }
        do throws(SinkError) {
            if stage != nil { try sink.drain() }
            let taken = try sink.open(ring.format)
            stage = try OutputStage(
                from: ring.format, to: taken, limit: periodFrames, gain: GainRamp(mailbox.gain))
            isHeld = false
            isSinkEmpty = true
            heardInstant = clock.now
            handle(.opened)
            return true
        } catch {
            fail(error)
            return false
        }
    }

    func closeSink() {
        guard stage != nil else { return }
        hear()
        ring.rewind()
        stage = nil
        isHeld = false
        sink?.close()
    }

    private func forget() {
        hear()
        publish(isSounding: false)
        if stage != nil { sink?.drop() }
        isHeld = false
        isSinkEmpty = true
        stage?.discard()
        stage?.gain.settle()
        ring.reset()
        map.reset()
        ringGeneration = nil
        fillDelay = 0
    }

    private func hold() {
        guard let stage, let sink else { return }
        if sink.pause() {
            isHeld = true
            hear()
        } else {
            hear()
            sink.drop()
            isSinkEmpty = true
            ring.rewind()
            stage.discard()
            stage.gain.settle()
        }
        publish(isSounding: false)
    }

    private func release() {
        guard isHeld, let sink else { return }
        isHeld = false
        do throws(SinkError) {
            try sink.resume()
            hear()
            publish(isSounding: true)
        } catch {
            fail(error)
        }
    }

    // MARK: The playhead

    /// Records that the sink accepted frames.
    func noteDelivery() {
        guard isSinkEmpty else { return }
        isSinkEmpty = false
        looksLeft = RenderLoop.looks
        unsureUntil = sink?.learnsLatency == true ? clock.now + RenderLoop.lookDelay : .min
    }

    func hear() {
        guard let stage, let sink, clock.now >= unsureUntil else { return }
        let (latency, instant) = latency(of: sink)
        let reached = ring.fed - stage.heldFrames(beyond: latency)
        ring.hear(upTo: reached)
        map.forget(before: ring.heard)
        heardInstant = instant + PacedBuffer.nanoseconds(for: max(0, ring.heard - reached), rate: ring.format.rate)
    }

    /// The sink's latency and the time of the answer. Asks again if the kernel suspended this thread in between,
    /// because the position would be wrong by that time until the next period.
    private func latency(of sink: any Sink) -> (frames: Int, instant: Int64) {
        var answer = (frames: 0, instant: clock.now)
        for _ in 0..<5 {
            let asked = answer.instant
            answer = (sink.latency, clock.now)
            if answer.instant - asked < 2_000_000 { break }
        }
        return answer
    }

    /// Publishes the position being heard. While the device is still catching up the position stands still; it never
    /// jumps ahead.
    func publish(isSounding: Bool) {
        guard let ringGeneration else { return }
        let frame = ring.heard
        board.show(
            Playhead(
                generation: ringGeneration,
                position: MediaTime(frames: map.media(of: frame), rate: ring.format.rate),
                instant: isSounding ? max(heardInstant, unsureUntil) : clock.now,
                speed: isSounding ? map.pace(from: frame) : 0))
    }
}
