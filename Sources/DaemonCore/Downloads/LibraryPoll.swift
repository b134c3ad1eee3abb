/// Decides when the library is read for download requests, and which readings are current. A value without I/O.
///
/// One reading at a time; a change during a reading causes another one. A reading that began before a request ended is
/// stale, because it still contains the request; the end of a request causes another reading.
struct LibraryPoll {
    private enum State: Equatable {
        /// Nothing is read; next: reading.
        case idle
        /// The library is read; next: idle, reading.
        case reading(isAskedAgain: Bool)
    }

    private var state = State.idle
    private var endedRequests = 0
    private var failures = 0

    /// Called after a possible change. Returns true if the caller must start a reading; false if one is in progress.
    mutating func ask() -> Bool {
        let isFirst = state == .idle
        state = .reading(isAskedAgain: !isFirst)
        return isFirst
    }

    /// - Returns: the reading, for `isCurrent`.
    mutating func begin() -> Int {
        state = .reading(isAskedAgain: false)
        return endedRequests
    }

    /// Called when a request ended, and the library has recorded it: earlier readings are stale.
    mutating func requestEnded() { endedRequests += 1 }

    func isCurrent(_ reading: Int) -> Bool { reading == endedRequests }

    /// Called after a reading was used or skipped. Returns true if another one must start at once.
    mutating func ended() -> Bool {
        failures = 0
        if case .reading(isAskedAgain: true) = state { return true }
        state = .idle
        return false
    }

    /// Called when a reading failed. The delay before the next attempt is one second, and doubles each time, up to 600 s.
    /// - Returns: also whether this is the first of consecutive failures, which is logged.
    mutating func failed() -> (delay: Duration, isFirst: Bool) {
        state = .idle
        failures += 1
        let delay = Duration.seconds(1 << min(failures - 1, 10))
        return (min(delay, .seconds(600)), failures == 1)
    }
}
