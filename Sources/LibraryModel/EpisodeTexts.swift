public import PodcastModel

/// Chapters and transcripts of episodes, which are fetched on demand.
public protocol EpisodeTextStore {
    /// The sources that an episode's feed offers, with the latest attempts to fetch them.
    func textSources(of id: EpisodeID) throws(LibraryError) -> EpisodeTextSources
    /// The cover of a feed; of an episode, or of its feed if the episode has no cover. Nil if neither has a cover.
    func cover(of object: NamedCandidate.Object) throws(LibraryError) -> CoverSource?
    func storeChapters(_ chapters: [Chapter], of id: EpisodeID, _ fetch: TextFetch) throws(LibraryError)
    func storeTranscript(_ cues: [Cue], of id: EpisodeID, _ fetch: TextFetch) throws(LibraryError)
    /// Records an attempt without a new document; the stored document stays.
    func recordTextFetch(_ kind: EpisodeTextKind, of id: EpisodeID, _ fetch: TextFetch) throws(LibraryError)
    /// A page of an episode's stored transcript that starts at cue `first`; `limit` is 1 to 1000.
    func transcript(of id: EpisodeID, from first: Int, limit: Int) throws(LibraryError) -> TranscriptPage
    /// Matches in stored transcripts of one episode or of all, newest episode first, in each by time.
    /// - Parameter key: the last match of the previous page; nil for the first page.
    func said(
        _ text: String, in episode: EpisodeID?, after key: SpokenKey?, limit: Int
    ) throws(LibraryError) -> [SpokenPlace]
}

/// The URL of a cover.
public struct CoverSource: Equatable, Sendable {
    public var url: String
    public var feed: FeedID

    public init(url: String, feed: FeedID) { (self.url, self.feed) = (url, feed) }
}

/// A kind of document about an episode.
public enum EpisodeTextKind: Int, Sendable, CaseIterable {
    /// From podcast:chapters.
    case chapters
    /// From podcast:transcript.
    case transcript
}

/// Chapters and transcripts that an episode's feed offers, with the latest attempts to fetch them.
public struct EpisodeTextSources: Equatable, Sendable {
    public var chaptersURL: String?
    /// Transcripts in several formats and languages.
    public var transcripts: [TranscriptReference]
    public var language: String?
    public var tries: [EpisodeTextKind: TextFetch]

    public init(
        chaptersURL: String? = nil, transcripts: [TranscriptReference] = [], language: String? = nil,
        tries: [EpisodeTextKind: TextFetch] = [:]
    ) {
        self.chaptersURL = chaptersURL
        self.transcripts = transcripts
        self.language = language
        self.tries = tries
    }

    /// True if a document should be fetched now: daily for corrections; after failures at intervals of up to a week.
    public func isDue(_ kind: EpisodeTextKind, at now: Timestamp) -> Bool {
        switch kind {
        case .chapters where chaptersURL == nil: return false
        case .transcript where transcripts.isEmpty: return false
        case .chapters, .transcript: break
        }
        guard let last = tries[kind] else { return true }
        let minutes = last.failures == 0 ? 24 * 60 : min(15 << (2 * min(last.failures, 8) - 2), 7 * 24 * 60)
        // An attempt in the future means that the clock was set back since.
        return now.milliseconds - last.time.milliseconds >= Int64(minutes) * 60_000 || last.time > now
    }
}

/// One attempt to fetch a document about an episode.
public struct TextFetch: Equatable, Sendable {
    public var url: String
    public var time: Timestamp
    /// Failures in a row, including this attempt.
    public var failures: Int
    /// Validators of the stored document, opaque.
    public var etag: String?
    public var lastModified: String?
    public var language: String?
    /// The failure, for people.
    public var error: String?

    public init(
        url: String, time: Timestamp, failures: Int = 0, etag: String? = nil, lastModified: String? = nil,
        language: String? = nil, error: String? = nil
    ) {
        self.url = url
        self.time = time
        self.failures = failures
        self.etag = etag
        self.lastModified = lastModified
        self.language = language
        self.error = error
    }
}

/// A page of a transcript.
public struct TranscriptPage: Equatable, Sendable {
    public var cues: [Cue]
    /// Index of the first cue, from 0.
    public var first: Int
    public var hasAfter: Bool
    public init(cues: [Cue], first: Int, hasAfter: Bool) {
        self.cues = cues
        self.first = first
        self.hasAfter = hasAfter
    }
}
