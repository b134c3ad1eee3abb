public import MediaPorts
internal import SystemCalls

/// A sound device made of arithmetic: it plays at its rate by a clock that is passed in, has a buffer and a latency,
/// fails when it is told to, and keeps what was heard. Tests of everything above a sink run on it.
public final class SimulatedSink: Sink {
    /// What the device is like.
    public struct Traits: Sendable {
        /// Seconds that its buffer holds.
        public var buffer: Double
        /// Seconds between leaving the buffer and being heard.
        public var delay: Double
        /// Whether it can stop the sound with everything kept.
        public var canPause: Bool
        /// Whether frames that were not heard can be taken back.
        public var canTakeBack: Bool
        /// The one rate it takes; nil for any.
        public var rate: Int?
        /// The one number of channels it takes; nil for any.
        public var channels: Int?
        /// The one sample type it takes; nil for any.
        public var type: SampleType?

        /// A device that takes every format, with a buffer of one second.
        public init(
            buffer: Double = 1, delay: Double = 0, canPause: Bool = false, canTakeBack: Bool = true, rate: Int? = nil,
            channels: Int? = nil,
            type: SampleType? = nil
        ) {
            self.buffer = buffer
            self.delay = delay
            self.canPause = canPause
            self.canTakeBack = canTakeBack
            self.rate = rate
            self.channels = channels
            self.type = type
        }
    }

    /// A call of the port that was made, for tests that hold the renderer to the port's contract.
    public enum Call: Equatable, Sendable {
        /// `open` with the format it answered.
        case open(PCMFormat)
        /// `drain` that came to its end.
        case drain
        /// `drop`.
        case drop
        /// `pause`.
        case pause
        /// `resume`.
        case resume
        /// `close`.
        case close
    }

    private struct State {
        var device: PacedBuffer?
        var format: PCMFormat?
        var bytes: [UInt8] = []
        /// Bytes that were heard and taken by a test; `bytes` are those after them.
        var taken = 0
        /// Bytes of all from before the device was opened last.
        var opened: Int = 0
        var openFailures: [SinkError] = []
        var writeFailure: (frames: Int, error: SinkError)?
        var calls: [Call] = []
        var writes = 0
    }

    private let traits: Traits
    private let clock: any OutputClock
    private let bell: EventDescriptor
    private let state = Monitor(State())

    /// What `outputs` shows.
    public var name: String { "simulated" }
    /// It takes frames no faster than it plays.
    public var isPaced: Bool { true }

    /// A device that nothing was played on.
    ///
    /// - Throws: when the process has no descriptors left.
    public init(_ traits: Traits = Traits(), clock: any OutputClock) throws {
        self.traits = traits
        self.clock = clock
        bell = try EventDescriptor()
    }

    /// The next calls of `open` fail, one with each of these.
    public func failOpening(with errors: [SinkError]) { state.update { $0.openFailures = errors } }

    /// The write fails that would bring more than so many further frames.
    public func failWriting(afterFrames frames: Int, with error: SinkError) {
        state.update { $0.writeFailure = (frames, error) }
    }

    /// Every call of the port so far but `write`, `latency` and `interrupt`.
    public var calls: [Call] { state.update { $0.calls } }

    /// How often `write` took something.
    public var writeCount: Int { state.update { $0.writes } }

    /// All bytes that were heard by now and not taken, over all times it was open; frames dropped before they sounded are
    /// not in it.
    public var heard: [UInt8] {
        let now = clock.now
        return state.update { state in Array(state.bytes.prefix(heardCount(state, now))) }
    }

    /// Gives what was heard since it was last taken, and forgets it: a session of days need not be kept.
    public func takeHeard() -> [UInt8] {
        let now = clock.now
        return state.update { state in
            let heard = Array(state.bytes.prefix(heardCount(state, now)))
            state.bytes.removeFirst(heard.count)
            state.taken += heard.count
            return heard
        }
    }

    /// The format it is open for; nil when it is closed.
    public var openFormat: PCMFormat? { state.update { $0.device == nil ? nil : $0.format } }

