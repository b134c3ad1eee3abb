internal import Activity
internal import FeedRefresh
internal import JSON
internal import PodcastModel

/// The daemon as the refresher sees it.
protocol DaemonConnection: AnyObject {
    /// Calls a command. Nil when it was refused or the connection is lost; then nothing more is sent: the work does not
    /// depend on the daemon.
    func call(_ method: String, _ parameters: JSONValue) -> JSONValue?
}

/// Shows this process's activities in the daemon, and tells it which feeds changed. A few times a second at most, so
/// that a thousand feeds cost the daemon and its clients no more than one.
final class DaemonMirror {
    private static let interval: Int64 = 250
    /// Ids in one message; a list on the wire holds 1000.
    private static let largestList = 1000

    private let board: ActivityBoard
    private let connection: any DaemonConnection
    /// Activities that the daemon was told of: its number for each, nil when it refused, and what it was told last.
    private var shown: [UInt64: (remote: Int64?, last: Activity)] = [:]
    private var lastTime: Int64 = .min / 2
    private var feeds: [FeedID] = []
    private var episodes: [EpisodeID] = []

    init(board: ActivityBoard, connection: any DaemonConnection) {
        self.board = board
        self.connection = connection
    }

    /// A feed's rows changed.
    func note(_ feed: FeedID, episodes more: [EpisodeID]) {
        feeds.append(feed)
        // Some suffice: whoever watches a feed asks for its rows anew.
        episodes += more.prefix(max(0, Self.largestList - episodes.count))
        if feeds.count >= Self.largestList { tellFeeds() }
    }

    /// Called often while the work goes on; `now` is in milliseconds.
    func tick(_ now: Int64) {
        guard now - lastTime >= Self.interval else { return }
        lastTime = now
        tellActivities()
        tellFeeds()
    }

    /// The work is done; `summary` is told of a refresh.
    func finish(_ summary: RefreshSummary?) {
        tellActivities()
        tellFeeds()
        guard let summary, summary.feeds > 0 else { return }
        send(
            "feeds.refreshed",
            [
                .init("changed", JSONValue(summary.changed)),
                .init("unchanged", JSONValue(max(0, summary.feeds - summary.changed - summary.failed))),
                .init("failed", JSONValue(summary.failed)), .init("newEpisodes", JSONValue(summary.newEpisodes)),
            ])
    }

    private func tellActivities() {
        let now = board.snapshot
        for activity in now {
            guard let (remote, last) = shown[activity.id] else {
                let answer = send(
                    "activities.begin", [.init("kind", .string(activity.kind.rawValue))] + members(of: activity))
                shown[activity.id] = (answer?["id"]?.integerValue, activity)
                continue
            }
            guard let remote, last != activity else { continue }
            send("activities.update", [.init("id", .integer(remote))] + members(of: activity))
            shown[activity.id]?.last = activity
        }
        for (local, (remote, _)) in shown where !now.contains(where: { $0.id == local }) {
            if let remote { send("activities.end", [.init("id", .integer(remote))]) }
            shown[local] = nil
        }
    }

    private func members(of activity: Activity) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [.init("message", .string(activity.message))]
        if let subject = activity.subject { members.append(.init("subject", .string(subject))) }
        if let progress = activity.progress { members.append(.init("progress", .number(progress))) }
        return members
    }

    private func tellFeeds() {
        if feeds.isEmpty { return }
        send(
            "feeds.changed",
            [
                .init("feeds", .array(feeds.map { .integer($0.rawValue) })),
                .init("episodes", .array(episodes.map { .integer($0.rawValue) })),
            ])
        feeds.removeAll(keepingCapacity: true)
        episodes.removeAll(keepingCapacity: true)
    }

    @discardableResult
    private func send(_ method: String, _ parameters: [JSONValue.Member]) -> JSONValue? {
        connection.call(method, .object(parameters))
    }
}
