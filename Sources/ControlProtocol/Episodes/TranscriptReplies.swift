public import ControlLanguage
public import PodcastModel

/// A piece of a transcript.
public struct CueReply: ReplyObject {
    public var index = 0
    public private(set) var cue = Cue(text: "")

    public init() {}

    public init(_ cue: Cue, index: Int) {
        self.cue = cue
        self.index = index
    }

    public static let objectName = "Cue"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("index", &index, "Its index in the transcript, from 0, for `after`.")
        members.declare("start", &cue.start, "Where it begins; null in a transcript without times.")
        members.declare("end", &cue.end, "Where it ends, if the source says so.")
        members.declare("speaker", &cue.speaker, "The speaker, if the source says so.")
        members.declare("text", &cue.text, isRequired: true, "What is said.")
    }
}

public struct FetchedTranscriptsReply: ReplyObject {
    public var feed = FeedID(0)
    public var title = ""
    /// Episodes whose transcript was fetched.
    public var fetched = 0
    /// Episodes whose transcript was there already.
    public var present = 0
    /// Episodes without a transcript.
    public var missing = 0
    /// What failed, for some of the episodes.
    public var errors: [FailureReply] = []

    public init() {}
    public init(of feed: Feed) { (self.feed, title) = (feed.id, feed.title) }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("feed", &feed, isRequired: true)
        members.declare("title", &title)
        members.declare("fetched", &fetched)
        members.declare("present", &present)
        members.declare("missing", &missing)
        members.declare("errors", &errors)
    }
}

/// What `episodes.transcript` answers: a page of one.
public struct TranscriptReply: PagedReply {
    public var episode = EpisodeID(0)
    public var title = ""
    /// The transcript's language, as announced.
    public var language: String?
    /// Where it came from.
    public var url: String?
    public var cues: [CueReply] = []
    /// Whether there are more.
    public var hasAfter = false

    public init() {}

    public init(of episode: Episode, language: String?, url: String?, cues: [CueReply], hasAfter: Bool) {
        (self.episode, title) = (episode.id, episode.title)
        (self.language, self.url) = (language, url)
        (self.cues, self.hasAfter) = (cues, hasAfter)
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("episode", &episode, isRequired: true)
        members.declare("title", &title)
        members.declare("language", &language)
        members.declare("url", &url)
        members.declare("cues", &cues)
        members.declare("hasAfter", &hasAfter)
    }

    public static let rowsMember = "cues"
    public var rowCount: Int { cues.count }
    public var isBackward: Bool { false }
    public mutating func keepRows(_ range: Range<Int>) {
        cues = Array(cues[range])
        hasAfter = true
    }
}

/// A place in a transcript where something is said.
public struct SpokenReply: ReplyObject {
    public var episode = EpisodeID(0)
    public var title = ""
    public var feedTitle = ""
    public var time: MediaTime?
    public var speaker: String?
    public var excerpt: [String] = []
    public var before: String?
    public var after: String?
    public var key = ""

    public init() {}

    public static let objectName = "Spoken"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("episode", &episode, isRequired: true, "The episode's id.")
        members.declare("title", &title, "The episode's title.")
        members.declare("feedTitle", &feedTitle, "The feed's title.")
        members.declare("time", &time, "When it is said, for `playback.seek`; null in a transcript without times.")
        members.declare("speaker", &speaker, "The speaker, if the source says so.")
        members.declare("excerpt", &excerpt, "What is said, in pieces; every second piece is a match.")
        members.declare("before", &before, "The text before.")
        members.declare("after", &after, "The text after.")
        members.declare("key", &key, "What the parameter `after` takes.")
    }
}

public struct SpokenListReply: PagedReply {
    public var places: [SpokenReply] = []
    /// Whether there are more.
    public var hasAfter = false

    public init() {}
    public init(_ places: [SpokenReply], hasAfter: Bool = false) { (self.places, self.hasAfter) = (places, hasAfter) }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("places", &places)
        members.declare("hasAfter", &hasAfter)
    }

    public static let rowsMember = "places"
    public var rowCount: Int { places.count }
    public var isBackward: Bool { false }
    public mutating func keepRows(_ range: Range<Int>) {
        places = Array(places[range])
        hasAfter = true
    }
}
