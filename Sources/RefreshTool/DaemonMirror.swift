internal import Activity
internal import JSON
internal import PodcastModel

/// The daemon as the refresher sees it: calls go out, answers come back some time. Nothing here waits.
protocol DaemonConnection: AnyObject {
    /// Sends a call. What cannot be sent at once is kept, within bounds; a lost connection takes it and says nothing:
    /// the work does not depend on the daemon.
    func call(_ method: String, _ parameters: JSONValue, id: Int64)
    /// Results of calls that came since the last time; refused ones have none.
    func results() -> [(id: Int64, result: JSONValue?)]
    /// Gives what is kept a last chance to leave.
    func flush()
}

/// Shows this process's activities in the daemon, and tells it which feeds changed. A few times a second at most, so
/// that a thousand feeds cost the daemon and its clients no more than one.
final class DaemonMirror {
    private static let interval: Int64 = 250
    /// Ids in one message; a list on the wire holds 1000.
    private static let largestList = 1000

    private enum Shown {
        /// Begun; the daemon has not yet answered with its number.
        case asked(call: Int64)
        /// The daemon knows it by this number.
        case known(remote: Int64)
        /// The daemon refused it.
        case refused

        var call: Int64? {
            switch self {
            case .asked(let call): call
            case .known, .refused: nil
            }
        }
    }

    private let board: ActivityBoard
    private let connection: any DaemonConnection
    private var shown: [UInt64: (state: Shown, last: Activity)] = [:]
    private var nextCall: Int64 = 1
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
        takeResults()
        tellActivities()
        tellFeeds()
    }

    /// The work is done.
    func finish() {
        takeResults()
        tellActivities()
        tellFeeds()
        connection.flush()
    }

    private func takeResults() {
        for (call, result) in connection.results() {
            guard let local = shown.first(where: { $0.value.state.call == call })?.key else { continue }
            shown[local]?.state = result?["id"]?.integerValue.map { .known(remote: $0) } ?? .refused
        }
    }

    private func tellActivities() {
        let now = board.snapshot
        for activity in now {
            guard let (state, last) = shown[activity.id] else {
                begin(activity)
                continue
            }
            guard case .known(let remote) = state, last != activity else { continue }
            send("activities.update", [.init("id", .integer(remote))] + members(of: activity))
            shown[activity.id]?.last = activity
        }
        for (local, (state, _)) in shown where !now.contains(where: { $0.id == local }) {
            switch state {
            case .known(let remote): send("activities.end", [.init("id", .integer(remote))])
            // Its number is not known yet; the end of the connection ends it.
            case .asked: continue
            case .refused: break
            }
            shown[local] = nil
        }
    }

    private func begin(_ activity: Activity) {
        shown[activity.id] = (.asked(call: nextCall), activity)
        send("activities.begin", [.init("kind", .string(activity.kind.rawValue))] + members(of: activity))
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

    private func send(_ method: String, _ parameters: [JSONValue.Member]) {
        connection.call(method, .object(parameters), id: nextCall)
        nextCall += 1
    }
}

