internal import MediaPorts
internal import PodcastModel

/// State machine of an output that follows: a value without clock, sink or frames. `FollowLoop` gives it events, and performs its
/// effects and steps.
///
///                  ┌────────────────── lost, dry and frames ──────────────────┐
///                  ▼                                                          │
///     idle ──> opening ──> priming ──> waiting <──> skipping ──> aligned <──> correcting
///      ▲          ▲  ▲        ▲            └──no frames──┘         │  │
///      │          │  │        └──────── dry <──────────────────────┘  │
///      └── finishing ┴────────────────────────────────────────────────┘   when the group closes or opens another format
///
/// A failure leads from each phase to `failed`, and after a time to `opening`; or to `broken`, if a retry makes no sense.
struct FollowMachine {
    enum Phase: Equatable {
        /// The group is closed.
        case idle
        case opening
        /// The sink plays silence, so that its latency is known.
        case priming(Approach)
        /// The sink plays silence until the next frame is due.
        case waiting(Approach)
        /// Frames are left out that were due before they could be heard.
        case skipping(Approach)
        case aligned(Course)
        /// This time of the sound is left out, or repeated if negative, once enough frames are there.
        case correcting(Duration, Course)
        /// The sink had nothing to play when frames were missing.
        case dry
        /// Frames of the ring before are played until they were heard, at most until then.
        case finishing(until: Instant, reopens: Bool)
        case failed(retry: Instant)
        /// The sink failed permanently.
        case broken
    }

    /// How far the sound has come into step.
    struct Approach: Equatable {
        /// When it began.
        var began: Instant?
        /// From when on the sink's latency is reliable; nil while the sink plays nothing.
        var reliableFrom: Instant?
        /// The silence that was written lasts at least until then.
        var silenceEnd = Instant.distantPast
        /// Number of pieces of silence written because the sink played and did not know its latency.
        var additions = 0
    }

    struct Course: Equatable {
        var alignment = LaneAlignment()
        /// Number of writes, up to the one after which the sink counts as reliable.
        var writes = 0
    }

    enum Event {
        /// The group was opened for a format.
        case ring
        /// The group was closed.
        /// - Parameter isHeardToTheEnd: whether what the sink has, and what is in the ring, is heard before.
        case closed(isHeardToTheEnd: Bool)
        case opened, finished
        /// The sink's frames are not those that the group plays.
        case lost
        /// Frames were written, of which the next one would be heard this much later than it is due; nil if that is not known.
        case wrote(lateness: Duration?)
        case corrected
        case failed(SinkError)
        case pause, resume
    }

    enum Effect {
        case none
        /// Discard the sink's frames; those that were not heard are written again.
        case drop
        case close
    }

    /// The state of the sink and the ring, from which the machine chooses a step.
    struct View {
        var now: Instant
        var hasFrames = false
        /// Of the sink, in frames.
        var latency = 0
        var learningTime = Duration.zero
        /// How much later than it is due the next frame would be heard; nil if that is not known.
        var lateness: Duration?
    }

    enum Step: Equatable {
        /// Wait for frames or commands.
        case rest
        case wait(until: Instant)
        case open, finish, play
        case silence(Duration)
        case skip(Duration)
        case correct(Duration)
        /// Discard the sink's frames, because others are due.
        case drop
        /// Report that frames come too late for this output, and wait.
        case reportLate
    }

    private(set) var phase = Phase.idle
    private(set) var isPaused = false
    /// Successive failures, each of which makes the time before the next retry longer.
    private var failures = 0
    private let retryDelay: (Int) -> Duration

    /// - Parameter retryDelay: the time before the retry of this number.
    init(retryDelay: @escaping (Int) -> Duration) { self.retryDelay = retryDelay }

    /// One second of silence: a rate conversion delays the first pieces of the silence, and some sinks never report a latency.
    private static let mostAdditions = 50
    /// Number of writes after which a failure counts as the first again.
    private static let steadyWrites = 20

    /// Whether the group's frames are heard in step, so that the output can lead.
    var isInStep: Bool {
        switch phase {
        case .aligned, .correcting, .dry: true
        case .idle, .opening, .priming, .waiting, .skipping, .finishing, .failed, .broken: false
        }
    }

    mutating func handle(_ event: Event, at now: Instant) -> Effect {
        switch event {
        case .ring: return reopen(at: now)
        case .closed(let isHeardToTheEnd):
            guard isHeardToTheEnd, isInStep, !isPaused else {
                phase = .idle
                return .close
            }
            phase = .finishing(until: now + GroupTiming.patience, reopens: false)
        case .opened: if phase == .opening { phase = .priming(Approach()) }
        case .finished:
            guard case .finishing(_, let reopens) = phase else { return .none }
            phase = reopens ? .opening : .idle
            return reopens ? .drop : .close
        case .lost: return restart()
        case .wrote(let lateness): return align(lateness)
        case .corrected: if case .correcting(_, let course) = phase { phase = .aligned(Course(writes: course.writes)) }
        case .failed(let error): return fail(error, at: now)
        case .pause:
            isPaused = true
            return restart()
        case .resume:
            isPaused = false
            if phase == .broken { phase = .opening }
        }
        return .none
    }

