internal import Activity
internal import ControlLanguage
internal import ControlProtocol
internal import FeedRefresh
internal import PodcastModel

/// The daemon as the refresher sees it.
protocol DaemonConnection: AnyObject {
    /// Calls a command. Nil when it was refused or the connection is lost; then nothing more is sent: the work does not
    /// depend on the daemon.
    func call<Called: Command>(_ command: Called) -> Called.Reply?
}

/// Shows this process's activities in the daemon, and tells it which feeds changed. A few times a second at most, so
/// that a thousand feeds cost the daemon and its clients no more than one.
final class DaemonMirror {
    private static let interval = Duration.milliseconds(250)

    private let board: ActivityBoard
    private let connection: any DaemonConnection
    /// Activities sent to the daemon: its number for each, nil if it rejected one, and the values sent last.
    private var shown: [UInt64: (remote: UInt64?, last: Activity)] = [:]
    private var lastTime = Instant.distantPast
    private var feeds: [FeedID] = []
    private var episodes: [EpisodeID] = []

    init(board: ActivityBoard, connection: any DaemonConnection) {
        self.board = board
        self.connection = connection
    }

    /// A feed's rows changed.
    func note(_ feed: FeedID, episodes more: [EpisodeID]) {
        feeds.append(feed)
        // A few suffice, because clients that show a feed reload its rows.
        episodes += more.prefix(max(0, ReportChanges.maximumEpisodes - episodes.count))
        if feeds.count >= ReportChanges.maximumEpisodes { tellFeeds() }
    }

    /// Called often during the work; `now` is in milliseconds.
    func tick(_ now: Instant) {
        guard now - lastTime >= Self.interval else { return }
        lastTime = now
        tellActivities()
        tellFeeds()
    }

    /// The work is done; `summary` is sent after a refresh.
    func finish(_ summary: RefreshSummary?) {
        tellActivities()
        tellFeeds()
        guard let summary, summary.feeds > 0 else { return }
        _ = connection.call(
            ReportRefresh {
                $0.changed = Int64(summary.changed)
                $0.unchanged = Int64(max(0, summary.feeds - summary.changed - summary.failed))
                $0.failed = Int64(summary.failed)
                $0.newEpisodes = Int64(summary.newEpisodes)
            })
    }

    private func tellActivities() {
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

    /// - Returns: the daemon's number for the activity; nil if it refused, or has no such kind.
    private func begin(_ activity: Activity) -> UInt64? {
        guard let kind = BeginActivity.Kind(rawValue: activity.kind.rawValue) else { return nil }
        let command = BeginActivity {
            $0.kind = kind
            ($0.message, $0.subject, $0.progress) = (activity.message, activity.subject, activity.progress)
        }
        return connection.call(command)?.id
    }

    private func tellFeeds() {
        if feeds.isEmpty { return }
        _ = connection.call(ReportChanges { ($0.feeds, $0.episodes) = (feeds, episodes) })
        feeds.removeAll(keepingCapacity: true)
        episodes.removeAll(keepingCapacity: true)
    }
}
