internal import MediaPorts
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Several outputs as one sink. The first that can be opened leads: it is written on the sink thread, and its latency is the group's.
/// The others follow, each with a feed on its own thread. If the leading output fails or is taken away, one that plays leads
/// in its place, and the sound of the others continues.
final class OutputGroup: Sink {
    private struct State {
        /// In the order in which they lead.
        var lanes: [OutputLane] = []
        var lead: OutputLane?
        /// Frames that the leading output has not written since the time when it followed.
        var backlog: LaneFeed?
        var followers: [(follower: Follower, feed: LaneFeed?)] = []
        /// Nil while the group is closed.
        var format: PCMFormat?
        /// Frames to write at once. Few, if another output needs the frames long before they are heard.
        var step = Int.max
        /// Number of the next frame.
        var number: Int64 = 0
        var isPaused = false
        /// From when on the leading output's latency is reliable; nil before the first frames after a silence.
        var sureInstant: Instant?
    }

    private let clock: any OutputClock
    private let settings: RendererSettings
    private let confined = ThreadConfined(State())
    private let anchor = Mutexed<GroupAnchor?>(nil)
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

    /// Closes all outputs and waits for that; after the sink thread has ended.
    func end() {
        let lanes = confined.state.lanes
        setLanes([], atNextWrite: false)
        close()
        for lane in lanes { lane.join() }
    }

    // MARK: Sink

    var learningTime: Duration { confined.state.lead?.sink.learningTime ?? .zero }

    /// Also tells the followers which frame is heard: they wait for that after a start or a seek, when nothing is written for a while.
    var latency: Int {
        if isSounding, let format = confined.state.format { publishAnchor(format) }
        return unheard
    }

    private var unheard: Int {
        guard let lead = confined.state.lead else { return 0 }
        return lead.latency + (confined.state.backlog.map { Int(confined.state.number - $0.position) } ?? 0)
    }

    func open(_ wanted: PCMFormat) throws(SinkError) -> PCMFormat {
        takePlan()
        fallSilent()
        var failure: SinkError?
        let lead = confined.state.lead
        let lanes = (lead.map { [$0] } ?? []) + confined.state.lanes.filter { $0 !== lead }
        // An output that could not be opened last time may need seconds to fail again.
        for lane in lanes.filter(\.opensWell) + lanes.filter({ !$0.opensWell }) {
            do throws(SinkError) {
                if lead !== lane { reclaim(lane) }
                let format = try lane.open(wanted, adopts: true)
                setLead(lane)
                lane.report(.ready)
                begin(format)
                return format
            } catch {
                lane.report(.failed, error.message)
                // An output that may work later is worth another try.
                if failure?.isTemporary != true, failure == nil || error.isTemporary { failure = error }
            }
        }
        setLead(nil)
        throw failure ?? .noOutput
    }

    /// Ends the follower of a lane that will lead.
    private func reclaim(_ lane: OutputLane) {
        if let index = confined.state.followers.firstIndex(where: { $0.follower.lane === lane }) {
            confined.state.followers.remove(at: index).follower.end()
        }
        lane.join()
    }

    private func begin(_ format: PCMFormat) {
        confined.state.format = format
        confined.state.isPaused = false
        for index in confined.state.followers.indices { feed(index) }
        addFollowers()
    }

    private func feed(_ index: Int) {
        guard let format = confined.state.format else { return }
        let spread = Duration.milliseconds(OutputSetup.delays.upperBound - OutputSetup.delays.lowerBound)
        let capacity = Int(PacedBuffer.frames(in: settings.capacity + .seconds(1) + spread, rate: format.rate))
        let follower = confined.state.followers[index].follower
        follower.setPaused(confined.state.isPaused)
        confined.state.followers[index].feed = follower.makeFeed(
            format, from: confined.state.number, capacity: capacity)
    }

