public import ControlLanguage
public import PodcastModel

public struct ShowTranscript: Command {
    public var episode = ""
    public var limit = 1000
    public var after: Int?

    public static let form = CommandForm<Self, TranscriptReply>(
        Self(), "episodes.transcript", "Show an episode's transcript; it is downloaded if necessary.", .read,
        isLong: true,
        verb: "transcript")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireEpisode(&episode)
        parameters.declareLimit(&limit, spelling: .wireOnly)
        parameters.declare(
            "after", &after, .integer(0...10_000_000), spelling: .wireOnly,
            help: "The `index` of the cue before the page.")
    }
}

public struct FetchTranscripts: Command {
    public var feed = ""

    public static let form = CommandForm<Self, FetchedTranscriptsReply>(
        Self(), "episodes.transcripts", "Download the transcripts of all episodes of a feed.", .control, isLong: true,
        verb: "transcripts",
        details: [
            "'said TEXT' then searches all of them. Transcripts that were fetched within a day are not fetched again."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require(
            "feed", &feed, .feed, help: "A feed's id, URL or words of its title.")
    }
}

public struct FindSpoken: Command {
    public var text = ""
    public var episode: String?
    public var limit = 50
    public var after: String?

    public static let form = CommandForm<Self, SpokenListReply>(
        Self(), "episodes.said", "Search downloaded transcripts.", .read, isLong: true, verb: "said",
        details: ["'play EPISODE --said TEXT' plays from that place on."])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require(
            "text", &text, .text(maximumBytes: 4096),
            help: "Words, \"phrases\" and -words that must not occur, all within about a minute.")
        parameters.declare(
            "episode", &episode, .episode, spelling: .option,
            help: "Only in this episode; its transcript is downloaded if necessary.")
        parameters.declareLimit(&limit)
        parameters.declareAfter(&after)
    }
}

/// A piece of a transcript.
public struct CueReply: ReplyObject {
    public var index = 0
    public private(set) var cue = Cue(text: "")

    public init() {}

    public init(_ cue: Cue, index: Int) {
        self.cue = cue
        self.index = index
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("index", &index, "Its index in the transcript, from 0, for `after`.")
        members.declare("start", &cue.start, "Where it begins; null in a transcript without times.")
        members.declare("end", &cue.end, "Where it ends, if the source says so.")
        members.declare("speaker", &cue.speaker, "The speaker, if the source says so.")
        members.require("text", &cue.text, "The spoken text.")
    }
}

public struct FetchedTranscriptsReply: ReplyObject {
    public var feed = FeedID(0)
    public var title = ""
    public var fetched = 0
    public var present = 0
    public var missing = 0
    public var errors: [FailureReply] = []

    public init() {}
    public init(of feed: Feed) {
        self.feed = feed.id
        title = feed.title
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("feed", &feed)
        members.declare("title", &title)
        members.declare("fetched", &fetched, "Episodes whose transcript was fetched.")
        members.declare("present", &present, "Episodes whose transcript was there already.")
        members.declare("missing", &missing, "Episodes without a transcript.")
        members.declare("errors", &errors, "What failed, for some of the episodes.")
    }
}

public struct TranscriptReply: PagedReply {
    public var episode = EpisodeID(0)
    public var title = ""
    public var language: String?
    public var url: String?
    public var cues: [CueReply] = []
    public var hasAfter = false

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("episode", &episode)
        members.declare("title", &title)
        members.declare("language", &language, "The transcript's language, as announced.")
        members.declare("url", &url, "The URL from which it was fetched.")
        members.declare("cues", &cues)
        members.declare("hasAfter", &hasAfter, "Whether rows follow the page.")
    }

    public static let rowsMember = "cues"
    public static var rows: WritableKeyPath<TranscriptReply, [CueReply]> { \.cues }
}

/// A place in a transcript where something is said.
public struct SpokenReply: RowReply {
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
    public static let rowsMember = "places"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("episode", &episode, "The episode's id.")
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

public typealias SpokenListReply = PageReply<SpokenReply>
