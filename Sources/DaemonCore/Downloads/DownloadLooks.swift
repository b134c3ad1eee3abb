/// When the library is read for what there is to download, and which readings count: a value that performs nothing.
///
/// One reading at a time. What is said to have changed meanwhile brings another one. A reading from before a wish ended
/// does not count, since it still tells of that wish; whoever ends one asks for another reading.
struct DownloadLooks {
    /// One reading of the library, begun before anything of it was read.
    struct Reading: Equatable {
        fileprivate let endings: Int
    }

    /// What follows a reading that failed.
    struct Failure: Equatable {
        /// Seconds until the next try.
        var delay: Double
        /// Whether it is the first in a row: people are told once.
        var isFirst: Bool
    }

    private enum State: Equatable {
        /// Nothing is read; next: looking.
        case resting
        /// The library is read; next: resting, looking.
        case looking(isAskedAgain: Bool)
    }

    /// The longest wait before the next try, in seconds.
    private static let longestDelay = 600.0

    private var state = State.resting
    private var endings = 0
    private var failures = 0

    /// Something may have changed.
    /// - Returns: whether somebody has to begin; nobody looks yet.
    mutating func ask() -> Bool {
        let isFirst = state == .resting
        state = .looking(isAskedAgain: !isFirst)
        return isFirst
    }

    /// The library is about to be read.
    mutating func begin() -> Reading {
        state = .looking(isAskedAgain: false)
        return Reading(endings: endings)
    }

    /// A wish ended, and the library knows: what was read before does not count.
    mutating func wishEnded() { endings += 1 }

    /// Whether what was read is to be used.
    func counts(_ reading: Reading) -> Bool { reading.endings == endings }

    /// A reading was used or passed over.
    /// - Returns: whether another one is to begin at once.
    mutating func ended() -> Bool {
        failures = 0
        if case .looking(isAskedAgain: true) = state { return true }
        state = .resting
        return false
    }

    /// The library could not be read: it is tried again after a second, then each time after twice the wait.
    mutating func failed() -> Failure {
        state = .resting
        failures += 1
        let delay = Double(1 << min(failures - 1, 10))
        return Failure(delay: min(delay, Self.longestDelay), isFirst: failures == 1)
    }
}
