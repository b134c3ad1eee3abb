internal import MediaPorts

/// State machine of an output that follows: a value without clock, sink or frames. `FollowLoop` gives it events.
///
///     idle ──feed──> opening ──opened──> starting ──aligned──> playing
///                      ▲ ▲                  ▲ └───────lost────────┘ │
///                      │ └──retry── retrying <──────failed──────────┘   (or broken, if a retry makes no sense)
struct FollowMachine {
    enum Phase: Equatable {
        /// The group is closed.
        case idle
        case opening
        /// The sink plays silence until the frames are due.
        case starting
        case playing
        /// `attempt` is the number of the next retry.
        case retrying(attempt: Int)
        /// The sink failed permanently.
        case broken
    }

    enum Event: Equatable {
        /// The group was opened for a format.
        case feed
        case noFeed, opened, aligned
        /// What is in the sink is not what the group plays.
        case lost
        case failed(SinkError)
        case retry
        /// The sink has worked for some time.
        case steady
        case pause, resume
    }

    enum Effect {
        case none
        /// Discard what the sink has; the frames that were not heard are written again.
        case drop
        case close
    }

    enum Activity: Equatable {
        case rest, open, start, play
        case retry(attempt: Int)
    }

    private(set) var phase = Phase.idle
    private(set) var isPaused = false
    private var failures = 0

    var activity: Activity {
        switch phase {
        case .idle, .broken: .rest
        case .opening: .open
        case .starting: isPaused ? .rest : .start
        case .playing: .play
        case .retrying(let attempt): .retry(attempt: attempt)
        }
    }

    mutating func handle(_ event: Event) -> Effect {
        switch event {
        case .feed:
            if case .retrying = phase { return .none }
            phase = .opening
        case .noFeed:
            phase = .idle
            return .close
        case .opened: if phase == .opening { phase = .starting }
        case .aligned: if phase == .starting { phase = .playing }
        case .lost: return restart()
        case .failed(let error):
            if phase == .idle { return .close }
            failures += 1
            phase = error.isTemporary ? .retrying(attempt: failures) : .broken
            return .close
        case .retry: if case .retrying = phase { phase = .opening }
        case .steady: failures = 0
        case .pause:
            isPaused = true
            return restart()
        case .resume:
            isPaused = false
            if phase == .broken { phase = .opening }
        }
        return .none
    }

    private mutating func restart() -> Effect {
        switch phase {
        case .starting, .playing:
            phase = .starting
            return .drop
        case .idle, .opening, .retrying, .broken: return .none
        }
    }
}
