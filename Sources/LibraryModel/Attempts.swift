public import PodcastModel

/// The document that is being read.
public struct DocumentAttempt: Equatable, Sendable {
    public var feed: FeedID
    /// Whether it is one of the feed's older pages.
    public var isOlderPage: Bool

    public init(feed: FeedID, isOlderPage: Bool = false) {
        self.feed = feed
        self.isOlderPage = isOlderPage
    }
}

/// Remembers, beyond the end of the process, which document it was reading: a document that ends a run must not be the first
/// thing that the next run does. Belongs to one thread.
public protocol AttemptRecorder: AnyObject {
    /// The document that was being read when the last process ended; nil when none was.
    var unfinished: DocumentAttempt? { get }
    /// Records that a document is being read. Called for each piece of it, so it must be cheap.
    func begin(_ attempt: DocumentAttempt)
    /// Nothing is being read.
    func end()
}
