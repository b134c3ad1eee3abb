/// Decides when the library is read for download requests, and which readings are current. A value without I/O.
///
/// One reading at a time; a change during a reading causes another one. A reading that began before a request ended is
/// stale, because it still contains the request; the end of a request causes another reading.
struct LibraryPoll {
    struct Reading: Equatable {
        fileprivate let endedRequests: Int
    }

    /// What to do after a failed reading.
    struct Failure: Equatable {
        /// Until the next attempt.
        var delay: Duration
        /// True for the first of consecutive failures; only the first is logged.
        var isFirst: Bool
    }

    private enum State: Equatable {
        /// Nothing is read; next: reading.
        case idle
        /// The library is read; next: idle, reading.
        case reading(isAskedAgain: Bool)
    }

    /// Maximum delay before the next attempt.
    private static let longestDelay = Duration.seconds(600)

    private var state = State.idle
    private var endedRequests = 0
    private var failures = 0

    /// Called after a possible change. Returns true if the caller must start a reading; false if one is in progress.
    mutating func ask() -> Bool {
        let isFirst = state == .idle
        state = .reading(isAskedAgain: !isFirst)
        return isFirst
    }

    mutating func begin() -> Reading {
        state = .reading(isAskedAgain: false)
        return Reading(endedRequests: endedRequests)
    }

    /// Called when a request ended, and the library has recorded it: earlier readings are stale.
    mutating func requestEnded() { endedRequests += 1 }

    func isCurrent(_ reading: Reading) -> Bool { reading.endedRequests == endedRequests }

    /// Called after a reading was used or skipped. Returns true if another one must start at once.
    mutating func ended() -> Bool {
        failures = 0
        if case .reading(isAskedAgain: true) = state { return true }
        state = .idle
        return false
    }

    /// Called when a reading failed: the delay before the next attempt is one second, and doubles each time.
    mutating func failed() -> Failure {
        state = .idle
        failures += 1
        let delay = Duration.seconds(1 << min(failures - 1, 10))
        return Failure(delay: min(delay, Self.longestDelay), isFirst: failures == 1)
    }
}
