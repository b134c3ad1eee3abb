internal import MediaPorts
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Several outputs as one sink. The first that can be opened leads: it is written on the sink thread, and its latency is the group's.
/// The others follow, each with a ring on its own thread. If the leading output fails or is taken away, one that plays leads
/// in its place, and the sound of the others continues. `GroupMachine` decides; this class performs the effects.
final class OutputGroup: Sink {
    private final class State {
        var machine = GroupMachine<OutputLane>()
        var followers: [OutputLane: (follower: Follower, ring: LaneRing)] = [:]
        /// Frames that the leading output has not written since the time when it followed.
        var backlog: LaneRing?
        /// Frames to write at once. Few, if another output needs the frames long before they are heard.
        var step = Int.max
        /// The lead of the output that needs frames the earliest, and half a second for a thread that is late.
        var requiredLead = Duration.zero
    }

    private let clock: any OutputClock
    private let settings: RendererSettings
    private let confined = ThreadConfined(State())
    private var state: State { confined.state }
    private let anchor = GroupAnchor()
    private let plan = Mutex<(lanes: [OutputLane], lead: OutputLane?)>(([], nil))
    private let hasNewPlan = Atomic(false)
    private let sounds = Atomic(false)

    init(clock: any OutputClock, settings: RendererSettings) {
        self.clock = clock
        self.settings = settings
    }

    // MARK: Any thread

    /// Sets the outputs, in the order in which they lead.
    /// - Parameter atNextWrite: false leaves the change to the next `open` or `close`. The caller wakes the sink thread.
    func setLanes(_ lanes: [OutputLane], atNextWrite: Bool) {
        plan.withLock { $0.lanes = lanes }
        hasNewPlan.store(atNextWrite, ordering: .releasing)
    }

    var lanes: [OutputLane] { plan.withLock { $0.lanes } }

    /// The output that leads; nil while the group is closed.
    var lead: OutputLane? { plan.withLock { $0.lead } }

    /// Whether frames were written since the last pause, drop or end.
    var isSounding: Bool { sounds.load(ordering: .relaxed) }

    func interrupt() { lead?.sink.interrupt() }

    var underruns: Int { lanes.reduce(0) { $0 + $1.sink.underruns } }

    /// Closes all outputs and waits for that, at most until then; after the sink thread has ended.
    func end(until deadline: Instant) {
        let lanes = machine.lanes
        setLanes([], atNextWrite: false)
        close()
        for lane in lanes { lane.join(until: deadline) }
    }

    // MARK: The machine

    private var machine: GroupMachine<OutputLane> { state.machine }

    private func handle(_ event: GroupMachine<OutputLane>.Event) {
        let effects = state.machine.handle(event)
        sounds.store(machine.course != nil, ordering: .relaxed)
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: GroupMachine<OutputLane>.Effect) {
        switch effect {
        case .follow(let lane): follow(lane)
        case .closeRing(let lane, let isHeardToTheEnd):
            state.followers[lane]?.follower.closeRing(isHeardToTheEnd: isHeardToTheEnd)
        case .end(let lane): state.followers.removeValue(forKey: lane)?.follower.end()
        case .giveUp(let lane):
            setLead(nil)
            // A sink that takes long to close must not keep the others waiting.
            if state.followers.isEmpty || (try? lane.follow { lane.close() }) == nil { lane.close() }
        case .setPaused(let lane, let isPaused): state.followers[lane]?.follower.setPaused(isPaused)
        }
    }

    private func follow(_ lane: OutputLane) {
        guard let format = machine.format else { return }
        do throws(SystemError) {
            let follower =
                if let follower = state.followers[lane]?.follower { follower } else {
                    try Follower(lane, clock: clock, anchor: anchor, settings: settings)
                }
            let spread = Duration.milliseconds(OutputSetup.delays.upperBound - OutputSetup.delays.lowerBound)
            let ring = follower.makeRing(
                format, from: machine.number, capacity: format.frames(in: settings.capacity + .seconds(1) + spread),
                isPaused: machine.isHeld)
            state.followers[lane] = (follower, ring)
        } catch {
            lane.report(.failed, "cannot start its thread: \(error)")
            handle(.released(lane))
        }
    }

    private func setLead(_ lane: OutputLane?) {
        state.backlog = nil
        plan.withLock { $0.lead = lane }
    }

    /// Takes a new list of outputs, or new delays.
    func takePlan() {
        hasNewPlan.store(false, ordering: .relaxed)
        let lead = machine.leader
        handle(.planned(lanes))
        if let lead, machine.leader == nil { lead.report(.idle) }
        setStep()
    }

    private func setStep() {
        guard let format = machine.format else { return }
        let leads = machine.lanes.map(\.requiredLead)
        state.step = leads.allSatisfy { $0 == leads[0] } ? .max : format.rate / 4
        state.requiredLead = max(.zero, leads.max() ?? .zero) + GroupTiming.lateThread
    }

    // MARK: The leading output

    func open(_ wanted: PCMFormat) throws(SinkError) -> PCMFormat {
        fallSilent()
        takePlan()
        var failure: SinkError?
        for lane in machine.candidates(opensWell: \.opensWell) {
            do throws(SinkError) {
                if lane !== machine.leader {
                    handle(.released(lane))
                    guard lane.hasEnded() else { throw .stillOpening }
                }
                let format = try lane.open(wanted, adopts: true)
                setLead(lane)
                lane.report(.ready)
                handle(.opened(lane, format))
                setStep()
                return format
            } catch {
                lane.report(.failed, error.message)
                // An output that may work later is worth another try.
                if failure?.isTemporary != true, failure == nil || error.isTemporary { failure = error }
            }
        }
        handle(.leaderFailed)
        throw failure ?? .noOutput
    }

