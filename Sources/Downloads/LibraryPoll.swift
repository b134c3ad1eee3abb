/// When the library is read for download requests, and which readings are current: a value that performs nothing.
///
/// One reading at a time; a change during a reading causes another one. A reading that began before a request ended is
/// stale, because it still contains the request; the end of a request causes another reading.
struct LibraryPoll {
    /// One reading of the library, begun before anything was read.
    struct Reading: Equatable {
        fileprivate let endedRequests: Int
    }

    /// What follows a reading that failed.
    struct Failure: Equatable {
        /// Until the next try.
        var delay: Duration
        /// Whether it is the first in a row: only that one is logged.
        var isFirst: Bool
    }

    private enum State: Equatable {
        /// Nothing is read; next: reading.
        case idle
        /// The library is read; next: idle, reading.
        case reading(isAskedAgain: Bool)
    }

    /// The longest delay before the next try.
    private static let longestDelay = Duration.seconds(600)

    private var state = State.idle
    private var endedRequests = 0
    private var failures = 0

    /// Something may have changed.
    /// - Returns: whether the caller must start a reading; false if one is under way.
    mutating func ask() -> Bool {
        let isFirst = state == .idle
        state = .reading(isAskedAgain: !isFirst)
        return isFirst
    }

    /// The library is about to be read.
    mutating func begin() -> Reading {
        state = .reading(isAskedAgain: false)
        return Reading(endedRequests: endedRequests)
    }

    /// A request ended, and the library has recorded it: earlier readings are stale.
    mutating func requestEnded() { endedRequests += 1 }

    /// Whether a reading is to be used.
    func isCurrent(_ reading: Reading) -> Bool { reading.endedRequests == endedRequests }

    /// A reading was used or skipped.
    /// - Returns: whether another one is to start at once.
    mutating func ended() -> Bool {
        failures = 0
        if case .reading(isAskedAgain: true) = state { return true }
        state = .idle
        return false
    }

    /// A reading failed: the next try is due after one second, then after twice the delay each time.
    mutating func failed() -> Failure {
        state = .idle
        failures += 1
        let delay = Duration.seconds(1 << min(failures - 1, 10))
        return Failure(delay: min(delay, Self.longestDelay), isFirst: failures == 1)
    }
}
