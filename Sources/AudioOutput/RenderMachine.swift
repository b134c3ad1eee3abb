internal import MediaPorts

/// State machine of the renderer: a value without clock, sink or source. `RenderLoop` gives it events and performs its effects.
///
///     silent ──load──> filling ──enough──> playing ──exhausted──> draining ──> ended
///                       ▲ ▲ ▲                │ │                    │ │
///                       │ │ └────ran dry─────┘ │      other format  │ │
///                       │ └────────────────────┼────────────────────┘ │
///                       └─opened── retrying <──┴──────sink failed─────┘   (or broken, if a retry makes no sense)
///
/// `stop` leads to silent and `load` to filling from every phase. Three more regions are independent of the phase: whether the
/// user paused, what the next delivery reports, and how reliable the sink is.
struct RenderMachine {
    enum Phase: Equatable {
        /// There is no source. → filling
        case silent
        /// Not enough frames are decoded to start or to continue. → playing, retrying, broken
        case filling
        /// Frames are written to the sink. → draining, retrying, broken
        case playing
        /// All frames of one format are in the sink, which drains. → ended, filling, retrying, broken
        case draining(Drain)
        /// The last frame was heard.
        case ended
        /// The sink failed. `attempt` is the number of the next retry. → filling, broken
        case retrying(attempt: Int)
        /// The sink failed permanently; a command may help.
        case broken
    }

    enum Drain { case end, format }

    enum Event {
        case load(generation: UInt32, prebuffer: Duration, rebuffer: Duration)
        case switchGeneration(UInt32)
        /// Another generation will continue what the sink plays.
        case continueWith(UInt32)
        /// The next frames belong to the successor.
        case continued
        case pause, unpause, stop, sinkReplaced, enough, delivered
        /// Nothing is decoded, and all decoded frames were heard.
        case ranDry
        /// All frames are in the sink, and the next chunk is the end or has another format.
        case exhausted(Drain)
        case drained, opened
        case sinkFailed(SinkError)
    }

    /// Actions to perform at once, in order.
    enum Effect {
        /// Discard all frames, including those in the sink.
        case forget
        /// Release the source.
        case release
        case pause, resume
        /// Close the sink and keep frames that were not heard.
        case close
    }

    /// The activity until the next event.
    enum Activity: Equatable {
        /// None; the sink may be closed after the suspend delay.
        case rest
        case fill, deliver, drain
        /// Wait, then open the sink again.
        case retry(attempt: Int)
    }

    private(set) var phase = Phase.silent
    private(set) var isPaused = false
    private(set) var generation: UInt32 = 0
    /// The generation that continues what the sink plays, once enough of it is decoded.
    private(set) var successor: UInt32?
    private var prebuffer = Duration.zero
    private var rebuffer = Duration.zero
    private var beginning = Beginning.start
    private var reliability = Reliability.reliable

    /// What the next delivery reports.
    private enum Beginning {
        /// The first frames of the generation.
        case start
        /// The end of an underrun.
        case resumption
        case nothing
    }

    /// Successive failures of the sink: one that opens and fails again at once is retried at increasing intervals.
    private enum Reliability {
        case reliable
        /// The last failure was reported, and the sink has not been opened since.
        case failed(times: Int)
        /// The sink works again since this number of deliveries.
        case recovering(failures: Int, deliveries: Int)
    }

    /// The last failure.
    private var reported: SinkError?

    /// Number of deliveries after which a failure counts as the first again.
    private static let steadyDeliveries = 20

    /// Playing time of decoded frames that ends `filling`.
    var target: Duration { beginning == .resumption ? rebuffer : prebuffer }

    var activity: Activity {
        if isPaused { return .rest }
        return switch phase {
        case .silent, .ended, .broken: .rest
        case .filling: .fill
        case .playing: .deliver
        case .draining: .drain
        case .retrying(let attempt): .retry(attempt: attempt)
        }
    }

    mutating func handle(_ event: Event) -> (effects: [Effect], notice: RendererEvent?) {
        var (effects, notice) = decide(event)
        // Nothing plays that could be continued.
        if let successor, phase != .playing || isPaused {
            begin(successor)
            effects = [.forget] + effects.filter { $0 != .pause }
        }
        return (effects, notice)
    }

