internal import MediaPorts
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// One output of a group: its sink, and the conversion and volume of what the group plays. Used by one thread at a time: the sink
/// thread while the output leads, a separate thread while it follows.
final class OutputLane: Sendable, Hashable {
    struct Report: Equatable {
        var phase = OutputPhase.idle
        /// Why the output does not play; nil if it plays or should not.
        var reason: String?
        /// Whether the output that leads gives frames too late for this one.
        var isLate = false
        /// The format of the open device: `48000:s16:2`; nil while the device is closed.
        var format: String?
    }

    private final class State {
        var stage: OutputStage?
        /// Frames to leave out, because others were heard in their place.
        var excess = 0
        /// Sound that is written before the next frames: these bytes, then this number of frames of silence.
        var inserted: [UInt8] = []
        var silence = 0
        /// Frames taken since something was inserted; only those can be removed again.
        var taken = 0
        /// The delay that the frames so far were given, if the output leads.
        var delay = Duration.zero
    }

    let sink: any Sink
    private let confined = ThreadConfined(State())
    private var state: State { confined.state }
    private let level: Atomic<UInt32>
    private let delayed: Atomic<Int64>
    private let learning = Atomic<Int64>(0)
    private let inStep = Atomic(false)
    private let isUsable = Atomic(true)
    private let current = Mutex(Report())
    private let reported: @Sendable () -> Void
    /// The thread on which the output follows or followed last.
    private let thread = Mutex<DedicatedThread?>(nil)

    static func == (one: OutputLane, other: OutputLane) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// - Parameter reported: called on the lane's thread when `report` has changed; must not block.
    init(_ sink: any Sink, volume: Int = 100, delay: Duration = .zero, reported: @escaping @Sendable () -> Void) {
        self.sink = sink
        self.reported = reported
        level = Atomic(Float(1).bitPattern)
        delayed = Atomic(delay.nanoseconds)
        setVolume(volume)
    }

    deinit { thread.withLock { $0?.detach() } }

    // MARK: Any thread

    /// Starts a thread for the lane, which begins when the one before has ended.
    func follow(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        try thread.withLock { (thread) throws(SystemError) in
            let last = thread
            thread = try DedicatedThread(name: .follower) {
                last?.join()
                body()
            }
        }
    }

    /// Waits a moment for the lane's thread, which was asked to end.
    /// - Returns: false if the thread still waits for a device or a host; the lane's next thread begins after it.
    func hasEnded() -> Bool {
        thread.withLock { thread in
            if thread?.tryJoin(until: .now + GroupTiming.end) == false { return false }
            thread = nil
            return true
        }
    }

    /// Waits until the lane's thread, which was asked to end, has ended, at most until then.
    func join(until deadline: Instant) {
        _ = thread.withLock { exchange(&$0, with: nil) }?.join(until: deadline)
    }

    /// Sets the volume, beside that of all outputs, in percent. A sink without a mixer is given quieter frames.
    /// - Returns: whether frames in the sink have the volume before.
    @discardableResult
    func setVolume(_ percent: Int) -> Bool {
        if let mixer = sink.mixer {
            mixer.setVolume(percent)
            return false
        }
        // The cube, as for the volume of all: equal steps sound equally large.
        let share = Float(percent) / 100
        let new = (share * share * share).bitPattern
        return level.exchange(new, ordering: .relaxed) != new
    }

    /// Linear.
    private var gain: Float { Float(bitPattern: level.load(ordering: .relaxed)) }

    /// How much later than the others the output is heard; earlier if negative.
    var delay: Duration {
        get { .nanoseconds(delayed.load(ordering: .relaxed)) }
        set { delayed.store(newValue.nanoseconds, ordering: .relaxed) }
    }

    /// Minimum time between writing a frame here and the group's playing it.
    var requiredLead: Duration { sink.latencies.lowerBound - delay }
    /// How much earlier than the group's sound the others can be given a frame, if this output leads.
    var availableLead: Duration { sink.latencies.upperBound - delay }

    /// How much later than this output all others can begin, so that none misses the beginning; zero if this one is the latest.
    /// - Parameter others: the outputs that follow. One that cannot be opened, or needs frames earlier than this one gets them, misses
    ///   the beginning.
    func leadIn(for others: [OutputLane]) -> Duration {
        let learning = learningTime
        var latest = requiredLead
        for other in others where other.opensWell && other.requiredLead <= availableLead {
            latest = max(latest, other.requiredLead + max(learning, other.learningTime))
        }
        let time = latest - requiredLead
        return time > .zero ? time + GroupTiming.leadIn : .zero
    }

    /// The time in which the sink learns its latency, as far as known before the sink is opened.
    private var learningTime: Duration { .nanoseconds(learning.load(ordering: .relaxed)) }

    /// Whether the lane is in step with the one that leads, and can lead in its place.
    var isFollowing: Bool {
        get { inStep.load(ordering: .relaxed) }
        set { inStep.store(newValue, ordering: .relaxed) }
    }

    /// Whether the sink could be opened the last time that it was tried.
    var opensWell: Bool { isUsable.load(ordering: .relaxed) }

    var report: Report { current.withLock { $0 } }

    func report(_ phase: OutputPhase, _ reason: String? = nil, isLate: Bool = false) {
        change {
            $0.phase = phase
            $0.reason = reason
            $0.isLate = isLate
        }
    }

    private func change(_ edit: (inout Report) -> Void) {
        let isNew = current.withLock { report in
            let old = report
            edit(&report)
            return report != old
        }
        if isNew { reported() }
    }

    // MARK: The lane's thread

    var isOpen: Bool { state.stage != nil }

