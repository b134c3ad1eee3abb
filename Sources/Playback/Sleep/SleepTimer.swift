internal import MediaPorts
public import PodcastModel

/// The sleep timer: events in, actions out. It has no clock; each event comes with the time and what the player does.
///
/// A pause, loading and buffering hold the countdown, unless the timer ends at a time of day. `stop`, the queue's end and a pause
/// during the fade end the timer. A time includes its fade; after the end of a chapter the fade begins. A message is not faded: if
/// the time is over meanwhile, playback pauses after it.
struct SleepTimer: Equatable {
    enum State: Equatable {
        case off
        case counting(Countdown)
        case untilEpisode(Int)
        /// `end` is the end of the chapter that is heard in a generation.
        case untilChapter(end: MediaTime?, generation: UInt32?)
        case fading(Fade)
        /// The player was paused in silence: the volume returns when it continues.
        case asleep
    }

    /// A time that runs only while there is sound.
    struct Countdown: Equatable {
        private(set) var left: SleepStatus.Left
        /// The time of day when it is over; it then runs without sound too.
        let until: Timestamp?

        init(_ left: Duration, until: Timestamp? = nil) {
            self.left = .held(left)
            self.until = until
        }

        mutating func run(_ runs: Bool, at moment: SleepMoment) {
            let now = moment.now
            if let until, let time = moment.time {
                let rest = Duration.milliseconds(max(0, until.milliseconds - time.milliseconds))
                // The clock was set, or the machine slept. A smaller difference is the clocks' resolution.
                if !SleepTimer.sameTime.contains(rest - left.duration(at: now)) { left = .held(rest) }
            }
            switch (left, runs || until != nil) {
            case (.held(let time), true): left = .until(now + time)
            case (.until, false): left = .held(left.duration(at: now))
            case (.held, false), (.until, true): break
            }
        }
    }

    struct Fade: Equatable {
        let length: Duration
        var countdown: Countdown
        /// Where playback resumes: where the fade began, or where the user has jumped since.
        var place: MediaTime
        var generation: UInt32?
        let end: SleepStatus.End
    }

    /// Time between two steps of the fade.
    static let step = Duration.milliseconds(100)
    /// When to read the clock again while the timer waits for a time of day.
    private static let clockInterval = Duration.seconds(60)
    private static let sameTime = Duration.seconds(-1)...(.seconds(1))
    /// When to look again while the pace is not known yet.
    private static let uncertainty = Duration.seconds(1)
    /// A chapter has ended if less than this is missing, because timers and positions are not that exact.
    private static let nearness = MediaTime(milliseconds: 20)

    private(set) var state = State.off
    private var lastState = PlayerState.stopped
    /// How long the fade takes; zero for none. A change applies to the next fade.
    var fadeLength: Duration

    init(fadeLength: Duration = .seconds(10)) { self.fadeLength = fadeLength }

    mutating func request(_ request: SleepRequest, at moment: SleepMoment) -> [SleepAction] {
        let left = status?.left(at: moment.now) ?? .zero
        let actions = end()
        switch request {
        case .off: break
        case .after(let time): state = .counting(Countdown(time))
        case .change(let change): state = .counting(Countdown(min(max(.zero, left + change), SleepRequest.longest)))
        case .until(let time): state = .counting(Countdown(.zero, until: time))
        case .endOfEpisode(let count): state = .untilEpisode(max(1, count))
        case .endOfChapter: state = .untilChapter(end: moment.chapterEnd, generation: moment.generation)
        }
        lastState = moment.state
        return actions + moved(to: moment)
    }

    /// The player has changed, or `deadline` was reached.
    mutating func moved(to moment: SleepMoment) -> [SleepAction] {
        let wasStopped = lastState == .stopped
        lastState = moment.state
        if moment.state == .stopped, !wasStopped { return end() }
        let isSounding = moment.state == .playing
        if moment.isAnnouncing, case .fading(let fade) = state { state = .counting(fade.countdown) }
        switch state {
        case .off, .untilEpisode: return []
        case .asleep: return moment.state == .paused || moment.isAnnouncing ? [] : end()
        case .counting(var countdown):
            countdown.run(isSounding, at: moment)
            state = .counting(countdown)
            let left = countdown.left.duration(at: moment.now)
            if moment.isAnnouncing {
                guard left <= .zero else { return [] }
                state = .asleep
                return [.fallAsleep(at: moment.position)]
            }
            if !isSounding, countdown.until != nil, left <= .zero {
                let isWaiting = moment.state == .loading || moment.state == .buffering
                state = isWaiting ? .asleep : .off
                return isWaiting ? [.fallAsleep(at: moment.position)] : []
            }
            guard isSounding, left <= fadeLength else { return [] }
            return fade(over: left, end: .time, place: moment.position, at: moment)
        case .untilChapter where moment.isAnnouncing: return []
        case .untilChapter(var end, let generation):
            // Until a chapter is known, or after a jump, the chapter that is heard counts.
            if end == nil || generation != moment.generation { end = moment.chapterEnd }
            state = .untilChapter(end: end, generation: moment.generation)
            guard isSounding, let end, moment.position + Self.nearness >= end else { return [] }
            return fade(over: fadeLength, end: .chapter, place: end, at: moment)
        case .fading(var fade):
            if moment.state == .paused {
                state = .asleep
                return []
            }
            if fade.generation != moment.generation {
                fade.generation = moment.generation
                fade.place = moment.position
            }
            fade.countdown.run(isSounding, at: moment)
            state = .fading(fade)
            return isSounding ? progress(of: fade, at: moment.now) : []
        }
    }

