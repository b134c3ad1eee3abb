package import AudioOutput
package import MediaPorts
import MachineSupport
import PodcastModel
import SystemCalls

/// A simulated sound device: plays at its rate by a clock that is passed in, has a buffer and a latency, fails on
/// request, and records what was heard. Tests of everything above a sink use it.
package final class SimulatedSink: Sink {
    /// Properties of the device.
    package struct Traits: Sendable {
        /// Length of its buffer in seconds.
        package var buffer: Double
        /// Seconds from leaving the buffer until being heard.
        package var delay: Double
        /// Seconds that it needs to be opened.
        package var opening: Double
        /// Whether it supports pausing with all frames kept.
        package var canPause: Bool
        /// Whether frames that were not heard can be removed.
        package var canTakeBack: Bool
        /// The only rate it supports; nil for any.
        package var rate: Int?
        /// The only number of channels it supports; nil for any.
        package var channels: Int?
        /// The only sample type it supports; nil for any.
        package var type: SampleType?
        /// See `Sink.latencies`.
        package var latencies: ClosedRange<Duration>
        /// See `Sink.learningTime`.
        package var learningTime: Duration

        /// A device that supports every format, with a buffer of one second.
        package init(
            buffer: Double = 1, delay: Double = 0, opening: Double = 0, canPause: Bool = false,
            canTakeBack: Bool = true, rate: Int? = nil, channels: Int? = nil, type: SampleType? = nil,
            latencies: ClosedRange<Duration> = .zero ... .zero, learningTime: Duration = .zero
        ) {
            self.buffer = buffer
            self.delay = delay
            self.opening = opening
            self.canPause = canPause
            self.canTakeBack = canTakeBack
            self.rate = rate
            self.channels = channels
            self.type = type
            self.latencies = latencies
            self.learningTime = learningTime
        }
    }

    /// A call of the port, for tests that check the renderer against the port's contract.
    package enum Call: Equatable, Sendable {
        /// `open` with the format it returned.
        case open(PCMFormat)
        /// `drain` that completed.
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
        /// Number of bytes that were heard and removed by a test; `bytes` contains the following ones.
        var taken = 0
        /// Number of bytes from before the device was last opened.
        var opened: Int = 0
        var openFailures: [SinkError] = []
        var writeFailure: (frames: Int, error: SinkError)?
        var calls: [Call] = []
        var writes = 0
    }

    private let traits: Traits
    private let clock: any OutputClock
    private let wakeUp: EventDescriptor
    private let state = Monitor(State())

    /// See `Sink`.
    package var name: String { "simulated" }
    /// Whether the sink plays in real time.
    package var isPaced: Bool { true }

    /// Creates a device on which nothing was played.
    ///
    /// - Throws: if the process has no descriptors left.
    package init(_ traits: Traits = Traits(), clock: any OutputClock) throws {
        self.traits = traits
        self.clock = clock
        wakeUp = try EventDescriptor()
    }

    /// The next calls of `open` fail, each with one of these errors.
    package func failOpening(with errors: [SinkError]) { state.update { $0.openFailures = errors } }

    /// Makes the `write` fail that would exceed this number of further frames.
    package func failWriting(afterFrames frames: Int, with error: SinkError) {
        state.update { $0.writeFailure = (frames, error) }
    }

    /// All calls of the port so far, except `write`, `latency` and `interrupt`.
    package var calls: [Call] { state.update { $0.calls } }

    /// Number of calls of `write` that accepted frames.
    package var writeCount: Int { state.update { $0.writes } }

    /// All bytes heard so far and not removed, over all openings; without frames that were dropped before they were
    /// heard.
    package var heard: [UInt8] {
        let now = clock.now
        return state.update { state in Array(state.bytes.prefix(heardCount(state, now))) }
    }

    /// Returns and removes the bytes heard since the last call, so that a session of days needs little memory.
    package func takeHeard() -> [UInt8] {
        let now = clock.now
        return state.update { state in
            let heard = Array(state.bytes.prefix(heardCount(state, now)))
            state.bytes.removeFirst(heard.count)
            state.taken += heard.count
            return heard
        }
    }

    /// The format it is open for; nil while closed.
    package var openFormat: PCMFormat? { state.update { $0.device == nil ? nil : $0.format } }

    /// Opens, or fails as requested.
    package func open(_ wanted: PCMFormat) throws(SinkError) -> PCMFormat {
        let format = PCMFormat(
            rate: traits.rate ?? wanted.rate, channels: traits.channels ?? wanted.channels,
            type: traits.type ?? wanted.type)
        if traits.opening > 0 {
            let isOpen = clock.now + .seconds(traits.opening)
            while clock.now < isOpen { clock.wait(readable: -1, until: isOpen) }
        }
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

    /// Writes as many frames as fit; waits until half the buffer is free, like a device with two periods.
    package func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        while true {
            let now = clock.now
            let step: Result<(taken: Int, deadline: Instant), SinkError> = state.update { state in
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
                return .success((count * format.frameSize, now))
            }
            let (taken, deadline) = try step.get()
            if taken > 0 { return taken }
            clock.wait(readable: wakeUp.raw, until: deadline)
            if wakeUp.clear() { return 0 }
        }
    }

    /// Frames in the buffer and on the way to the listener; before the first frame is heard, including the device's
    /// latency.
    package var latency: Int {
        let now = clock.now
        return state.update { state in state.device?.lag(at: now) ?? 0 }
    }

    package var latencies: ClosedRange<Duration> { traits.latencies }
    package var learningTime: Duration { traits.learningTime }

    /// Waits until all frames were heard, or for `interrupt`.
    package func drain() throws(SinkError) {
        while true {
            let now = clock.now
            let deadline: Instant? = state.update { state in
                guard let device = state.device, device.latency(at: now) > 0 else { return nil }
                return device.instantWhenEmpty
            }
            guard let deadline else {
                state.update { $0.calls.append(.drain) }
                return
            }
            clock.wait(readable: wakeUp.raw, until: deadline)
            if wakeUp.clear() { return }
        }
    }

    /// Discards frames that were not heard.
    package func drop() {
        let now = clock.now
        state.update { state in
            forgetUnheard(&state, now)
            state.calls.append(.drop)
        }
    }

    /// Removes frames that were not heard, if its traits allow it.
    package func takeBack(_ frames: Int) -> Int {
        guard traits.canTakeBack else { return 0 }
        let now = clock.now
        return state.update { state in
            guard let format = state.format, let taken = state.device?.takeBack(frames, at: now) else { return 0 }
            state.bytes.removeLast(taken * format.frameSize)
            return taken
        }
    }

    /// Pauses, if its traits allow it.
    package func pause() -> Bool {
        guard traits.canPause else { return false }
        let now = clock.now
        state.update { state in
            state.device?.hold(at: now)
            state.calls.append(.pause)
        }
        return true
    }

    /// Resumes.
    package func resume() throws(SinkError) {
        let now = clock.now
        state.update { state in
            state.device?.release(at: now)
            state.calls.append(.resume)
        }
    }

    /// Discards frames that were not heard and closes the device.
    package func close() {
        let now = clock.now
        state.update { state in
            forgetUnheard(&state, now)
            state.device = nil
            state.calls.append(.close)
        }
    }

    /// Makes a blocked call return.
    package func interrupt() { wakeUp.signal() }

    private func newDevice(rate: Int) -> PacedBuffer {
        PacedBuffer(
            rate: rate, capacity: Int((traits.buffer + traits.delay) * Double(rate)),
            delay: .nanoseconds(Int64(traits.delay * 1e9)))
    }

    private func forgetUnheard(_ state: inout State, _ now: Instant) {
        guard let device = state.device else { return }
        state.bytes.removeSubrange(heardCount(state, now)...)
        state.opened = state.taken + state.bytes.count
        state.device = newDevice(rate: device.rate)
    }

    /// How many of `bytes` were heard.
    private func heardCount(_ state: State, _ now: Instant) -> Int {
        guard let device = state.device, let format = state.format else { return state.bytes.count }
        let heard = state.opened + Int(device.played(at: now)) * format.frameSize - state.taken
        return min(state.bytes.count, heard)
    }
}