    /// Opens the sink.
    /// - Parameter adopts: whether the lane takes frames in the sink's format; otherwise it converts from the given one.
    /// - Returns: the format of the frames that the lane takes.
    func open(_ wanted: PCMFormat, adopts: Bool) throws(SinkError) -> PCMFormat {
        confined.state = State()
        beginToLead()
        do throws(SinkError) {
            let taken = try sink.open(wanted)
            let source = adopts ? taken : wanted
            let limit = max(1, source.frames(in: .milliseconds(900)))
            state.stage = try OutputStage(from: source, to: taken, limit: limit, gain: GainRamp(gain))
            isUsable.store(true, ordering: .relaxed)
            learning.store(sink.learningTime.nanoseconds, ordering: .relaxed)
            change { $0.format = "\(taken.rate):\(taken.type.optionName):\(taken.channels)" }
            return source
        } catch {
            isUsable.store(false, ordering: .relaxed)
            sink.close()
            throw error
        }
    }

    /// Writes whole frames, after what was inserted; blocks until there is room for at least one.
    /// - Returns: number of bytes taken; 0 if interrupted.
    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        guard let stage = state.stage else { throw SinkError("the output is closed") }
        guard try flush() else { return 0 }
        let frameSize = stage.source.frameSize
        let leftOut = min(frames.count / frameSize, state.excess)
        state.excess -= leftOut
        if leftOut > 0 { return leftOut * frameSize }
        let taken = try convert(frames, stage)
        state.taken += taken / frameSize
        return taken
    }

    /// Writes the next frames of a ring.
    /// - Returns: number of frames taken; 0 if interrupted.
    func play(_ ring: LaneRing, limit: Int) throws(SinkError) -> Int {
        let taken = try write(ring.frames(limit: limit)) / ring.format.frameSize
        ring.advance(taken)
        return taken
    }

    /// Writes what was inserted.
    /// - Returns: false if interrupted; the next call continues.
    func flush() throws(SinkError) -> Bool {
        guard let stage = state.stage else { return true }
        let frameSize = stage.source.frameSize
        while !state.inserted.isEmpty {
            let written = state.inserted.withUnsafeBytes { bytes in
                Result { () throws(SinkError) in try convert(bytes, stage) }
            }
            let taken = try written.get()
            if taken == 0 { return false }
            state.inserted.removeFirst(taken)
        }
        while state.silence > 0 {
            let taken = try convert(Silence.bytes(state.silence * frameSize, frameSize), stage) / frameSize
            if taken == 0 { return false }
            state.silence -= taken
        }
        return true
    }

    private func convert(_ frames: UnsafeRawBufferPointer, _ stage: OutputStage) throws(SinkError) -> Int {
        if !stage.waiting.isEmpty, try !send(stage) { return 0 }
        if gain != stage.gain.target { stage.gain.approach(gain, over: stage.sink.rate / 50) }
        if stage.isTransparent { return try sink.write(frames) }
        let taken = try stage.take(frames)
        _ = try send(stage)
        return taken * stage.source.frameSize
    }

    /// Writes what was converted.
    /// - Returns: false if interrupted.
    private func send(_ stage: OutputStage) throws(SinkError) -> Bool {
        while !stage.waiting.isEmpty {
            let count = try sink.write(stage.waiting)
            if count == 0 { return false }
            stage.sent(count)
        }
        return true
    }

    /// Inserts silence before the next frames.
    func insert(silence time: Duration) {
        guard let stage = state.stage else { return }
        state.silence += stage.source.frames(in: time)
        state.taken = 0
    }

    /// Inserts a corrected place before the next frames.
    func insert(_ bytes: [UInt8]) {
        state.inserted += bytes
        state.taken = 0
    }

    /// Moves the sound of the output that leads by a change of its delay, so that the others need not follow.
    func followDelay() {
        let delay = delay
        let change = delay - exchange(&state.delay, with: delay)
        if change > .zero { insert(silence: change) }
        if change < .zero, let stage = state.stage {
            state.excess += stage.source.frames(in: .zero - change)
        }
    }

    /// The delay of the frames so far, as far as `followDelay` has changed it.
    var appliedDelay: Duration { state.delay }

    /// Starts as leader: the frames written so far include the delay.
    func beginToLead() { state.delay = delay }

    /// Frames until the next one would be heard.
    var latency: Int { state.stage.map { Int($0.heldFrames(beyond: sink.latency)) } ?? 0 }

    /// The same, with what is inserted or left out before the next one.
    var lag: Int {
        let inserted = state.stage.map { state.inserted.count / $0.source.frameSize } ?? 0
        return latency + inserted + state.silence - state.excess
    }

    /// Removes up to this number of the last frames taken.
    /// - Returns: number of frames removed.
    func takeBack(_ frames: Int) -> Int {
        guard let stage = state.stage, stage.keepsFrames, state.silence == 0 else { return 0 }
        let frames = min(frames, state.taken)
        let waiting = stage.waiting.count / stage.sink.frameSize
        guard waiting <= frames else { return 0 }
        stage.discard()
        let count = waiting + sink.takeBack(frames - waiting)
        state.taken -= count
        return count
    }

    /// Other frames will be played in place of the last ones taken.
    func replace(_ frames: Int) { state.excess += frames - takeBack(frames) }

    func drop() {
        state.excess = 0
        state.inserted = []
        state.silence = 0
        state.taken = 0
        guard let stage = state.stage else { return }
        sink.drop()
        stage.discard()
        stage.gain = GainRamp(gain)
    }

    func drain() throws(SinkError) {
        guard let stage = state.stage else { return }
        if !stage.waiting.isEmpty, try !send(stage) { return }
        while try stage.finish() { guard try send(stage) else { return } }
        try sink.drain()
        stage.discard()
    }

    func close() {
        guard isOpen else { return }
        state.stage = nil
        sink.close()
        change { $0.format = nil }
    }
}
