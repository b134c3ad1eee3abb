internal import MediaPorts
internal import PodcastModel

/// State machine of a group of outputs: a value without clock, threads or sinks. `OutputGroup` gives it events and performs its effects.
///
///     closed ──opened──> silent ──began──> playing <──paused, resumed──> held
///                           ▲                 │                           │
///                           └────silenced─────┴───────────────────────────┘   (`closed` leads to closed from each phase)
///
/// Independent of the phase one output leads, or none: after it failed or left, until another one is promoted.
struct GroupMachine<Lane: Equatable> {
    enum Sound: Equatable {
        /// The next frame is the first one.
        case silent
        case playing(Course)
        /// The leading output holds its frames; the others have discarded theirs.
        case held(Course)
    }

    struct Course: Equatable {
        /// Number of the first frame since the silence.
        var first: Int64
        /// From when on the leading output's latency is reliable.
        var reliableFrom: Instant
    }

    enum Event {
        /// The outputs, in the order in which they lead.
        case planned([Lane])
        /// An output no longer follows, because it will lead, or cannot follow.
        case released(Lane)
        /// An output takes frames of this format, and leads.
        case opened(Lane, PCMFormat)
        /// The leading output failed, or no output could be opened.
        case leaderFailed
        /// An output that followed leads; its latency is reliable from then on.
        case promoted(Lane, Instant)
        /// The first frames after a silence are written.
        case began(reliableFrom: Instant)
        case wrote(Int64)
        /// The last frames were removed and come again.
        case removed(Int64)
        /// Everything was heard, or discarded.
        /// - Parameter unheard: frames that were discarded and may come again.
        case silenced(unheard: Int64)
        case paused, resumed, closed
    }

    enum Effect: Equatable {
        /// An output follows, with frames of the group's format.
        case follow(Lane)
        case closeRing(Lane, isHeardToTheEnd: Bool)
        /// An output no longer follows.
        case end(Lane)
        /// The output that led is closed.
        case giveUp(Lane)
        case setPaused(Lane, Bool)
    }

    private(set) var lanes: [Lane] = []
    private(set) var leader: Lane?
    private(set) var followers: [Lane] = []
    /// Nil while the group is closed.
    private(set) var format: PCMFormat?
    private(set) var sound = Sound.silent
    /// Number of the next frame.
    private(set) var number: Int64 = 0

    /// Nil in a silence or a pause.
    var course: Course? { if case .playing(let course) = sound { course } else { nil } }

    var isHeld: Bool { if case .held = sound { true } else { false } }

    /// The outputs in the order in which to open them: first the one that leads, last those that could not be opened last time, which
    /// may need seconds to fail again.
    func candidates(opensWell: (Lane) -> Bool) -> [Lane] {
        let order = (leader.map { [$0] } ?? []) + lanes.filter { $0 != leader }
        return order.filter(opensWell) + order.filter { !opensWell($0) }
    }

    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .planned(let lanes): return plan(lanes)
        case .released(let lane): return end { $0 == lane }
        case .opened(let lane, let format):
            leader = lane
            self.format = format
            sound = .silent
            followers = lanes.filter { $0 != lane }
            return followers.map { .follow($0) }
        case .leaderFailed:
            defer { leader = nil }
            return leader.map { [.giveUp($0)] } ?? []
        case .promoted(let lane, let instant):
            leader = lane
            followers.removeAll { $0 == lane }
            if let course { sound = .playing(Course(first: course.first, reliableFrom: instant)) }
            return addFollowers()
        case .began(let instant): sound = .playing(Course(first: number, reliableFrom: instant))
        case .wrote(let count): number += count
        case .removed(let count): number -= count
        case .silenced(let unheard): return silence(unheard)
        case .paused: return setPaused(true)
        case .resumed: return setPaused(false)
        case .closed: return close()
        }
        return []
    }

    private mutating func plan(_ new: [Lane]) -> [Effect] {
        lanes = new
        var effects = end { !new.contains($0) }
        if let old = leader, !new.contains(old) {
            leader = nil
            effects.append(.giveUp(old))
        }
        return effects + addFollowers()
    }

    private mutating func end(_ isEnding: (Lane) -> Bool) -> [Effect] {
        defer { followers.removeAll(where: isEnding) }
        return followers.filter(isEnding).map { .end($0) }
    }

    /// All outputs but the leading one follow while the group is open.
    private mutating func addFollowers() -> [Effect] {
        guard format != nil, leader != nil else { return [] }
        let new = lanes.filter { $0 != leader && !followers.contains($0) }
        followers += new
        return new.map { .follow($0) }
    }

    private mutating func silence(_ unheard: Int64) -> [Effect] {
        switch exchange(&sound, with: .silent) {
        case .silent: return []
        case .playing(let course):
            number = max(course.first, number - unheard)
            return []
        case .held(let course):
            number = max(course.first, number - unheard)
            return followers.map { .setPaused($0, false) }
        }
    }

    private mutating func setPaused(_ isPaused: Bool) -> [Effect] {
        switch sound {
        case .playing(let course) where isPaused: sound = .held(course)
        case .held(let course) where !isPaused: sound = .playing(course)
        case .silent, .playing, .held: return []
        }
        return followers.map { .setPaused($0, isPaused) }
    }

    /// After the end the followers play what is heard later on them.
    private mutating func close() -> [Effect] {
        let isHeardToTheEnd = exchange(&format, with: nil) != nil && sound == .silent
        sound = .silent
        leader = nil
        return followers.map { .closeRing($0, isHeardToTheEnd: isHeardToTheEnd) }
    }
}