    private func addFollowers() {
        guard let format = confined.state.format else { return }
        let needs = confined.state.lanes.map(\.need)
        confined.state.step = needs.allSatisfy { $0 == needs[0] } ? .max : format.rate / 4
        for lane in confined.state.lanes where lane !== confined.state.lead {
            if confined.state.followers.contains(where: { $0.follower.lane === lane }) { continue }
            do throws(SystemError) {
                let follower = try Follower(lane, clock: clock, anchor: anchor, settings: settings)
                confined.state.followers.append((follower, nil))
                feed(confined.state.followers.count - 1)
            } catch { lane.report(.failed, "cannot start its thread: \(error)") }
        }
    }

    private func setLead(_ lane: OutputLane?) {
        confined.state.lead = lane
        confined.state.backlog = nil
        plan.withLock { $0.lead = lane }
    }

    // MARK: Changes of the outputs

    /// Ends the outputs that were taken away.
    private func takePlan() {
        hasNewPlan.store(false, ordering: .relaxed)
        let lanes = lanes
        confined.state.lanes = lanes
        for (follower, _) in confined.state.followers where !lanes.contains(where: { $0 === follower.lane }) {
            follower.end()
        }
        confined.state.followers.removeAll { entry in !lanes.contains { $0 === entry.follower.lane } }
        if let lead = confined.state.lead, !lanes.contains(where: { $0 === lead }) { giveUp(lead, .idle, nil) }
    }

    /// Ends the lead of an output. A sink that takes long to close must not keep the others waiting.
    private func giveUp(_ lead: OutputLane, _ phase: OutputPhase, _ reason: String?) {
        setLead(nil)
        lead.report(phase, reason)
        if confined.state.followers.isEmpty || (try? lead.follow({ lead.close() })) == nil { lead.close() }
    }

    /// The output that leads; nil if another one leads from now on, so that commands are looked at before frames are written.
    private func leading() throws(SinkError) -> OutputLane? {
        if hasNewPlan.exchange(false, ordering: .acquiring) {
            takePlan()
            addFollowers()
        }
        if let lead = confined.state.lead { return lead }
        guard succeed() else { throw SinkError("the output was switched off", isTemporary: true) }
        return nil
    }

    /// Lets an output lead that plays already.
    private func succeed() -> Bool {
        for (follower, feed) in confined.state.followers where follower.isPlaying {
            follower.handOver()
            confined.state.followers.removeAll { $0.follower === follower }
            guard follower.lane.isOpen, let feed else { continue }
            setLead(follower.lane)
            confined.state.sureInstant = clock.now
            take(feed, of: follower.lane)
            return true
        }
        return false
    }

    /// Continues with what an output that followed has not written yet. It may have written frames that were removed since.
    private func take(_ feed: LaneFeed, of lane: OutputLane) {
        // The mark of frames that were removed and are not written again yet.
        feed.put(UnsafeRawBufferPointer(start: nil, count: 0), from: confined.state.number)
        switch feed.update() {
        case .none: break
        case .removed(let count): lane.replace(count)
        case .dropped:
            feed.keep(unheard: lane.latency)
            lane.drop()
            feed.rewind()
        }
        confined.state.backlog = feed.hasFrames ? feed : nil
    }

    /// The leading output failed: another one leads, and a separate thread opens the failed one again.
    private func failed(_ error: SinkError) throws(SinkError) {
        guard let lead = confined.state.lead else { throw error }
        giveUp(lead, .failed, error.message)
        guard succeed() else { throw error }
        addFollowers()
    }

