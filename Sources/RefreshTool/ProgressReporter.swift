internal import ControlLanguage
internal import ControlProtocol
internal import FeedRefresh
internal import PodcastModel
internal import Reporting

/// The daemon as the refresher sees it.
protocol DaemonConnection: AnyObject {
    /// Calls a command. Nil when it was refused or the connection is lost; then nothing more is sent: the work does not
    /// depend on the daemon.
    func call<Called: Command>(_ command: Called) -> Called.Reply?
}

/// Reports this process's activities to the daemon, and which feeds and episodes changed: a few times a second at most, so
/// that a thousand feeds cost the daemon and its clients no more than one.
final class ProgressReporter {
    private static let interval = Duration.milliseconds(250)

    private let board: ActivityBoard
    private let connection: any DaemonConnection
    /// Activities sent to the daemon: its number for each, nil if it rejected one, and the values sent last.
    private var shown: [UInt64: (remote: UInt64?, last: Activity)] = [:]
    private var lastTime = Instant.distantPast
    private var changes = LibraryChanges()

    init(board: ActivityBoard, connection: any DaemonConnection) {
        self.board = board
        self.connection = connection
    }

    /// The library has changed.
    func note(_ more: LibraryChanges) {
        changes.append(more)
        if changes.isLong { reportChanges() }
    }

    /// Called often during the work; `now` is in milliseconds.
    func tick(_ now: Instant) {
        guard now - lastTime >= Self.interval else { return }
        lastTime = now
        reportActivities()
        reportChanges()
    }

    /// The work is done; `summary` is sent after a refresh.
    func finish(_ summary: RefreshSummary?) {
        reportActivities()
        reportChanges()
        guard let summary, summary.feeds > 0 else { return }
        _ = connection.call(
            ReportRefresh {
                $0.changed = Int64(summary.changed)
                $0.unchanged = Int64(max(0, summary.feeds - summary.changed - summary.failed))
                $0.failed = Int64(summary.failed)
                $0.newEpisodes = Int64(summary.newEpisodes)
            })
    }

    private func reportActivities() {
        let now = board.snapshot
        for activity in now {
            guard let (remote, last) = shown[activity.id] else {
                shown[activity.id] = (begin(activity), activity)
                continue
            }
            guard let remote, last != activity else { continue }
            _ = connection.call(
                UpdateActivity {
                    $0.id = remote
                    ($0.message, $0.subject, $0.progress) = (activity.message, activity.subject, activity.progress)
                })
            shown[activity.id]?.last = activity
        }
        for (local, (remote, _)) in shown where !now.contains(where: { $0.id == local }) {
            if let remote { _ = connection.call(EndActivity { $0.id = remote }) }
            shown[local] = nil
        }
    }

    /// - Returns: the daemon's number for the activity; nil if it refused.
    private func begin(_ activity: Activity) -> UInt64? {
        let command = BeginActivity {
            $0.kind = activity.kind
            ($0.message, $0.subject, $0.progress) = (activity.message, activity.subject, activity.progress)
        }
        return connection.call(command)?.id
    }

    private func reportChanges() {
        if changes.isEmpty { return }
        _ = connection.call(changes.report)
        changes = LibraryChanges()
    }
}

/// What this process changed in the library. Of many episodes some suffice, because clients then read their lists again.
struct LibraryChanges {
    private static let most = ReportChanges.maximumEpisodes

    var report = ReportChanges()

    /// An added feed with its episodes.
    static func added(_ feed: FeedID, episodes: [EpisodeID] = []) -> LibraryChanges {
        var changes = LibraryChanges()
        (changes.report.newFeeds, changes.report.newEpisodes) = ([feed], episodes)
        return changes
    }

    /// A changed feed with its added and changed episodes.
    static func changed(_ feed: FeedID, added: [EpisodeID] = [], changed: [EpisodeID] = []) -> LibraryChanges {
        var changes = LibraryChanges()
        changes.report.feeds = [feed]
        (changes.report.newEpisodes, changes.report.episodes) = (added, changed)
        return changes
    }

    /// A feed that became part of another one.
    static func joined(_ feed: FeedID, into other: FeedID) -> LibraryChanges {
        var changes = LibraryChanges.changed(other)
        changes.report.removedFeeds = [feed]
        return changes
    }

    var isEmpty: Bool { report.feeds.isEmpty && report.newFeeds.isEmpty && report.removedFeeds.isEmpty }

    /// Whether it is time to report them: a list of a command holds at most `most` elements.
    var isLong: Bool {
        [report.feeds.count, report.newFeeds.count, report.removedFeeds.count].contains { $0 >= Self.most }
    }

    mutating func append(_ more: LibraryChanges) {
        report.feeds += more.report.feeds
        report.newFeeds += more.report.newFeeds
        report.removedFeeds += more.report.removedFeeds
        Self.fill(&report.episodes, more.report.episodes)
        Self.fill(&report.newEpisodes, more.report.newEpisodes)
    }

    private static func fill(_ list: inout [EpisodeID], _ more: [EpisodeID]) {
        list += more.prefix(max(0, most - list.count))
    }
}
