public import PodcastModel

/// The document that is being parsed.
public struct DocumentAttempt: Equatable, Sendable {
    public var feed: FeedID
    public var isOlderPage: Bool

    public init(feed: FeedID, isOlderPage: Bool = false) {
        self.feed = feed
        self.isOlderPage = isOlderPage
    }
}

/// Records on disk which document is being parsed, so that a document that crashes the process is not parsed first in
/// the next run. Belongs to one thread.
public protocol AttemptRecorder: AnyObject {
    /// The document that was being parsed when the last process ended; nil if it ended normally.
    var unfinished: DocumentAttempt? { get }
    /// Records that a document is being parsed. Called for each piece of the document, so it must be cheap.
    func begin(_ attempt: DocumentAttempt)
    func end()
}