    // MARK: Playing

    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        guard let lead = try leading() else { return 0 }
        guard let format = confined.state.format else { throw SinkError("the outputs are closed") }
        do throws(SinkError) {
            guard try writeBacklog(lead, format) else { return 0 }
            let count = min(frames.count / format.frameSize, confined.state.step)
            let frames = UnsafeRawBufferPointer(rebasing: frames[..<(count * format.frameSize)])
            let left = lead.leaveOut(frames.count / format.frameSize) * format.frameSize
            let taken = left > 0 ? left : try lead.write(frames)
            guard taken > 0 else { return 0 }
            confined.state.number += Int64(taken / format.frameSize)
            sounds.store(true, ordering: .relaxed)
            if confined.state.sureInstant == nil { confined.state.sureInstant = clock.now + lead.sink.learningTime }
            if !confined.state.followers.isEmpty {
                publishAnchor(format)
                let first = confined.state.number - Int64(taken / format.frameSize)
                let written = UnsafeRawBufferPointer(rebasing: frames[..<taken])
                for (_, feed) in confined.state.followers { feed?.put(written, from: first) }
            }
            return taken
        } catch {
            try failed(error)
            return 0
        }
    }

    /// - Returns: false if interrupted.
    private func writeBacklog(_ lead: OutputLane, _ format: PCMFormat) throws(SinkError) -> Bool {
        while let feed = confined.state.backlog {
            guard feed.hasFrames else {
                confined.state.backlog = nil
                break
            }
            let frames = feed.frames(limit: format.rate)
            let left = lead.leaveOut(frames.count / format.frameSize) * format.frameSize
            let taken = left > 0 ? left : try lead.write(frames)
            if taken == 0 { return false }
            feed.advance(taken / format.frameSize)
        }
        return true
    }

    private func publishAnchor(_ format: PCMFormat) {
        let now = clock.now
        guard let lead = confined.state.lead, let sure = confined.state.sureInstant, now >= sure else { return }
        anchor.trySet(
            GroupAnchor(
                number: confined.state.number - Int64(unheard), instant: now + (.zero - lead.delay), rate: format.rate))
    }

    func drain() throws(SinkError) {
        guard let lead = confined.state.lead, let format = confined.state.format else { return }
        do throws(SinkError) {
            guard try writeBacklog(lead, format) else { return }
            try lead.drain()
            if lead.latency == 0 { fallSilent() }
        } catch { try failed(error) }
    }

    /// Nothing sounds: which frame is heard when is known again after the next ones.
    private func fallSilent() {
        anchor.set(nil)
        confined.state.backlog = nil
        confined.state.sureInstant = nil
        sounds.store(false, ordering: .relaxed)
    }

    func drop() {
        confined.state.number -= Int64(unheard)
        confined.state.lead?.drop()
        fallSilent()
        for (follower, feed) in confined.state.followers {
            feed?.drop(to: confined.state.number)
            follower.lane.sink.interrupt()
        }
        // A sink that held its frames in a pause plays again after the drop.
        if confined.state.isPaused { pauseFollowers(false) }
    }

    func takeBack(_ frames: Int) -> Int {
        guard let lead = confined.state.lead, confined.state.backlog == nil else { return 0 }
        let count = lead.takeBack(frames)
        confined.state.number -= Int64(count)
        return count
    }

    func pause() -> Bool {
        guard let lead = confined.state.lead, confined.state.backlog == nil, lead.sink.pause() else { return false }
        sounds.store(false, ordering: .relaxed)
        pauseFollowers(true)
        return true
    }

    func resume() throws(SinkError) {
        do throws(SinkError) { try confined.state.lead?.sink.resume() } catch { try failed(error) }
        if let format = confined.state.format { publishAnchor(format) }
        pauseFollowers(false)
    }

    private func pauseFollowers(_ isPaused: Bool) {
        confined.state.isPaused = isPaused
        for (follower, _) in confined.state.followers { follower.setPaused(isPaused) }
    }

    func close() {
        let playsToTheEnd = !isSounding
        fallSilent()
        for index in confined.state.followers.indices {
            confined.state.followers[index].follower.closeFeed(playsToTheEnd: playsToTheEnd)
            confined.state.followers[index].feed = nil
        }
        confined.state.lead?.close()
        confined.state.lead?.report(.idle)
        setLead(nil)
        confined.state.format = nil
        takePlan()
    }
}