    private mutating func reopen(at now: Instant) -> Effect {
        switch phase {
        case .failed: break
        case .finishing(let limit, _): phase = .finishing(until: limit, reopens: true)
        case .aligned, .correcting, .dry: phase = .finishing(until: now + GroupTiming.patience, reopens: true)
        case .idle, .opening, .broken: phase = .opening
        case .priming, .waiting, .skipping:
            phase = .opening
            return .drop
        }
        return .none
    }

    private mutating func restart() -> Effect {
        switch phase {
        case .priming, .waiting, .skipping, .aligned, .correcting, .dry: phase = .priming(Approach())
        case .finishing(_, true): phase = .opening
        case .finishing(_, false):
            phase = .idle
            return .close
        case .idle, .opening, .failed, .broken: return .none
        }
        return .drop
    }

    private mutating func fail(_ error: SinkError, at now: Instant) -> Effect {
        if phase != .idle {
            failures += 1
            phase = error.isTemporary ? .failed(retry: now + retryDelay(failures)) : .broken
        }
        return .close
    }

    private mutating func align(_ lateness: Duration?) -> Effect {
        guard case .aligned(var course) = phase else { return .none }
        course.writes = min(course.writes + 1, Self.steadyWrites)
        if course.writes == Self.steadyWrites { failures = 0 }
        let step = lateness.map { course.alignment.record(lateness: $0) } ?? .none
        phase = .aligned(course)
        switch step {
        case .none: return .none
        case .correct(let time):
            phase = .correcting(time, course)
            return .none
        case .restart: return restart()
        }
    }

    // MARK: Steps

    mutating func next(_ view: View) -> Step {
        switch phase {
        case .idle, .broken: return .rest
        case .opening: return .open
        case .failed(let retry):
            guard view.now >= retry else { return .wait(until: retry) }
            phase = .opening
            return .open
        case .finishing: return .finish
        case .priming where isPaused, .waiting where isPaused, .skipping where isPaused: return .rest
        case .skipping(let approach):
            if !view.hasFrames, let began = approach.began, view.now > began + GroupTiming.patience {
                phase = .priming(Approach(began: began))
                return .reportLate
            }
            return come(approach, view)
        case .priming(let approach), .waiting(let approach): return come(approach, view)
        case .aligned, .correcting: return play(view)
        case .dry:
            guard view.hasFrames else { return .rest }
            _ = restart()
            return .drop
        }
    }

    private mutating func play(_ view: View) -> Step {
        guard view.hasFrames else {
            if view.latency == 0 { phase = .dry }
            return .rest
        }
        if case .correcting(let time, _) = phase { return .correct(time) }
        return .play
    }

    /// Comes into step: silence, or frames left out, until the next frame is heard when it is due.
    private mutating func come(_ before: Approach, _ view: View) -> Step {
        var approach = before
        guard view.hasFrames else {
            // The sink may have nothing to play when frames come.
            phase = .priming(Approach(began: approach.began))
            return .rest
        }
        guard let reliableFrom = approach.reliableFrom else {
            approach.began = approach.began ?? view.now
            approach.reliableFrom = view.now + view.learningTime
            return addSilence(
                view.learningTime + (view.lateness == nil ? GroupTiming.anchorWait : GroupTiming.tick), &approach, view)
        }
        if view.latency == 0, approach.additions < Self.mostAdditions {
            approach.additions += 1
            return addSilence(GroupTiming.tick, &approach, view)
        }
        guard let lateness = view.lateness else {
            // After a gap in the silence, the server would play the following frames at another time.
            let isEnough = approach.silenceEnd > view.now + GroupTiming.leastSilence
            return isEnough ? .wait(until: view.now + GroupTiming.tick) : addSilence(GroupTiming.tick, &approach, view)
        }
        if view.now < reliableFrom { return .wait(until: reliableFrom) }
        if lateness < .zero - GroupTiming.exactness {
            phase = .waiting(approach)
            return .silence(min(.seconds(1), .zero - lateness))
        }
        if lateness > GroupTiming.exactness {
            phase = .skipping(approach)
            return .skip(lateness)
        }
        phase = .aligned(Course())
        return .play
    }

    private mutating func addSilence(_ time: Duration, _ approach: inout Approach, _ view: View) -> Step {
        approach.silenceEnd = max(approach.silenceEnd, view.now) + time
        phase = .priming(approach)
        return .silence(time)
    }
}
