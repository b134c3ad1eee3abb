public import ControlLanguage
public import PodcastModel

public struct UploadDocument: Command {
    public var data = ""

    public static let form = CommandForm<Self, UploadReply>(
        Self(), "feeds.upload", "Send the next piece of a document for `feeds.import` that is too long for one line.",
        .admin)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require(
            "data", &data, .text(maximumBytes: 1_000_000),
            help: "Bytes as Base64. They are discarded when the connection ends.")
    }
}

public struct ImportDocument: Command {
    public enum Form: String, ParameterChoice {
        /// A list of subscriptions in OPML.
        case opml
        case feed
        /// What `feeds.export` writes with `state`.
        case state
        case gpodder
        case castero
        /// newsboat's list of addresses or database.
        case newsboat
        case antennapod
        /// A list of subscriptions in OPML that a device or another server sent: without logins, and private addresses only of the
        /// hosts that the setting `network.private_hosts` names.
        case device
    }

    public var document: String?
    public var origin: Form?
    public var source: String?
    public var url: String?
    public var isTrial = false
    public var addresses: String?
    public var queue: String?

    /// Bytes of either of them.
    public static let longestList = 100_000

    public static let form = CommandForm<Self, ImportReply>(
        Self(), "feeds.import", "Import subscriptions, with positions, played marks and stars.", .admin, isLong: true,
        verb: "import",
        details: [
            "FILE is an OPML list, whose groups become tags; a feed that names its own URL, or whose URL --url gives; a file written by "
                + "'export --state'; or a database of gPodder, castero, newsboat (cache.db; podcastctl also sends urls and podboat's queue) or AntennaPod. Episodes get their positions, marks, stars, notes and "
                + "places in the queue as soon as their feeds are fetched.",
            "Existing feeds and episodes stay as they are. After an interrupted import run it again to import the "
                + "rest.",
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "document", &document, .text(maximumBytes: 960_000),
            help: "An OPML list, a state document or newsboat's list of URLs (default: what `feeds.upload` sent). "
                + "On the command line a file, or - for stdin.")
        parameters.declare(
            "from", &origin, spelling: .option,
            help:
                "File format (default: detected). A list of a device is OPML from which logins and private addresses are left out."
        )
        parameters.declare(
            "name", &source, spelling: .wireOnly, help: "What messages call the document, such as the name of its file."
        )
        parameters.declare(
            "url", &url, spelling: .option, help: "URL of a feed that is given as a file and does not name its own.")
        parameters.declare("try", &isTrial, help: "Change nothing; show what the import would change.")
        parameters.declare(
            "urls", &addresses, .text(maximumBytes: Self.longestList), spelling: .wireOnly,
            help: "With newsboat's database: its list of URLs, which has the names and tags of feeds.")
        parameters.declare(
            "queue", &queue, .text(maximumBytes: Self.longestList), spelling: .wireOnly,
            help: "With newsboat's database: podboat's queue.")
    }
}

public struct ExportDocument: Command {
    public var isState = false
    public var hasHistory = false
    public var offset: Int64 = 0

    public static let form = CommandForm<Self, DocumentReply>(
        Self(), "feeds.export", "Print all subscriptions as OPML, or the whole state as JSON.", .admin, isLong: true,
        verb: "export")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "state", &isState,
            help:
                "The whole state: settings, outputs, subscriptions, positions, stars, notes, queue, downloads, statistics."
        )
        parameters.declare("history", &hasHistory, help: "With `state`, include the listening history.")
        parameters.declare(
            "offset", &offset, .integer(0...Int64.max), spelling: .wireOnly,
            help: "Where to continue: `next` of the previous answer.")
    }
}

public struct ReportChanges: Command {
    public var feeds: [FeedID] = []
    public var newFeeds: [FeedID] = []
    public var removedFeeds: [FeedID] = []
    public var episodes: [EpisodeID] = []
    public var newEpisodes: [EpisodeID] = []

    /// The longest list that a parameter holds.
    public static let maximumEpisodes = 1_000

    public static let form = CommandForm<Self, EmptyReply>(
        Self(), "feeds.changed", "Report to the daemon which feeds and episodes another process has written.", .control)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("feeds", &feeds, help: "Ids of changed feeds.")
        parameters.declare("newFeeds", &newFeeds, help: "Ids of added feeds.")
        parameters.declare("removedFeeds", &removedFeeds, help: "Ids of removed feeds.")
        parameters.declare(
            "episodes", &episodes, help: "Ids of changed episodes; a list of 1000 counts as incomplete.")
        parameters.declare(
            "newEpisodes", &newEpisodes, help: "Ids of added episodes; a list of 1000 counts as incomplete.")
    }
}

public struct ReportRefresh: Command {
    public var changed: Int64 = 0
    public var unchanged: Int64 = 0
    public var failed: Int64 = 0
    public var newEpisodes: Int64 = 0

    public static let form = CommandForm<Self, EmptyReply>(
        Self(), "feeds.refreshed", "Report to the daemon how a refresh by another process ended.", .control)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        let range: ClosedRange<Int64> = 0...1_000_000_000
        parameters.require("changed", &changed, .integer(range), help: "Feeds that had changed.")
        parameters.require(
            "unchanged", &unchanged, .integer(range), help: "Feeds that had not changed.")
        parameters.require(
            "failed", &failed, .integer(range), help: "Feeds that failed or were postponed.")
        parameters.require("newEpisodes", &newEpisodes, .integer(range), help: "New episodes.")
    }
}
