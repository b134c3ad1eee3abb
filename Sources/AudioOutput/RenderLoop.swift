internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// The work of the sink thread: carries out the machine's activities with a source and a sink. Used by one thread at a time.
final class RenderLoop {
    enum Gathered {
        /// The requested number of frames is staged.
        case enough
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

    /// What is known about the latency of a sink that learns it while playing.
    struct Latency {
        /// Time until which the latency is not reliable.
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
    var source: (any PCMSource)?
    var sink: (any Sink)?
    var stage: OutputStage?
    var events: EventQueue
    /// When `ring.played` was or will be true; frames are heard later than they are given to the device.
    private var playedInstant = Instant.distantPast
    /// Nil while the sink has none of our frames: it was opened, dropped or had an underrun, and the next ones start playback.
    var latency: Latency?
    private var activity = RenderMachine.Activity.rest
    var progress = Progress.none
    /// Linear.
    var gain: Float = 1
    /// Whether the frames in the sink are written again, for outputs that were changed.
    var writesAgain = false
    /// An idle sink is closed after this time; nil for never.
    var closeDelay: Duration?
    let scrap = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 64)

    init(
        settings: RendererSettings, clock: any OutputClock, mailbox: RendererMailbox, board: PlayheadBoard,
        events: EventQueue
    ) {
        self.settings = settings
        closeDelay = settings.closeDelay
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
            if machine.activity != activity {
                activity = machine.activity
                progress = .none
            }
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
        if let gain = commands.gain { self.gain = gain }
        if commands.writesAgain { writesAgain = true }
        if let closeDelay = commands.closeDelay { self.closeDelay = closeDelay }
        if commands.stops { handle(.stop) }
        switch commands.course {
        case .load(let load):
            handle(.load(generation: load.generation, prebuffer: load.prebuffer, rebuffer: load.rebuffer))
            source = load.source
        case .turn(let generation): handle(.switchGeneration(generation))
        case .join(let generation): handle(.continueWith(generation))
        case nil: break
        }
        if let sink = commands.sink {
            handle(.sinkReplaced)
            // A group that is closed forgets the outputs that it no longer has, so that their devices are free.
            if stage == nil { (self.sink as? OutputGroup)?.takePlan() }
            self.sink = sink
        }
        if let isPaused = commands.isPaused { handle(isPaused ? .pause : .unpause) }
    }

    private func close() {
        handle(.stop)
        closeSink()
        sink = nil
        mailbox.close()
        events.put(.end)
    }

    // MARK: The machine

    func handle(_ event: RenderMachine.Event) {
        let (effects, notice) = machine.handle(event)
        if let notice { events.put(.event(notice)) }
        for effect in effects {
            switch effect {
            case .forget: forget()
            case .release:
                source = nil
                ring.release()
            case .pause: pause()
            case .resume: resume()
            case .close: closeSink()
            }
        }
    }

    func fail(_ error: SinkError) {
        // Only `close` and `open` may be called now, so compute from the clock what was heard.
        let elapsed = PacedBuffer.frames(in: clock.now - playedInstant, rate: ring.format.rate)
        ring.markPlayed(upTo: ring.played + max(0, elapsed))
        ring.rewind()
        stage = nil
        latency = nil
        sink?.close()
        progress = .none
        handle(.sinkFailed(error))
        publish(isSounding: false)
    }

    // MARK: The sink

