/// Where a feed's host or its document says that it has gone, while that is not believed yet.
public struct FeedMove: Equatable, Sendable {
    /// Who says so.
    public enum Reason: String, CaseIterable, Sendable {
        /// The host, by a permanent redirect: 301 or 308.
        case redirect
        /// The document, by `itunes:new-feed-url`.
        case announcement = "new-feed-url"
    }

    /// The new address.
    public var url: String
    /// Who says so.
    public var reason: Reason
    /// How many refreshes in a row have seen it.
    public var sightings: Int
    /// Why it is not followed though it was seen often enough; nil when nothing is in its way.
    public var obstacle: String?

    /// A move, seen for the first time unless told otherwise.
    public init(url: String, reason: Reason, sightings: Int = 1, obstacle: String? = nil) {
        self.url = url
        self.reason = reason
        self.sightings = sightings
        self.obstacle = obstacle
    }
}