    /// The output that leads; nil if another one leads from now on, so that commands are looked at before frames are written.
    private func leading() throws(SinkError) -> OutputLane? {
        if hasNewPlan.exchange(false, ordering: .acquiring) { takePlan() }
        if let leader = machine.leader { return leader }
        guard promoteFollower() else { throw SinkError("the output was switched off", isTemporary: true) }
        return nil
    }

    /// Lets an output lead that is in step.
    private func promoteFollower() -> Bool {
        for lane in machine.followers where lane.isFollowing {
            guard let (follower, ring) = state.followers.removeValue(forKey: lane) else { continue }
            guard follower.handOver(), lane.isOpen else {
                handle(.released(lane))
                continue
            }
            setLead(lane)
            lane.beginToLead()
            take(ring, of: lane)
            handle(.promoted(lane, clock.now))
            return true
        }
        return false
    }

    /// Continues with what an output that followed has not written yet. It may have written frames that were removed since.
    private func take(_ ring: LaneRing, of lane: OutputLane) {
        // The mark of frames that were removed and are not written again yet.
        ring.put(UnsafeRawBufferPointer(start: nil, count: 0), from: machine.number)
        switch ring.update() {
        case .none: break
        case .removed(let count): lane.replace(count)
        case .dropped:
            ring.keep(unheard: lane.latency)
            lane.drop()
            ring.rewind()
        }
        state.backlog = ring.hasFrames ? ring : nil
    }

    /// The leading output failed: another one leads, and a separate thread opens the failed one again.
    private func failed(_ error: SinkError) throws(SinkError) {
        guard let leader = machine.leader else { throw error }
        leader.report(.failed, error.message)
        handle(.leaderFailed)
        guard promoteFollower() else { throw error }
    }

    // MARK: Playing

    var learningTime: Duration { machine.leader?.sink.learningTime ?? .zero }

    /// Frames are written so early that no output waits for them.
    var latencies: ClosedRange<Duration> { state.requiredLead...state.requiredLead }

    /// Also tells the followers which frame is heard: they wait for that after a start or a seek, when nothing is written for a while.
    var latency: Int {
        publishAnchor()
        return unheard
    }

    private var unheard: Int { (machine.leader?.latency ?? 0) + backlogFrames }
    private var backlogFrames: Int { state.backlog.map { Int(machine.number - $0.position) } ?? 0 }

    private func publishAnchor() {
        let now = clock.now
        guard let leader = machine.leader, let format = machine.format, let course = machine.course,
            !state.followers.isEmpty, now >= course.reliableFrom
        else { return }
        anchor.set(
            machine.number - Int64(leader.lag + backlogFrames), at: now + (.zero - leader.appliedDelay),
            rate: format.rate)
    }

    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        guard let leader = try leading() else { return 0 }
        guard let format = machine.format else { throw SinkError("the outputs are closed") }
        do throws(SinkError) {
            if machine.sound == .silent {
                handle(.began(reliableFrom: clock.now + leader.sink.learningTime))
                // Wait for the slowest output.
                leader.insert(silence: leader.leadIn(for: machine.followers))
            }
            leader.followDelay()
            guard try writeBacklog(leader) else { return 0 }
            let count = min(frames.count / format.frameSize, state.step)
            let taken = try leader.write(UnsafeRawBufferPointer(rebasing: frames[..<(count * format.frameSize)]))
            guard taken > 0 else { return 0 }
            let first = machine.number
            handle(.wrote(Int64(taken / format.frameSize)))
            publishAnchor()
            let written = UnsafeRawBufferPointer(rebasing: frames[..<taken])
            for (_, ring) in state.followers.values { ring.put(written, from: first) }
            return taken
        } catch {
            try failed(error)
            return 0
        }
    }

    /// - Returns: false if interrupted.
    private func writeBacklog(_ leader: OutputLane) throws(SinkError) -> Bool {
        while let ring = state.backlog {
            if !ring.hasFrames {
                state.backlog = nil
            } else if try leader.play(ring, limit: ring.format.rate) == 0 {
                return false
            }
        }
        return true
    }

    func drain() throws(SinkError) {
        guard let leader = machine.leader else { return }
        do throws(SinkError) {
            guard try writeBacklog(leader) else { return }
            try leader.drain()
            if leader.latency == 0 { fallSilent() }
        } catch { try failed(error) }
    }

    /// Nothing sounds: which frame is heard when is known again after the next ones.
    private func fallSilent(unheard: Int = 0) {
        anchor.clear()
        state.backlog = nil
        handle(.silenced(unheard: Int64(unheard)))
    }

    func drop() {
        let unheard = unheard
        machine.leader?.drop()
        fallSilent(unheard: unheard)
        for (follower, ring) in state.followers.values {
            ring.drop(to: machine.number)
            follower.lane.sink.interrupt()
        }
    }

    func takeBack(_ frames: Int) -> Int {
        guard let leader = machine.leader, state.backlog == nil else { return 0 }
        let count = leader.takeBack(frames)
        handle(.removed(Int64(count)))
        return count
    }

    /// The leading output holds its frames only if the others can begin as soon as it does.
    func pause() -> Bool {
        guard let leader = machine.leader, state.backlog == nil, leader.leadIn(for: machine.followers) == .zero,
            leader.sink.pause()
        else { return false }
        anchor.clear()
        handle(.paused)
        return true
    }

    func resume() throws(SinkError) {
        do throws(SinkError) { try machine.leader?.sink.resume() } catch { try failed(error) }
        handle(.resumed)
        publishAnchor()
    }

    func close() {
        anchor.clear()
        let leader = machine.leader
        handle(.closed)
        leader?.close()
        leader?.report(.idle)
        setLead(nil)
        takePlan()
    }
}
