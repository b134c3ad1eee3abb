internal import MediaPorts
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// One output of a group: its sink, and the conversion and volume of what the group plays. Used by one thread at a time: the sink
/// thread while the output leads, a separate thread while it follows.
final class OutputLane: Sendable {
    struct Report: Equatable {
        var phase = OutputPhase.idle
        /// Why the output does not play; nil if it plays or should not.
        var reason: String?
        /// Whether the output that leads gives frames too late for this one.
        var isLate = false
        /// The format of the open device: `48000:s16:2`; nil while the device is closed.
        var format: String?
    }

    private struct State {
        var stage: OutputStage?
        /// Frames to leave out, because others were heard in their place.
        var excess = 0
    }

    let sink: any Sink
    private let confined = ThreadConfined(State())
    private let level: Atomic<UInt32>
    private let delayed: Atomic<Int64>
    private let inStep = Atomic(false)
    private let isUsable = Atomic(true)
    private let current = Mutex(Report())
    private let reported: @Sendable () -> Void
    /// The thread on which the output follows or followed last.
    private let thread = Mutex<DedicatedThread?>(nil)

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

    /// Waits until the lane's thread, which was asked to end, has ended.
    func join() { thread.withLock { exchange(&$0, with: nil) }?.join() }

    /// Sets the volume, beside that of all outputs, in percent. A sink without a mixer is given quieter frames.
    func setVolume(_ percent: Int) {
        if let mixer = sink.mixer { return mixer.setVolume(percent) }
        // The cube, as for the volume of all: equal steps sound equally large.
        let share = Float(percent) / 100
        level.store((share * share * share).bitPattern, ordering: .relaxed)
    }

    /// Linear.
    private var gain: Float { Float(bitPattern: level.load(ordering: .relaxed)) }

    /// How much later than the others the output is heard; earlier if negative.
    var delay: Duration {
        get { .nanoseconds(delayed.load(ordering: .relaxed)) }
        set { delayed.store(newValue.nanoseconds, ordering: .relaxed) }
    }

    /// How much earlier than the group's sound a frame has to be written at the latest.
    var need: Duration { sink.latencies.lowerBound - delay }
    /// How much earlier than the group's sound the others can be given a frame, if this output leads.
    var offer: Duration { sink.latencies.upperBound - delay }

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

    var isOpen: Bool { confined.state.stage != nil }

    /// Opens the sink.
    /// - Parameter adopts: whether the lane takes frames in the sink's format; otherwise it converts from the given one.
    /// - Returns: the format of the frames that the lane takes.
    func open(_ wanted: PCMFormat, adopts: Bool) throws(SinkError) -> PCMFormat {
        confined.state.stage = nil
        confined.state.excess = 0
        do throws(SinkError) {
            let taken = try sink.open(wanted)
            let source = adopts ? taken : wanted
            let limit = max(1, Int(PacedBuffer.frames(in: .milliseconds(900), rate: source.rate)))
            confined.state.stage = try OutputStage(from: source, to: taken, limit: limit, gain: GainRamp(gain))
            isUsable.store(true, ordering: .relaxed)
            change { $0.format = "\(taken.rate):\(taken.type.optionName):\(taken.channels)" }
            return source
        } catch {
            isUsable.store(false, ordering: .relaxed)
            sink.close()
            throw error
        }
    }

    /// Writes whole frames; blocks until there is room for at least one.
    /// - Returns: number of bytes taken; 0 if interrupted.
    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        guard let stage = confined.state.stage else { throw SinkError("the output is closed") }
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

    /// Frames that were taken and not heard yet.
    var latency: Int { confined.state.stage.map { Int($0.heldFrames(beyond: sink.latency)) } ?? 0 }

    /// Removes up to this number of the last frames taken.
    /// - Returns: number of frames removed.
    func takeBack(_ frames: Int) -> Int {
        guard let stage = confined.state.stage, stage.keepsFrames else { return 0 }
        let waiting = stage.waiting.count / stage.sink.frameSize
        guard waiting <= frames else { return 0 }
        stage.discard()
        return waiting + sink.takeBack(frames - waiting)
    }

    /// Other frames will be played in place of the last ones taken.
    func replace(_ frames: Int) { confined.state.excess += frames - takeBack(frames) }

    /// How many of the next frames to leave out, at most `frames`; they count as taken.
    func leaveOut(_ frames: Int) -> Int {
        let count = min(frames, confined.state.excess)
        confined.state.excess -= count
        return count
    }

    func drop() {
        confined.state.excess = 0
        guard let stage = confined.state.stage else { return }
        sink.drop()
        stage.discard()
        stage.gain = GainRamp(gain)
    }

    func drain() throws(SinkError) {
        guard let stage = confined.state.stage else { return }
        if !stage.waiting.isEmpty, try !send(stage) { return }
        while try stage.finish() { guard try send(stage) else { return } }
        try sink.drain()
        stage.discard()
    }

    func close() {
        guard isOpen else { return }
        confined.state.stage = nil
        sink.close()
        change { $0.format = nil }
    }
}
