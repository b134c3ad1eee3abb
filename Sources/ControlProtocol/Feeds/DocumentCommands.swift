public import ControlLanguage
public import PodcastModel

/// Hands over a piece of a document that is longer than a line may be.
public struct UploadDocument: Command {
    /// Bytes as Base64.
    public var data = ""

    public static let form = CommandForm<UploadReply>(
        "feeds.upload", "Hand over the next piece of a document for `feeds.import`, where it does not fit a line.",
        result: "`size`: bytes handed over so far", .admin)
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "data", &data, .text(maximumBytes: 1_000_000), isRequired: true,
            help: "Bytes as Base64. What was handed over is gone with the connection.")
    }
}

/// Imports subscriptions and what the user did with their episodes.
public struct ImportDocument: Command {
    /// What a document is.
    public enum Form: String, ParameterChoice {
        /// A list of subscriptions in OPML.
        case opml
        /// What `feeds.export` writes with `state`.
        case state
        /// gPodder's database.
        case gpodder
        /// castero's database.
        case castero
        /// newsboat's list of addresses or database.
        case newsboat
        /// AntennaPod's database.
        case antennapod
    }

    /// The document; nil for what was handed over by `UploadDocument`.
    public var document: String?
    /// What the document is; nil to tell it by its contents.
    public var origin: Form?

    public static let form = CommandForm<ImportReply>(
        "feeds.import", "Take over subscriptions, and what was done with their episodes.",
        result: "`form`; `added`, `known`: numbers of feeds; `duplicates`: addresses, some; `found`, `waiting`: "
            + "numbers of episodes; `errors`: a list of `url`, `what`", .admin, isLong: true,
        commandLine: CommandLineForm(
            ["import"], group: "Feeds",
            details: [
                "FILE is an OPML list, whose groups become tags; what 'export --state' wrote; or a database of "
                    + "gPodder, castero, newsboat or AntennaPod. Positions, marks, stars, notes and places in the "
                    + "queue are given to episodes as soon as their feeds are fetched.",
                "What is here already stays. An import that was stopped has kept what it took; run it again for the "
                    + "rest.",
            ]))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "document", &document, .text(maximumBytes: 960_000),
            help: "An OPML list, a state document or newsboat's list of addresses; what was handed over by "
                + "`feeds.upload` unless given. On the command line a file, or - for stdin.")
        parameters.declare(
            "from", &origin, spelling: .option, help: "What the document is, if not what its contents say.")
    }
}

/// Lists subscriptions, or the whole state, as a document.
public struct ExportDocument: Command {
    /// Whether the whole state is meant.
    public var isState = false
    /// The byte of the document with which the answer begins.
    public var offset: Int64 = 0

    public static let form = CommandForm<DocumentReply>(
        "feeds.export", "Print all subscriptions as OPML, or the whole state as JSON.",
        result: "`document`: the text from there, or a piece of it; `next`: where the rest begins, or null", .read,
        isLong: true, commandLine: CommandLineForm(["export"], group: "Feeds"))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "state", &isState,
            help: "The whole state: subscriptions, tags, positions, marks, stars, notes, queue.")
        parameters.declare(
            "offset", &offset, 0...Int64.max, spelling: .wireOnly,
            help: "Where in the document to go on: `next` of the answer before.")
    }
}

/// Reports rows that another process has written.
public struct ReportChanges: Command {
    /// Feeds whose rows changed.
    public var feeds: [FeedID] = []
    /// New and changed episodes; some, if there are more than `maximumEpisodes`.
    public var episodes: [EpisodeID] = []

    /// The longest list that a parameter holds.
    public static let maximumEpisodes = 1_000

    public static let form = CommandForm<EmptyReply>(
        "feeds.changed", "Tell the daemon which feeds and episodes another process has written.",
        result: "an empty object", .control)
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("feeds", &feeds, help: "Ids of feeds.")
        parameters.declare(
            "episodes", &episodes,
            help: "Ids of new and changed episodes; some, if there are more than a list holds.")
    }
}

/// Reports how a refresh by another process ended.
public struct ReportRefresh: Command {
    /// Feeds with something new.
    public var changed: Int64 = 0
    /// Feeds without.
    public var unchanged: Int64 = 0
    /// Feeds that failed or were put off.
    public var failed: Int64 = 0
    /// Episodes that were found.
    public var newEpisodes: Int64 = 0

    public static let form = CommandForm<EmptyReply>(
        "feeds.refreshed", "Tell the daemon how a refresh of another process ended.", result: "an empty object",
        .control)
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        let range: ClosedRange<Int64> = 0...1_000_000_000
        parameters.declare("changed", &changed, range, isRequired: true, help: "Feeds with something new.")
        parameters.declare("unchanged", &unchanged, range, isRequired: true, help: "Feeds without.")
        parameters.declare("failed", &failed, range, isRequired: true, help: "Feeds that failed or were put off.")
        parameters.declare("newEpisodes", &newEpisodes, range, isRequired: true, help: "Episodes that were found.")
    }
}
