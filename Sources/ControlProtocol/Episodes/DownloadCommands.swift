public import ControlLanguage
public import PodcastModel

public struct DownloadEpisodes: Command {
    public var what: [String] = []
    public var limit = 50

    public static let form = CommandForm<Self, DownloadsReply>(
        Self(), "episodes.download", "Download episodes in the background.", .control, isLong: true, verb: "download",
        details: [
            "playlist:NAME means the first episodes of a saved playlist, 'filter:CONDITIONS' the newest that "
                + "match, such as 'filter:is:starred shorter:1h'. See podcastd-rules(7).",
            "'activities' shows running downloads, 'show' the state of one, 'episodes --downloaded' the finished ones. "
                + "Downloads are released once played, unless starred: they then stay in the cache until its space is needed.",
            "'downloads --format {path}' and 'show' tell where the files are. --to copies them, also those that were on disk before.",
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireWhat(
            &what, "\(EpisodesSection.episodes); a feed means its newest unplayed episodes."
        )
        parameters.declare(
            "limit", &limit, .integer(1...100_000), spelling: .rows,
            help: "Download at most N episodes of a feed or playlist.")
    }
}

public struct ListDownloads: Command {
    public var limit = 200
    public var after: String?

    public static let form = CommandForm<Self, DownloadListReply>(
        Self(), "episodes.downloads",
        "List downloads: waiting, under way, failed, on disk, and heard but still in the cache.",
        .read, verb: "downloads",
        details: [
            "The cache's files are named after hashes. To see them: podcastctl downloads --format '{path} {title}'. To copy "
                + "them with readable names: podcastctl download WHAT --to DIR."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declareLimit(&limit)
        parameters.declare(
            "after", &after, spelling: .wireOnly, help: "The `key` of the row before the page, or its id as `e3124`.")
    }
}

public struct DeleteDownloads: Command {
    public var what: [String] = []
    public var acceptsPart = false

    public static let form = CommandForm<Self, EpisodesMarkedReply>(
        Self(), "episodes.delete", "Delete downloaded files; the episodes stay in the library.", .control, isLong: true,
        isDestructive: true, verb: "delete",
        details: [
            "playlist:NAME and 'filter:CONDITIONS' mean those of their episodes that are on disk, also "
                + "those that were heard and are still in the cache. Downloads that wait are cancelled.",
            "Words that are only a part of a title are asked about on a terminal and refused in a script, unless --yes "
                + "is given.",
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireWhat(&what, "\(EpisodesSection.episodes); a feed means its downloaded episodes.")
        parameters.declareYes(&acceptsPart)
    }
}

/// A download: one that is requested, or a file that is on disk.
public struct DownloadReply: RowReply {
    public enum State: String, Sendable, CaseIterable, WireScalar {
        case waiting
        /// Bytes are being fetched.
        case downloading
        /// The download failed, and is tried again at `nextTry`.
        case failed
        /// The whole file is on disk, and kept.
        case downloaded
        /// The whole file is in the cache until the cache needs the space.
        case cached
    }

    public var episode = EpisodeID(0)
    public var title = ""
    public var feedTitle = ""
    public var state = State.waiting
    public var progress: Double?
    public var reason: String?
    public var nextTry: Timestamp?
    public var path: String?
    public var key = ""

    public init() {}

    public init(_ episode: Episode, _ state: State, key: String, path: String? = nil) {
        self.key = key
        self.path = path
        self.episode = episode.id
        title = episode.title
        feedTitle = episode.feedTitle
        self.state = state
    }

    public static let rowsMember = "downloads"

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("id", &episode, "The episode.")
        members.declare("title", &title, "Its title.")
        members.declare("feedTitle", &feedTitle, "Its feed's title.")
        members.declare(
            "state", &state,
            "`waiting`, `downloading`, `failed`, `downloaded`, or `cached`: in the cache until its space is needed."
        )
        members.declare("progress", &progress, .thousandth, "The fetched share, 0 to 1, of a download under way.")
        members.declare("reason", &reason, "Why it failed, or waits.")
        members.declare("nextTry", &nextTry, "When a failed one is tried again.")
        members.declareIfAny("path", &path, "The path of the whole file on the daemon's machine, if it is on disk.")
        members.declare("key", &key, "What `after` takes.")
    }
}

/// The requests, the oldest first, then the files, then what is only in the cache; both with the newest episode first.
public typealias DownloadListReply = PageReply<DownloadReply>
