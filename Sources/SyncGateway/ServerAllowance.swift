internal import PodcastModel

/// The number of feeds that a server can still change without the user's consent, and whether changes were refused. Pure.
struct ServerAllowance: Equatable, Sendable {
    /// Feeds that a server can add or remove in a day.
    static let feedsPerDay = 50
    private static let day = Duration.seconds(86_400)

    private var used = 0
    private var start: Instant
    /// Whether the next synchronization with consent exchanges everything, because one side has refused changes.
    private(set) var isWhole = false

    init(at now: Instant) { start = now }

    mutating func feedsLeft(at now: Instant) -> Int {
        if now - start > Self.day { (start, used) = (now, 0) }
        return max(0, Self.feedsPerDay - used)
    }

    mutating func record(feeds: Int) { used += feeds }

    /// - Parameter isAgreed: whether the user gave consent to the exchange.
    mutating func record(isRefused: Bool, isAgreed: Bool) { if isAgreed || isRefused { isWhole = isRefused } }
}
