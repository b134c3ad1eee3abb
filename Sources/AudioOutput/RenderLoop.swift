internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// The sink thread's work: runs the machine's activities against a source and a sink. Belongs to one thread at a time.
final class RenderLoop {
    /// Why gathering frames ended.
    enum Gathered {
        /// As many as were asked for are staged.
        case enough
        /// Nothing further is decoded.
        case dry
        /// The ring has no room before something was heard.
        case full
        /// The end chunk comes next.
        case end
        /// Frames of another format come next.
        case format
        /// The next chunk is of a generation whose command is still on its way here.
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
    /// Events that found the queue full: whoever takes them stands still.
    private var unsent: [RendererEvent] = []
    /// Whether the sink keeps its frames in a pause.
    private var isHeld = false
    /// The generation of the frames in the ring; nil when none came yet.
    private var ringGeneration: UInt32?
    /// When `ring.heard` was true.
    private var heardInstant: Int64 = 0
    private var restSince: Int64?
    private var retryAt: Int64?
    private var fillDelay: Int64 = 0
    private var drainAttempts = 0
    private let scrap = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 64)

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

    // MARK: Orders

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
        // Only `close` and `open` may be called now, so what was heard is reckoned by the clock.
        let elapsed = PacedBuffer.frames(in: clock.now - heardInstant, rate: ring.format.rate)
        ring.hear(allBut: max(0, Int64(ring.unheard) - elapsed))
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

    private func putEnd() {
        while !unsent.isEmpty || !events.put(.end) {
            resend()
            clock.wait(readable: -1, until: clock.now + 10_000_000)
        }
    }

    // MARK: The sink

