/// A new URL that a feed's host or document announced and that is not followed yet.
public struct FeedMove: Equatable, Sendable {
    public enum Reason: String, CaseIterable, Sendable {
        /// A permanent redirect of the host (301 or 308).
        case redirect
        /// `itunes:new-feed-url` in the document.
        case announcement = "new-feed-url"
    }

    public var url: String
    public var reason: Reason
    /// Number of consecutive refreshes that saw the announcement.
    public var sightings: Int
    /// Why the move is not followed although it was seen often enough; nil if nothing prevents it.
    public var obstacle: String?

    public init(url: String, reason: Reason, sightings: Int = 1, obstacle: String? = nil) {
        self.url = url
        self.reason = reason
        self.sightings = sightings
        self.obstacle = obstacle
    }
}