    /// Opens, or fails as told.
    public func open(_ wanted: PCMFormat) throws(SinkError) -> PCMFormat {
        let format = PCMFormat(
            rate: traits.rate ?? wanted.rate, channels: traits.channels ?? wanted.channels,
            type: traits.type ?? wanted.type)
        let now = clock.now
        let failure: SinkError? = state.update { state in
            if !state.openFailures.isEmpty { return state.openFailures.removeFirst() }
            forgetUnheard(&state, now)
            state.format = format
            state.opened = state.taken + state.bytes.count
            state.device = newDevice(rate: format.rate)
            state.calls.append(.open(format))
            return nil
        }
        if let failure { throw failure }
        return format
    }

    /// Takes what there is room for; waits for room for half its buffer, as a device with two periods does.
    public func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        while true {
            let now = clock.now
            let step: Result<(taken: Int, deadline: Int64), SinkError> = state.update { state in
                guard var device = state.device, let format = state.format else {
                    return .failure(SinkError("the simulated sink is closed"))
                }
                let offered = frames.count / format.frameSize
                if let failure = state.writeFailure, failure.frames < offered {
                    state.writeFailure = nil
                    return .failure(failure.error)
                }
                let needed = min(offered, max(1, device.capacity / 2))
                guard device.room(at: now) >= needed else {
                    return .success((0, device.instant(whenRoomFor: needed)))
                }
                let count = min(offered, device.room(at: now))
                state.bytes.append(contentsOf: frames.prefix(count * format.frameSize))
                device.deliver(count, at: now)
                state.device = device
                state.writes += 1
                state.writeFailure?.frames -= count
                return .success((count * format.frameSize, 0))
            }
            let (taken, deadline) = try step.get()
            if taken > 0 { return taken }
            clock.wait(readable: bell.raw, until: deadline)
            if bell.clear() { return 0 }
        }
    }

    /// Frames in the buffer and on the way to the ear; before the first frame is heard with the way it has to go.
    public var latency: Int {
        let now = clock.now
        return state.update { state in state.device?.lag(at: now) ?? 0 }
    }

    /// Waits until all was heard or `interrupt`.
    public func drain() throws(SinkError) {
        while true {
            let now = clock.now
            let deadline: Int64? = state.update { state in
                guard let device = state.device, device.latency(at: now) > 0 else { return nil }
                return device.instantWhenEmpty
            }
            guard let deadline else {
                state.update { $0.calls.append(.drain) }
                return
            }
            clock.wait(readable: bell.raw, until: deadline)
            if bell.clear() { return }
        }
    }

    /// Forgets what was not heard.
    public func drop() {
        let now = clock.now
        state.update { state in
            forgetUnheard(&state, now)
            state.calls.append(.drop)
        }
    }

    /// Takes back what was not heard, if its traits say so.
    public func takeBack(_ frames: Int) -> Int {
        guard traits.canTakeBack else { return 0 }
        let now = clock.now
        return state.update { state in
            guard let format = state.format, let taken = state.device?.takeBack(frames, at: now) else { return 0 }
            state.bytes.removeLast(taken * format.frameSize)
            return taken
        }
    }

    /// Holds the sound if its traits say so.
    public func pause() -> Bool {
        guard traits.canPause else { return false }
        let now = clock.now
        state.update { state in
            state.device?.hold(at: now)
            state.calls.append(.pause)
        }
        return true
    }

    /// Goes on.
    public func resume() throws(SinkError) {
        let now = clock.now
        state.update { state in
            state.device?.release(at: now)
            state.calls.append(.resume)
        }
    }

    /// Forgets what was not heard and lets go.
    public func close() {
        let now = clock.now
        state.update { state in
            forgetUnheard(&state, now)
            state.device = nil
            state.calls.append(.close)
        }
    }

    /// Makes a waiting call return.
    public func interrupt() { bell.signal() }

    private func newDevice(rate: Int) -> PacedBuffer {
        PacedBuffer(
            rate: rate, capacity: Int((traits.buffer + traits.delay) * Double(rate)),
            delay: Int64(traits.delay * 1e9))
    }

    private func forgetUnheard(_ state: inout State, _ now: Int64) {
        guard let device = state.device else { return }
        state.bytes.removeSubrange(heardCount(state, now)...)
        state.opened = state.taken + state.bytes.count
        state.device = newDevice(rate: device.rate)
    }

    /// How many of `bytes` were heard.
    private func heardCount(_ state: State, _ now: Int64) -> Int {
        guard let device = state.device, let format = state.format else { return state.bytes.count }
        let heard = state.opened + Int(device.played(at: now)) * format.frameSize - state.taken
        return min(state.bytes.count, heard)
    }
}