    /// An episode has ended.
    /// - Returns: what the player does.
    mutating func episodeEnded(bySeek isSought: Bool = false) -> EndHold {
        switch state {
        case .off, .counting, .asleep: return .none
        // The user wants the next one, not to return.
        case .fading where isSought: return .none
        case .untilEpisode(let count) where count > 1:
            state = .untilEpisode(count - 1)
            return .none
        case .untilEpisode, .untilChapter:
            state = .asleep
            return .beforeNext
        case .fading(let fade):
            state = .asleep
            return .back(to: fade.place)
        }
    }

    /// How long until `moved` must be called although nothing else happens; nil if it need not.
    func deadline(at moment: SleepMoment) -> Duration? {
        guard moment.state == .playing else {
            guard case .counting(let countdown) = state, countdown.until != nil else { return nil }
            return min(countdown.left.duration(at: moment.now), Self.clockInterval)
        }
        switch state {
        case .off, .asleep, .untilEpisode: return nil
        case .untilChapter where moment.isAnnouncing: return nil
        case .counting(let countdown):
            let left = countdown.left.duration(at: moment.now)
            let rest = moment.isAnnouncing ? left : max(.zero, left - fadeLength)
            return countdown.until == nil ? rest : min(rest, Self.clockInterval)
        case .untilChapter(let end, _):
            guard let end else { return nil }
            guard moment.pace > 0 else { return Self.uncertainty }
            return .seconds(max(0, (end - moment.position).seconds / moment.pace))
        case .fading(let fade): return min(Self.step, fade.countdown.left.duration(at: moment.now))
        }
    }

    var status: SleepStatus? {
        switch state {
        case .off, .asleep: nil
        case .counting(let countdown): SleepStatus(end: .time, left: countdown.left, until: countdown.until)
        case .untilEpisode(let count): SleepStatus(end: .episode(count))
        case .untilChapter: SleepStatus(end: .chapter)
        case .fading(let fade): SleepStatus(end: fade.end, left: fade.countdown.left, isFading: true)
        }
    }

    var isAsleep: Bool { state == .asleep }

    /// Position at which the current fade began; nil without a fade.
    var fadePlace: MediaTime? { if case .fading(let fade) = state { fade.place } else { nil } }

    private mutating func fade(
        over length: Duration, end: SleepStatus.End, place: MediaTime, at moment: SleepMoment
    ) -> [SleepAction] {
        var countdown = Countdown(length)
        countdown.run(true, at: moment)
        let fade = Fade(length: length, countdown: countdown, place: place, generation: moment.generation, end: end)
        state = .fading(fade)
        return progress(of: fade, at: moment.now)
    }

    private mutating func progress(of fade: Fade, at now: Instant) -> [SleepAction] {
        let left = fade.countdown.left.duration(at: now)
        guard left > .zero else {
            state = .asleep
            return [.fade(0), .fallAsleep(at: fade.place)]
        }
        return [.fade(left / fade.length)]
    }

    private mutating func end() -> [SleepAction] {
        defer { state = .off }
        switch state {
        case .off, .counting, .untilEpisode, .untilChapter: return []
        case .fading, .asleep: return [.fade(1)]
        }
    }

    /// Passes an event to the player. At the end of an episode, the timer decides what follows.
    mutating func pass(
        _ event: PlayerEvent, to player: inout AnnouncingPlayer, at moment: PlayerMoment
    ) -> [PlayerAction] {
        guard player.isEnd(event, at: moment) else { return player.handle(event, at: moment) }
        let isSought = if case .seek = event { true } else { false }
        switch episodeEnded(bySeek: isSought) {
        case .none: return player.handle(event, at: moment)
        case .beforeNext: return player.handle(event, at: moment) + player.handle(.pause)
        case .back(let place): return player.player.holdAtEnd(at: place)
        }
    }
}

/// What the sleep timer waits for.
public struct SleepStatus: Equatable, Sendable {
    public enum End: Equatable, Sendable {
        case time
        case episode(Int)
        case chapter
    }

    public var end: End
    /// Playing time left, or what is left of the fade; of a time that runs, when it is over.
    public var left: Left?
    /// The time of day at which playback ends; nil for a playing time.
    public var until: Timestamp?
    public var isFading = false

    public init(end: End, left: Left? = nil, until: Timestamp? = nil, isFading: Bool = false) {
        self.end = end
        self.left = left
        self.until = until
        self.isFading = isFading
    }

    public enum Left: Equatable, Sendable {
        /// Nothing sounds, so the time does not run.
        case held(Duration)
        case until(Instant)

        func duration(at now: Instant) -> Duration {
            switch self {
            case .held(let left): left
            case .until(let end): max(.zero, end - now)
            }
        }
    }

    /// The playing time left; nil if it depends on the episode.
    public func left(at now: Instant) -> Duration? { left?.duration(at: now) }
}

/// The player's state, as input of the sleep timer.
struct SleepMoment: Equatable {
    var now: Instant
    var time: Timestamp?
    var state: PlayerState
    /// Changes with each seek and episode; nil until the episode was looked up.
    var generation: UInt32?
    var position = MediaTime.zero
    /// Seconds of the episode per second of playing time.
    var pace = 1.0
    /// Where the chapter ends that is heard; nil in the last chapter and without chapters.
    var chapterEnd: MediaTime?
    /// Whether a message interrupts playback.
    var isAnnouncing = false
}

/// What the player must do for the sleep timer.
enum SleepAction: Equatable {
    /// Share of the user's volume, 0 to 1.
    case fade(Double)
    /// Pause, so that playback resumes at this position.
    case fallAsleep(at: MediaTime)
}

/// What the player does at the end of an episode.
enum EndHold: Equatable {
    case none
    /// Loads the next one and pauses before its first sound.
    case beforeNext
    /// Pauses at a position of the same episode, whose end was heard only softly.
    case back(to: MediaTime)
}
