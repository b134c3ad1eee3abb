internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// The work of a follower's thread: gives its machine events, and performs the machine's effects and steps.
final class FollowLoop {
    private let lane: OutputLane
    private let clock: any OutputClock
    private let anchor: GroupAnchor
    private let period: Duration
    private let wakeUp: EventDescriptor

    private var machine: FollowMachine
    private var ring: LaneRing?
    /// The previous ring, whose remaining frames are played first.
    private var previousRing: LaneRing?

    init(
        _ lane: OutputLane, clock: any OutputClock, anchor: GroupAnchor, settings: RendererSettings,
        wakeUp: EventDescriptor
    ) {
        self.lane = lane
        self.clock = clock
        self.anchor = anchor
        self.wakeUp = wakeUp
        period = settings.period
        machine = FollowMachine(retryDelay: settings.retryDelay)
    }

    func run(_ takeCommands: () -> Follower.Commands) {
        while true {
            wakeUp.clear()
            let commands = takeCommands()
            if let end = commands.end { return self.end(end) }
            execute(commands)
            if let ring = previousRing ?? ring { follow(ring) }
            do throws(SinkError) {
                try step()
            } catch {
                lane.report(.failed, error.message)
                handle(.failed(error))
            }
        }
    }

    private func end(_ end: Follower.End) {
        lane.isFollowing = false
        guard end == .closing || !machine.isInStep else { return }
        lane.close()
        lane.report(.idle)
    }

    private func execute(_ commands: Follower.Commands) {
        if let isPaused = commands.isPaused { handle(isPaused ? .pause : .resume) }
        switch commands.group {
        case nil: break
        case .opened(let ring): replaceRing(by: ring, .ring)
        case .closed(let isHeardToTheEnd): replaceRing(by: nil, .closed(isHeardToTheEnd: isHeardToTheEnd))
        }
    }

    private func replaceRing(by ring: LaneRing?, _ event: FollowMachine.Event) {
        let old = previousRing ?? self.ring
        self.ring = ring
        previousRing = nil
        handle(event)
        if case .finishing = machine.phase { previousRing = old }
    }

    /// Follows what was removed from the group.
    private func follow(_ ring: LaneRing) {
        switch ring.update() {
        case .none: break
        case .dropped: handle(.lost)
        // In other phases the sink has only silence.
        case .removed(let count): if machine.isInStep || previousRing != nil { lane.replace(count) }
        }
    }

    private func handle(_ event: FollowMachine.Event) {
        switch machine.handle(event, at: clock.now) {
        case .none: break
        case .drop: drop()
        case .close:
            lane.close()
            ring?.rewind()
            previousRing = nil
        }
        report()
    }

    private func drop() {
        if lane.isOpen { ring?.keep(unheard: lane.latency) }
        lane.drop()
        ring?.rewind()
        previousRing = nil
    }

    private func report() {
        lane.isFollowing = machine.isInStep
        switch machine.phase {
        case .idle: lane.report(.idle)
        case .opening, .priming, .waiting, .skipping, .finishing:
            if lane.report.phase != .failed { lane.report(.opening) }
        case .aligned, .correcting, .dry: lane.report(.ready)
        case .failed, .broken: break
        }
    }

    private func step() throws(SinkError) {
        // Silence, or a corrected place, of which a command has interrupted the writing.
        if lane.isOpen, try !lane.flush() { return }
        let step = machine.next(view)
        report()
        switch step {
        case .rest: rest(until: .distantFuture)
        case .wait(let instant): rest(until: instant)
        case .reportLate:
            lane.report(
                .failed,
                "its sound comes later than that of the others; give them a delay: podcastctl output delay NAME 500ms",
                isLate: true)
            rest(until: .distantFuture)
        case .open:
            guard let ring else { return handle(.closed(isHeardToTheEnd: false)) }
            _ = try lane.open(ring.format, adopts: false)
            ring.rewind()
            handle(.opened)
        case .finish: try finish()
        case .drop: drop()
        case .silence(let time): lane.insert(silence: time)
        case .skip(let time):
            guard let ring else { return }
            ring.advance(ring.frames(limit: ring.format.frames(in: time)).count / ring.format.frameSize)
            ring.keep(unheard: 0)
        case .play: try play()
        case .correct(let time): if !correct(time) { try play() }
        }
    }

    private var view: FollowMachine.View {
        var view = FollowMachine.View(now: clock.now)
        guard let ring, lane.isOpen else { return view }
        view.hasFrames = ring.hasFrames
        view.latency = lane.sink.latency
        view.learningTime = lane.sink.learningTime
        view.lateness = lateness(ring)
        return view
    }

    /// How much later than it is due the next frame would be heard; nil if the leading output does not know what is heard.
    private func lateness(_ ring: LaneRing) -> Duration? {
        guard let due = anchor.instant(of: ring.position, rate: ring.format.rate) else { return nil }
        return clock.now + ring.format.duration(of: lane.lag) - (due + lane.delay)
    }

    private func rest(until instant: Instant) {
        if machine.isInStep { ring?.keep(unheard: lane.latency) }
        clock.wait(readable: wakeUp.raw, until: instant)
    }

    private func play() throws(SinkError) {
        guard let ring, try lane.play(ring, limit: ring.format.frames(in: period)) > 0 else { return }
        ring.keep(unheard: lane.latency)
        handle(.wrote(lateness: lateness(ring)))
    }

    /// Leaves frames out, or repeats them, once enough of them are there; the sound fades from one place to the other.
    /// - Returns: false if there are not enough.
    private func correct(_ time: Duration) -> Bool {
        guard let ring else { return false }
        let count = ring.format.frames(in: time < .zero ? .zero - time : time)
        let frames = ring.frames(limit: 2 * count)
        guard frames.count == 2 * count * ring.format.frameSize else { return false }
        lane.insert(CrossFade(ring.format).corrected(frames, count, leavesOut: time > .zero))
        ring.advance(2 * count)
        handle(.corrected)
        return true
    }

    /// The leading output may have nothing to play, or another format, before this one was heard.
    private func finish() throws(SinkError) {
        guard case .finishing(let limit, _) = machine.phase, clock.now < limit else { return handle(.finished) }
        if let rest = previousRing, rest.hasFrames {
            _ = try lane.play(rest, limit: rest.format.rate)
            return
        }
        try lane.drain()
        guard lane.latency == 0 else { return }
        previousRing = nil
        handle(.finished)
    }
}
