internal import MediaPorts

/// What the renderer is doing: a pure value. Events go in; what is to be done comes out; no clock, no sink, no source.
struct RenderMachine {
    /// Where it stands. Legal successors are named at each case; `silent` and `filling` follow everything.
    enum Phase: Equatable {
        /// There is no source. → filling
        case silent
        /// Not enough is decoded to begin, or to go on. → playing, retrying, broken
        case filling
        /// Frames go to the sink. → draining, retrying, broken
        case playing
        /// All frames of one format are with the sink, which plays them out. → ended, filling, retrying, broken
        case draining(Drain)
        /// The last frame was heard.
        case ended
        /// The sink failed and is tried again: the how-manieth try comes next. → filling, broken
        case retrying(attempt: Int)
        /// The sink failed for good; a command may help.
        case broken
    }

    /// What comes after a drain.
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
        /// Another sink is in place, or none is.
        case sinkReplaced
        /// Enough is decoded.
        case enough
        /// The sink took frames.
        case delivered
        /// Nothing is decoded, and all that was is heard.
        case ranDry
        /// All is with the sink, and the next chunk is the end or has another format.
        case exhausted(Drain)
        /// The sink has played all out.
        case drained
        /// The sink opened.
        case opened
        case sinkFailed(SinkError)
    }

    /// What is to be done at once.
    struct Effects: OptionSet, Equatable {
        let rawValue: UInt8
        /// Forget every frame, also those with the sink.
        static let forget = Effects(rawValue: 1)
        /// Let the source go.
        static let letGo = Effects(rawValue: 2)
        /// Stop the sound with everything kept.
        static let hold = Effects(rawValue: 4)
        /// Let the sound go on.
        static let release = Effects(rawValue: 8)
        /// Close the sink and take back what was not heard.
        static let close = Effects(rawValue: 16)
    }

    /// What is done from now on, until the next event.
    enum Activity: Equatable {
        /// Nothing; the sink may be closed after its delay.
        case rest
        /// Wait for enough frames.
        case fill
        /// Give frames to the sink.
        case deliver
        /// Let the sink play out.
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
    /// Failures in a row: a sink that opens and fails again at once is tried less and less often.
    private var failures = 0
    private var deliveries = 0
    /// Deliveries without a failure after which the next failure is a first one.
    private static let steadyDeliveries = 20

    /// Seconds of decoded frames that let `filling` end.
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
            // What is taken back from the sink is given to it again, and then comes the end anew.
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

    /// Frames were taken back from a sink that is gone; they are given to the next one.
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
        // Said once for each kind of trouble, not at every try.
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
