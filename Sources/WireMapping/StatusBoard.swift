public import Activity
public import AudioOutput
public import ControlLanguage
public import ControlProtocol
public import JSON
internal import MediaPorts
public import Playback
internal import PodcastModel
public import SharedQueue

/// The daemon's status for clients, from snapshots of its parts.
///
/// Call any method from any thread; it does not block.
public final class StatusBoard: StatusSource {
    private let player: Player
    private let queue: QueueService
    private let activities: ActivityBoard
    private let outputs: OutputSwitch

    /// A board of these parts.
    public init(player: Player, queue: QueueService, activities: ActivityBoard, outputs: OutputSwitch) {
        self.player = player
        self.queue = queue
        self.activities = activities
        self.outputs = outputs
    }

    public func value(of part: StatusPart) -> JSONValue {
        switch part {
        case .player: PlayerReply(player.status).json
        case .queue: QueueExtentReply(queue.extent).json
        case .activities: activityReplies.json
        case .outputs: outputs.replies.json
        case .feeds, .episodes, .settings, .playlists, .rules: .null
        }
    }

    /// Everything at once.
    public var status: StatusReply {
        StatusReply(
            player: PlayerReply(player.status), queue: QueueExtentReply(queue.extent), outputs: outputs.replies,
            activities: activityReplies)
    }

    /// One line for `systemctl status`: the latest activity, else what plays.
    public var line: String {
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

    private var activityReplies: [ActivityReply] { activities.snapshot.map { ActivityReply($0) } }
}