    /// Opens the sink for the ring's format, if it is not.
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
            heardInstant = clock.now
            handle(.opened)
            return true
        } catch {
            fail(error)
            return false
        }
    }

    private func closeSink() {
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
            publish(isSounding: true)
        } catch {
            fail(error)
        }
    }

    // MARK: What is heard

    func hear() {
        guard let stage, let sink else { return }
        ring.hear(allBut: stage.heldFrames(beyond: sink.latency))
        map.forget(before: ring.heard)
        heardInstant = clock.now
    }

    func publish(isSounding: Bool) {
        guard let ringGeneration else { return }
        let frame = ring.heard
        board.show(
            Playhead(
                generation: ringGeneration,
                position: MediaTime(frames: map.media(of: frame), rate: ring.format.rate), instant: clock.now,
                speed: isSounding ? map.pace(from: frame) : 0))
    }

    // MARK: The source

    var periodFrames: Int { max(1, Int(settings.period * Double(ring.format.rate))) }

    /// Reads chunks until so many frames are staged.
    func gather(upTo wanted: Int) -> Gathered {
        guard let source else { return .dry }
        var emptySkips = 0
        while ring.staged < wanted || ring.capacity == 0 {
            guard let chunk = source.nextChunk() else { return .dry }
            let age = Int32(bitPattern: chunk.generation &- machine.generation)
            if age > 0 { return .early }
            if age < 0 || !chunk.isUsable {
                let skipped = source.read(into: scrap)
                emptySkips = skipped > 0 ? 0 : emptySkips + 1
                if emptySkips > 1000 { return .dry }
                continue
            }
            if chunk.kind == .end { return .end }
            if chunk.format != ring.format || ring.capacity == 0 {
                guard ring.isEmpty else { return .format }
                let capacity = Int(settings.capacity * Double(chunk.format.rate))
                ring.prepare(for: chunk.format, capacity: max(2, capacity))
                map.reset()
                return gather(upTo: periodFrames)
            }
            guard !map.isFull else { return .full }
            let room = ring.free(limit: wanted - ring.staged)
            guard room.count > 0 else { return .full }
            let count = source.read(into: room) / chunk.format.frameSize
            guard count > 0 else { return .dry }
            map.append(
                start: ring.filled, count: Int64(count), mediaStart: chunk.mediaStart,
                mediaEnd: chunk.media(afterFrames: count))
            ring.fill(count)
            ringGeneration = chunk.generation
        }
        return .enough
    }

    private func waitForSource(_ gathered: Gathered, until deadline: Int64) {
        guard let source, gathered != .early else { return waitForOrders(until: deadline) }
        guard source.prepareToWait() else { return }
        clock.wait(readable: mailbox.bell.raw, source.readinessDescriptor, writable: -1, until: deadline)
        mailbox.bell.clear()
    }

    /// The bell may ring for orders that were followed already; what it rings for is seen in `hasNews`.
    private func waitForOrders(until deadline: Int64) {
        clock.wait(readable: mailbox.bell.raw, until: deadline)
        mailbox.bell.clear()
    }

    // MARK: Activities

    private func rest() -> Bool {
        guard stage != nil else {
            guard mailbox.leave() else { return false }
            putEnd()
            return true
        }
        let now = clock.now
        let since = restSince ?? now
        restSince = since
        let delay = settings.closeDelay * 1e9
        let deadline = delay < 1e18 ? since + Int64(delay) : .max
        if now >= deadline {
            closeSink()
        } else {
            waitForOrders(until: deadline)
        }
        return false
    }

    private func fill() {
        let gathered = gather(upTo: periodFrames)
        if !ring.isEmpty, !ensureOpen() { return }
        switch gathered {
        case .end, .format: handle(.enough)
        case .enough, .full, .dry, .early:
            guard let source else { return waitForSource(gathered, until: .max) }
            let seconds = Double(ring.staged) / Double(ring.format.rate)
            let isEnough = ring.staged > 0 && (seconds + source.bufferedSeconds >= machine.target || source.isComplete)
            if isEnough { return handle(.enough) }
            if gathered == .dry || gathered == .early { return waitForSource(gathered, until: .max) }
            // The doorbell rings for an empty source only; this one fills behind a staged period. Decoding is far
            // faster than hearing, so the first looks come soon.
            fillDelay = min(50_000_000, max(2_000_000, fillDelay + fillDelay / 2))
            waitForOrders(until: clock.now + fillDelay)
        }
    }

    private func deliver() {
        guard ring.capacity > 0 else { return handleNothingStaged(gather(upTo: periodFrames)) }
        guard ensureOpen(), let stage, let sink else { return }
        if mailbox.gain != stage.gain.target { followGain(stage, sink) }
        do throws(SinkError) {
            var taken = 0
            if !stage.waiting.isEmpty {
                taken = try sink.write(stage.waiting)
                stage.sent(taken)
            } else {
                let gathered = ring.staged < periodFrames ? gather(upTo: periodFrames) : .enough
                guard ring.staged > 0 else { return handleNothingStaged(gathered) }
                // A new format came in; the next round opens the sink for it.
                guard stage.source == ring.format else { return }
                let frames = ring.next(limit: periodFrames)
                if stage.isTransparent {
                    taken = try sink.write(frames)
                    ring.feed(taken / ring.format.frameSize)
                } else {
                    ring.feed(try stage.take(frames))
                    guard !stage.waiting.isEmpty else { return }
                    taken = try sink.write(stage.waiting)
                    stage.sent(taken)
                }
            }
            guard taken > 0 else { return }
            handle(.delivered)
            hear()
            publish(isSounding: true)
        } catch {
            fail(error)
        }
    }

    /// Takes frames back from the sink, where it can give them, so that a new gain is heard soon and not after all that
    /// the sink holds.
    private func followGain(_ stage: OutputStage, _ sink: any Sink) {
        hear()
        let kept = Int(settings.gainMargin * Double(stage.sink.rate))
        if stage.keepsFrames, sink.latency > kept {
            let waiting = stage.waiting.count / stage.sink.frameSize
            ring.unfeed(waiting + sink.takeBack(sink.latency - kept))
            stage.discard()
        }
        stage.gain.settle()
        stage.gain.approach(mailbox.gain, over: max(1, Int(settings.gainRamp * Double(stage.sink.rate))))
    }

    private func handleNothingStaged(_ gathered: Gathered) {
        do throws(SinkError) {
            switch gathered {
            case .end, .format:
                guard try stage?.finish() != true else { return }
                drainAttempts = 0
                handle(.exhausted(gathered == .end ? .end : .format))
            case .dry, .early: try starve(gathered)
            case .full, .enough:
                hear()
                publish(isSounding: true)
                waitForOrders(until: clock.now + Int64(settings.period * 5e8))
            }
        } catch {
            fail(error)
        }
    }

    /// Waits for frames as long as there are some to hear.
    private func starve(_ gathered: Gathered) throws(SinkError) {
        hear()
        let left = sink.map(\.latency) ?? 0
        guard stage != nil, left > 0 else {
            try sink?.drain()
            fillDelay = 0
            handle(.ranDry)
            return publish(isSounding: false)
        }
        publish(isSounding: true)
        let rate = Int64(stage?.sink.rate ?? ring.format.rate)
        let time = max(10_000_000, (Int64(left) * 1_000_000_000 + rate - 1) / rate)
        waitForSource(gathered, until: clock.now + time)
    }

    private func drain() {
        do throws(SinkError) {
            if let sink, let stage {
                try sink.drain()
                guard !mailbox.hasNews else { return }
                // An interrupt for a command that was followed before it came ends a drain early.
                if sink.latency > 0, drainAttempts < 3 {
                    drainAttempts += 1
                    return
                }
                stage.discard()
            }
            ring.hear(allBut: 0)
            map.forget(before: ring.heard)
            publish(isSounding: false)
            handle(.drained)
        } catch {
            fail(error)
        }
    }

    private func retry(_ attempt: Int) {
        let delay = min(
            settings.maximumRetryDelay, settings.firstRetryDelay * Double(1 << min(16, max(0, attempt - 1))))
        let at = retryAt ?? clock.now + Int64(delay * 1e9)
        retryAt = at
        guard clock.now >= at else { return waitForOrders(until: at) }
        retryAt = nil
        _ = ensureOpen()
    }
}

extension PCMChunk {
    /// Whether its numbers can be; others are passed over.
    fileprivate var isUsable: Bool {
        kind == .end || (PCMFormat.rates.contains(format.rate) && PCMFormat.channelCounts.contains(format.channels))
    }

    /// The media time after its first frames.
    fileprivate func media(afterFrames count: Int) -> Int64 {
        let total = byteCount / format.frameSize
        guard count < total else { return mediaEnd }
        let (span, hasOverflow) = mediaEnd.subtractingReportingOverflow(mediaStart)
        guard !hasOverflow, span >= 0, span < 1 << 31 else { return mediaStart &+ Int64(count) }
        return mediaStart &+ span * Int64(count) / Int64(total)
    }
}