    private mutating func decide(_ event: Event) -> (effects: [Effect], notice: RendererEvent?) {
        switch event {
        case .load(let generation, let prebuffer, let rebuffer):
            self.prebuffer = prebuffer
            self.rebuffer = rebuffer
            begin(generation)
            return ([.forget], nil)
        case .switchGeneration(let generation):
            guard phase != .silent else { return ([], nil) }
            begin(generation)
            return ([.forget], nil)
        case .continueWith(let generation): if phase != .silent { successor = generation }
        case .continued:
            if let successor {
                generation = successor
                beginning = .start
            }
            successor = nil
        case .pause: return (pause(), nil)
        case .unpause: return (unpause(), nil)
        case .stop:
            phase = .silent
            isPaused = false
            successor = nil
            return ([.forget, .release], nil)
        case .sinkReplaced:
            if case .failed = reliability { reliability = .failed(times: 0) } else { reliability = .reliable }
            refill()
            return ([.close], nil)
        case .enough: if phase == .filling { phase = .playing }
        case .delivered: return ([], noticeOfDelivery())
        case .ranDry:
            guard phase == .playing else { return ([], nil) }
            phase = .filling
            if beginning == .nothing { beginning = .resumption }
            return ([], .underrun(generation: generation))
        case .exhausted(let drain): if phase == .playing { phase = .draining(drain) }
        case .drained: return ([], drained())
        case .opened:
            guard case .failed(let times) = reliability else { return ([], nil) }
            reliability = .recovering(failures: times, deliveries: 0)
            if case .retrying = phase { phase = .filling }
            return ([], .sinkRecovered)
        case .sinkFailed(let error): return fail(error)
        }
        return ([], nil)
    }

    private mutating func begin(_ generation: UInt32) {
        self.generation = generation
        beginning = .start
        successor = nil
        if case .retrying = phase { return }
        phase = .filling
    }

    private mutating func pause() -> [Effect] {
        guard !isPaused else { return [] }
        isPaused = true
        switch phase {
        case .playing: return [.pause]
        case .draining:
            // Frames removed from the sink are written to it again, followed by the end.
            phase = .playing
            return [.pause]
        case .silent, .filling, .ended, .retrying, .broken: return []
        }
    }

    private mutating func unpause() -> [Effect] {
        guard isPaused else { return [] }
        isPaused = false
        switch phase {
        case .playing: return [.resume]
        case .broken:
            phase = .filling
            return []
        case .silent, .filling, .draining, .ended, .retrying: return []
        }
    }

    /// Frames of a sink that is closed are written to the next sink.
    private mutating func refill() {
        switch phase {
        case .playing, .draining, .retrying, .broken: phase = .filling
        case .silent, .filling, .ended: break
        }
    }

    private mutating func noticeOfDelivery() -> RendererEvent? {
        if case .recovering(let failures, let deliveries) = reliability {
            let isSteady = deliveries + 1 >= Self.steadyDeliveries
            reliability = isSteady ? .reliable : .recovering(failures: failures, deliveries: deliveries + 1)
        }
        defer { beginning = .nothing }
        switch beginning {
        case .start: return .started(generation: generation)
        case .resumption: return .resumed(generation: generation)
        case .nothing: return nil
        }
    }

    private mutating func drained() -> RendererEvent? {
        switch phase {
        case .draining(.end):
            phase = .ended
            return .ended(generation: generation)
        case .draining(.format):
            phase = .filling
            return nil
        case .silent, .filling, .playing, .ended, .retrying, .broken: return nil
        }
    }

    private mutating func fail(_ error: SinkError) -> (effects: [Effect], notice: RendererEvent?) {
        switch phase {
        case .silent, .ended: return ([.close], nil)
        case .filling, .playing, .draining, .retrying, .broken: break
        }
        let failures: Int
        // Failed retries are not reported, unless the reason is another one or permanent.
        var isReported = true
        switch reliability {
        case .reliable: failures = 1
        case .recovering(let before, _): failures = before + 1
        case .failed(let before):
            failures = before + 1
            isReported = !error.isTemporary || error != reported
        }
        reported = error
        reliability = .failed(times: failures)
        phase = error.isTemporary ? .retrying(attempt: failures) : .broken
        return ([.close], isReported ? .sinkFailed(error) : nil)
    }
}
