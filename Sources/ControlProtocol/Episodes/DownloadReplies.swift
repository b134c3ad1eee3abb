public import ControlLanguage
public import PodcastModel

/// A download: one that is requested, or a file that is on disk.
public struct DownloadReply: RowReply {
    public enum State: String, Sendable, CaseIterable {
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
        (self.key, self.path) = (key, path)
        self.episode = episode.id
        title = episode.title
        feedTitle = episode.feedTitle
        self.state = state
    }

    public static let rowsMember = "downloads"

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("id", &episode, isRequired: true, "The episode.")
        members.declare("title", &title, "Its title.")
        members.declare("feedTitle", &feedTitle, "Its feed's title.")
        members.declare(
            "state", &state,
            "`waiting`, `downloading`, `failed`, `downloaded`, or `cached`: in the cache until its space is needed."
        )
        members.declare("progress", &progress, .thousandth, "The fetched share, 0 to 1, of a download under way.")
        members.declare("reason", &reason, "Why it failed.")
        members.declare("nextTry", &nextTry, "When a failed one is tried again.")
        members.declareIfAny("path", &path, "The path of the whole file on the daemon's machine, if it is on disk.")
        members.declare("key", &key, "What `after` takes.")
    }
}

/// The requests, the oldest first, then the files, then what is only in the cache; both with the newest episode first.
public typealias DownloadListReply = PageReply<DownloadReply>

extension DownloadReply.State: WireScalar {}
