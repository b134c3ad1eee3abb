internal import Activity
internal import ControlProtocol
internal import JSON
internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import Synchronization

/// What clients are told of the daemon: puts the parts' snapshots together and passes changes on.
///
/// Every method may be called from any thread and returns at once; nothing here waits for a client.
final class StatusBoard: StatusSource {
    private let player: Player
    private let queue: QueueService
    private let activities: ActivityBoard
    private let outputs: OutputSwitch
    private let publish = Mutex<@Sendable (StatusPart) -> Void>({ _ in })

    init(player: Player, queue: QueueService, activities: ActivityBoard, outputs: OutputSwitch) {
        self.player = player
        self.queue = queue
        self.activities = activities
        self.outputs = outputs
    }

    /// Where changes are told; the control server, once there is one.
    func connect(_ publish: @escaping @Sendable (StatusPart) -> Void) {
        self.publish.withLock { $0 = publish }
    }

    /// Says that a part changed.
    func changed(_ part: StatusPart) {
        publish.withLock { $0 }(part)
    }

    func value(of part: StatusPart) -> JSONValue {
        switch part {
        case .player: .object(playerMembers())
        case .queue: queueValue
        case .activities: activitiesValue
        case .outputs: outputs.value
        case .feeds, .episodes, .settings: .null
        }
    }

    /// A `Status` object.
    var status: JSONValue {
        var members = playerMembers()
        members.append(.init("queue", queueValue))
        members.append(.init("outputs", outputs.value))
        members.append(.init("activities", activitiesValue))
        return .object(members)
    }

    /// One line for `systemctl status`: what somebody waits for, else what plays.
    var line: String {
        if let activity = activities.snapshot.last {
            let share = activity.progress.map { " \(Int($0 * 100)) %" } ?? ""
            return activity.message + share + (activity.subject.map { ": \($0)" } ?? "")
        }
        let now = player.status
        let title = now.title.map { ": \($0)" } ?? ""
        switch now.state {
        case .stopped: return "Stopped"
        case .loading: return "Loading\(title)"
        case .buffering: return "Buffering\(title)"
        case .playing: return "Playing\(title)"
        case .paused: return "Paused\(title)"
        }
    }

    private var queueValue: JSONValue {
        let (length, index) = queue.extent
        return ["length": JSONValue(length), "index": JSONValue(index)]
    }

    private var activitiesValue: JSONValue { .array(activities.snapshot.map { JSONValue($0) }) }

    private func playerMembers() -> [JSONValue.Member] {
        let now = player.status
        var episode = JSONValue.null
        var feed = JSONValue.null
        if let entry = now.entry {
            episode = [
                "id": .integer(entry.episode.rawValue), "entry": .integer(entry.id.rawValue),
                "title": JSONValue(now.title),
            ]
            feed = ["id": now.feed.map { .integer($0.rawValue) } ?? .null, "title": JSONValue(now.feedTitle)]
        }
        return [
            .init("state", .string(now.state.rawValue)), .init("reason", JSONValue(now.reason)),
            .init("episode", episode), .init("feed", feed), .init("position", JSONValue(now.position)),
            .init("instant", .integer(now.instant)), .init("pace", .number(now.pace)),
            .init("duration", JSONValue(now.duration)), .init("speed", .number(now.speed)),
            .init("volume", JSONValue(now.volume)),
            .init(
                "buffer",
                [
                    "seconds": JSONValue((now.bufferSeconds * 1000).rounded() / 1000),
                    "fill": JSONValue((now.bufferFill * 1000).rounded() / 1000),
                    "rate": JSONValue(now.bufferRate.rounded()),
                ]),
            .init("chapter", now.chapter.map { JSONValue($0) } ?? .null),
            .init("error", JSONValue(now.error?.message)),
        ]
    }
}