    func ensureOpen() -> Bool {
        if let stage, stage.source == ring.format { return true }
        guard let sink else {
            fail(.noOutput)
            return false
        }
        do throws(SinkError) {
            if stage != nil { try sink.drain() }
            let taken = try sink.open(ring.format)
            stage = try OutputStage(from: ring.format, to: taken, limit: periodFrames, gain: GainRamp(gain))
            latency = nil
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
        latency = nil
        sink?.close()
    }

    private func forget() {
        updatePlayed()
        publish(isSounding: false)
        if stage != nil { sink?.drop() }
        latency = nil
        stage?.discard()
        // The next sound follows silence, so it needs no ramp from the previous gain.
        stage?.gain = GainRamp(gain)
        ring.removeAll()
        progress = .none
    }

    private func pause() {
        guard let stage, let sink else { return }
        let isHeld = sink.pause()
        updatePlayed()
        if isHeld {
            // The sink must be resumed, even without frames.
            latency = latency ?? Latency()
        } else {
            sink.drop()
            latency = nil
            ring.rewind()
            stage.discard()
            stage.gain.reachTarget()
        }
        publish(isSounding: false)
    }

    private func resume() {
        guard latency != nil, let sink else { return }
        do throws(SinkError) {
            try sink.resume()
            updatePlayed()
            publish(isSounding: true)
        } catch {
            // Nothing was heard in the pause.
            playedInstant = clock.now
            fail(error)
        }
    }

    // MARK: The playhead

    /// Records that the sink accepted frames.
    func recordDelivery() {
        guard latency == nil else { return }
        let isLearned = sink.map { $0.learningTime > .zero } ?? false
        latency = isLearned ? Latency(unsureUntil: clock.now + Self.checkDelay, checks: Self.latencyChecks) : Latency()
    }

    private var sureInstant: Instant { latency?.unsureUntil ?? .distantPast }

    func updatePlayed() {
        guard let stage, let sink, clock.now >= sureInstant else { return }
        let (frames, instant) = frames(in: sink)
        let reached = ring.fed - stage.heldFrames(beyond: frames)
        ring.markPlayed(upTo: reached)
        playedInstant = instant + ring.format.duration(of: Int(max(0, ring.played - reached)))
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

    /// Publishes the position being heard. While the device is still catching up the position stands still; it never jumps ahead.
    func publish(isSounding: Bool) {
        guard let generation = ring.generation else { return }
        let frame = ring.played
        let course = ring.map.course(from: frame, rate: ring.format.rate)
        var playhead = Playhead(
            generation: generation, position: MediaTime(frames: ring.map.media(of: frame), rate: ring.format.rate),
            instant: isSounding ? max(playedInstant, sureInstant) : clock.now, speed: isSounding ? course.pace : 0)
        playhead.omitted = MediaTime(frames: ring.map.omitted(before: frame), rate: ring.format.rate)
        if isSounding { playhead.turns = course.turns }
        board.show(playhead)
    }

    var periodFrames: Int { max(1, ring.format.frames(in: settings.period)) }

    /// Reads chunks until this number of frames is staged.
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
            let heard = ring.heardFrames(of: chunk) * chunk.format.frameSize
            if heard > 0 {
                let bytes = UnsafeMutableRawBufferPointer(rebasing: scrap[..<min(scrap.count, heard)])
                if source.read(into: bytes) > 0 { continue }
            }
            if chunk.format != ring.format || ring.capacity == 0 {
                guard ring.isEmpty else { return .format }
                let capacity = chunk.format.frames(in: settings.capacity)
                ring.prepare(for: chunk.format, capacity: max(2, capacity))
                return gather(upTo: periodFrames)
            }
            guard !ring.map.isFull else { return .full }
            let room = ring.free(limit: wanted - ring.staged)
            guard room.count > 0 else { return .full }
            let count = source.read(into: room) / chunk.format.frameSize
            guard count > 0 else { return .dry }
            ring.fill(count, of: chunk)
        }
        return .enough
    }

    func waitForSource(_ gathered: Gathered, until deadline: Instant) {
        guard let source, gathered != .early else { return waitForCommands(until: deadline) }
        guard source.prepareToWait() else { return }
        clock.wait(readable: mailbox.wakeUp.raw, source.readinessDescriptor, writable: -1, until: deadline)
        mailbox.wakeUp.clear()
    }

    /// The eventfd may be signalled for commands that were already handled; `RendererMailbox.hasCommands` shows whether there is a new one.
    func waitForCommands(until deadline: Instant) {
        clock.wait(readable: mailbox.wakeUp.raw, until: deadline)
        mailbox.wakeUp.clear()
    }
}

extension PCMChunk {
    /// Whether its values are possible; other chunks are skipped.
    fileprivate var isUsable: Bool {
        kind == .end || (PCMFormat.rates.contains(format.rate) && PCMFormat.channelCounts.contains(format.channels))
    }
}
