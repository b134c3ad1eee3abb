public import PodcastModel

/// Documents about an episode that are fetched when they are needed: its chapters and its transcript.
public protocol EpisodeTextStore {
    /// What an episode's feed offers, and how fetching it went so far.
    func textSources(of id: EpisodeID) throws(LibraryError) -> EpisodeTextSources
    /// The cover of a feed, or of an episode, else of its feed; nil if the feed names none.
    func cover(of object: NamedCandidate.Object) throws(LibraryError) -> CoverSource?
    /// Stores chapters in place of those that were fetched before.
    func storeChapters(_ chapters: [Chapter], of id: EpisodeID, _ fetch: TextFetch) throws(LibraryError)
    /// Stores a transcript in place of the one that was fetched before.
    func storeTranscript(_ cues: [Cue], of id: EpisodeID, _ fetch: TextFetch) throws(LibraryError)
    /// Remembers a try that brought nothing new; what is stored stays.
    func recordTextFetch(_ kind: EpisodeTextKind, of id: EpisodeID, _ fetch: TextFetch) throws(LibraryError)
    /// A page of an episode's stored transcript, from a cue on; `limit` is 1 to 1000.
    func transcript(of id: EpisodeID, from first: Int, limit: Int) throws(LibraryError) -> TranscriptPage
    /// Where something is said, in stored transcripts: of one episode, or of all, the latest first; in each from its
    /// beginning on.
    /// - Parameter key: that of the place before the page; nil for the first page.
    func said(
        _ text: String, in episode: EpisodeID?, after key: SpokenKey?, limit: Int
    ) throws(LibraryError) -> [SpokenPlace]
}

/// Where a cover is.
public struct CoverSource: Equatable, Sendable {
    public var url: String
    /// The feed that names it.
    public var feed: FeedID

    public init(url: String, feed: FeedID) { (self.url, self.feed) = (url, feed) }
}

/// A kind of document about an episode.
public enum EpisodeTextKind: Int, Sendable, CaseIterable {
    /// Chapters: podcast:chapters.
    case chapters
    /// A transcript: podcast:transcript.
    case transcript
}

/// What an episode's feed offers.
public struct EpisodeTextSources: Equatable, Sendable {
    /// A document of chapters.
    public var chaptersURL: String?
    /// Transcripts in several forms and languages.
    public var transcripts: [TranscriptReference]
    public var language: String?
    /// The latest try of each.
    public var tries: [EpisodeTextKind: TextFetch]

    /// Sources made of their parts.
    public init(
        chaptersURL: String? = nil, transcripts: [TranscriptReference] = [], language: String? = nil,
        tries: [EpisodeTextKind: TextFetch] = [:]
    ) {
        self.chaptersURL = chaptersURL
        self.transcripts = transcripts
        self.language = language
        self.tries = tries
    }

    /// Whether there is anything to fetch now: documents are looked at again after a day, because publishers correct them,
    /// and after a failure later each time, up to a week.
    public func isDue(_ kind: EpisodeTextKind, at now: Timestamp) -> Bool {
        switch kind {
        case .chapters where chaptersURL == nil: return false
        case .transcript where transcripts.isEmpty: return false
        case .chapters, .transcript: break
        }
        guard let last = tries[kind] else { return true }
        let minutes = last.failures == 0 ? 24 * 60 : min(15 << (2 * min(last.failures, 8) - 2), 7 * 24 * 60)
        // A try that lies ahead says that the clock went back since.
        return now.milliseconds - last.time.milliseconds >= Int64(minutes) * 60_000 || last.time > now
    }
}

/// One try to fetch a document about an episode.
public struct TextFetch: Equatable, Sendable {
    /// Where from.
    public var url: String
    public var time: Timestamp
    /// Failures in a row, this one included.
    public var failures: Int
    /// Validators of the document that is stored, opaque.
    public var etag: String?
    public var lastModified: String?
    /// The document's language, as announced.
    public var language: String?
    /// What went wrong, for people.
    public var error: String?

    /// A try made of its parts.
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

/// A part of a transcript.
public struct TranscriptPage: Equatable, Sendable {
    public var cues: [Cue]
    /// The number of the first of them, counted from 0.
    public var first: Int
    /// Whether there are more after these.
    public var hasAfter: Bool
    /// A part made of its cues.
    public init(cues: [Cue], first: Int, hasAfter: Bool) {
        self.cues = cues
        self.first = first
        self.hasAfter = hasAfter
    }
}
