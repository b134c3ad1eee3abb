public import PodcastModel

/// Reads one feed, in pushes.
public struct FeedParser: ~Copyable {
    /// A parser for one document.
    ///
    /// - Parameters:
    ///   - baseURL: where the document came from, after redirects; relative links are resolved against it.
    ///   - contentType: the response's Content-Type header, which may lie: only its charset is looked at.
    ///   - limits: how much of it is taken.
    public init(baseURL: String, contentType: String? = nil, limits: FeedLimits = FeedLimits()) {
    }

    /// Takes the next bytes, of any number.
    public mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(FeedParsingError) {
    }

    /// Tells that no byte follows.
    public consuming func finish() throws(FeedParsingError) -> FeedDocument {
        throw .notAFeed(reason: "empty")
    }
}
