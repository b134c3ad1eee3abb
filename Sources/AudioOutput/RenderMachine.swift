internal import MediaPorts

/// State machine of the renderer: a value. Events go in, actions come out; it has no clock, sink or source.
struct RenderMachine {
    /// States. The legal successors are listed at each case; `silent` and `filling` can follow any state.
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

    /// What follows a drain.
    enum Drain: Equatable {
        case end
        case format
    }

    enum Event: Equatable {
        /// A new source.
        case load(generation: UInt32, prebuffer: Double, rebuffer: Double)
        /// Another generation of the source.
        case switchGeneration(UInt32)
        case pause
        case unpause
        case stop
        /// The sink was replaced or removed.
        case sinkReplaced
        /// Enough frames are decoded.
        case enough
        /// The sink accepted frames.
        case delivered
        /// Nothing is decoded, and all decoded frames were heard.
        case ranDry
        /// All frames are in the sink, and the next chunk is the end or has another format.
        case exhausted(Drain)
        /// The sink has drained.
        case drained
        /// The sink was opened.
        case opened
        case sinkFailed(SinkError)
    }

    /// Actions to perform at once.
    struct Effects: OptionSet, Equatable {
        let rawValue: UInt8
        /// Discard all frames, including those in the sink.
        static let forget = Effects(rawValue: 1)
        /// Release the source.
        static let letGo = Effects(rawValue: 2)
        /// Pause the sink and keep its frames.
        static let hold = Effects(rawValue: 4)
        /// Resume.
        static let release = Effects(rawValue: 8)
        /// Close the sink and keep frames that were not heard.
        static let close = Effects(rawValue: 16)
    }

    /// The activity until the next event.
    enum Activity: Equatable {
        /// None; the sink may be closed after the suspend delay.
        case rest
        /// Wait for enough frames.
        case fill
        /// Write frames to the sink.
        case deliver
        /// Drain the sink.
        case drain
        /// Wait, then open the sink again.
        case retry(attempt: Int)
    }

    private(set) var phase = Phase.silent
    private(set) var isPaused = false
    private(set) var generation: UInt32 = 0
    private var prebuffer = 0.0
    private var rebuffer = 0.0
    private var hasStarted = false
    private var isUnderrun = false
    private var isFailing = false
    /// Consecutive failures: a sink that opens and fails again at once is retried at increasing intervals.
    private var failures = 0
    private var deliveries = 0
    /// Number of successful deliveries after which a failure counts as the first again.
    private static let steadyDeliveries = 20

    /// Seconds of decoded frames that end `filling`.
    var target: Double { isUnderrun ? rebuffer : prebuffer }

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

    mutating func handle(_ event: Event) -> (effects: Effects, notice: RendererEvent?) {
        switch event {
        case .load(let generation, let prebuffer, let rebuffer):
            self.prebuffer = prebuffer
            self.rebuffer = rebuffer
            begin(generation)
            return (.forget, nil)
        case .switchGeneration(let generation):
            guard phase != .silent else { return ([], nil) }
            begin(generation)
            return (.forget, nil)
        case .pause: return (pause(), nil)
        case .unpause: return (unpause(), nil)
        case .stop:
            phase = .silent
            isPaused = false
            return ([.forget, .letGo], nil)
        case .sinkReplaced:
            failures = 0
            refill()
            return (.close, nil)
        case .enough:
            if phase == .filling { phase = .playing }
            return ([], nil)
        case .delivered: return ([], noticeOfDelivery())
        case .ranDry:
            guard phase == .playing else { return ([], nil) }
            phase = .filling
            isUnderrun = true
            return ([], .underrun(generation: generation))
        case .exhausted(let drain):
            if phase == .playing { phase = .draining(drain) }
            return ([], nil)
        case .drained: return ([], drained())
        case .opened:
            guard isFailing else { return ([], nil) }
            isFailing = false
            if case .retrying = phase { phase = .filling }
            return ([], .sinkRecovered)
        case .sinkFailed(let error): return fail(error)
        }
    }

    private mutating func begin(_ generation: UInt32) {
        self.generation = generation
        hasStarted = false
        isUnderrun = false
        if case .retrying = phase { return }
        phase = .filling
    }

    private mutating func pause() -> Effects {
        guard !isPaused else { return [] }
        isPaused = true
        switch phase {
        case .playing: return .hold
        case .draining:
            // Frames removed from the sink are written to it again, followed by the end.
            phase = .playing
            return .hold
        case .silent, .filling, .ended, .retrying, .broken: return []
        }
    }

    private mutating func unpause() -> Effects {
        guard isPaused else { return [] }
        isPaused = false
        switch phase {
        case .playing: return .release
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
        deliveries += 1
        if deliveries >= Self.steadyDeliveries { failures = 0 }
        if !hasStarted {
            hasStarted = true
            isUnderrun = false
            return .started(generation: generation)
        }
        guard isUnderrun else { return nil }
        isUnderrun = false
        return .resumed(generation: generation)
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

    private mutating func fail(_ error: SinkError) -> (effects: Effects, notice: RendererEvent?) {
        switch phase {
        case .silent, .ended: return (.close, nil)
        case .filling, .playing, .draining, .retrying, .broken: break
        }
        // Reported once for each kind of error, not at every retry.
        var isNews = !isFailing || !error.isTemporary
        deliveries = 0
        failures += 1
        if error.isTemporary {
            if case .retrying = phase { isNews = false }
            phase = .retrying(attempt: failures)
        } else {
            phase = .broken
        }
        isFailing = true
        return (.close, isNews ? .sinkFailed(error) : nil)
    }
}
