public import ControlLanguage
internal import PodcastModel

public struct ShowTranscript: Command {
    public var episode = ""
    public var limit = 1000
    public var after: Int?

    public static let form = CommandForm<TranscriptReply>(
        "episodes.transcript", "Show an episode's transcript; it is downloaded if necessary.", .read, isLong: true,
        verb: "transcript", group: "Episodes")
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("episode", &episode, .what, isRequired: true, help: EpisodesSection.episode)
        parameters.declareLimit(&limit, spelling: .wireOnly)
        parameters.declare(
            "after", &after, .integer(0...10_000_000), spelling: .wireOnly,
            help: "The `index` of the cue before the page.")
    }
}

public struct FetchTranscripts: Command {
    public var feed = ""

    public static let form = CommandForm<FetchedTranscriptsReply>(
        "episodes.transcripts", "Download the transcripts of all episodes of a feed.", .control, isLong: true,
        verb: "transcripts", group: "Episodes",
        details: [
            "'said TEXT' then searches all of them. Transcripts that were fetched within a day are not fetched again."
        ])
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "feed", &feed, .what, isRequired: true, help: "A feed's id, URL or words of its title.")
    }
}

public struct FindSpoken: Command {
    public var text = ""
    public var episode: String?
    public var limit = 50
    public var after: String?

    public static let form = CommandForm<SpokenListReply>(
        "episodes.said", "Search downloaded transcripts.", .read, isLong: true, verb: "said", group: "Episodes",
        details: ["'play EPISODE --said TEXT' plays from that place on."])
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "text", &text, .text(maximumBytes: 4096), isRequired: true,
            help: "Words, \"phrases\" and -words that must not occur, all within about a minute.")
        parameters.declare(
            "episode", &episode, .what, spelling: .option,
            help: "Only in this episode; its transcript is downloaded if necessary.")
        parameters.declareLimit(&limit)
        parameters.declareAfter(&after)
    }
}
