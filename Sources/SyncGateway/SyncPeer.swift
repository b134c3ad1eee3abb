internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// The log of changes of a podcastd. The functions block.
protocol ChangeLibrary: AnyObject {
    func list(_ command: ListChanges) throws(SyncFailure) -> ChangePage
    func apply(_ command: ApplyChanges) throws(SyncFailure) -> AppliedChanges
}

/// Changes that a server has listed.
struct ListedChanges {
    /// Name of the device in the history here; nil for those of the changes.
    var device: String?
    var changes: [LibraryChange]
    /// The server's revision after these changes; nil if only the whole list has one.
    var revision: Int64?
}

/// The result of reading a server's changes.
enum ServerList: Equatable {
    /// - Parameter revision: the server's revision, from which the next reading continues.
    case read(revision: Int64)
    /// The server was restored from a backup. Nothing was read.
    case restored
    /// The server has forgotten removals that were not read here. Nothing was read.
    case forgotten
    /// The server lists too many new feeds.
    case tooManyFeeds
}

/// An account on a server. The functions block.
protocol SyncPeer: AnyObject {
    /// How far the server's clock is ahead of the one here, in milliseconds; 0 if they differ by little.
    var clockOffset: Int64 { get }
    /// The kinds of changes that the server keeps; empty for all.
    var kinds: [LibraryChange.Kind] { get }

    /// Reads the server's changes.
    /// - Parameters:
    ///   - since: the server's revision; 0 for everything.
    ///   - untimed: the time of changes for which the server keeps no time.
    ///   - apply: receives the changes in pieces, with the times of the clock here.
    func changes(
        since: Int64, untimed: Timestamp, isDryRun: Bool, apply: (ListedChanges) throws(SyncFailure) -> Void
    ) throws(SyncFailure) -> ServerList

    /// Sends changes, or only counts them.
    func send(_ command: ApplyChanges) throws(SyncFailure) -> AppliedChanges
}
