internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel

/// What programs can be run on.
enum HookEvent: String, CaseIterable {
    case episodeStarted = "episode-started"
    case episodeFinished = "episode-finished"
    case paused, resumed, stopped
    case newEpisodes = "new-episodes"
    case downloadFinished = "download-finished"
    case downloadFailed = "download-failed"
    case sleepTimerEnded = "sleep-timer-ended"
    case outputChanged = "output-changed"

    /// When the event happens, for the manual.
    var help: String {
        switch self {
        case .episodeStarted: "An episode can be heard that could not be heard before."
        case .episodeFinished: "An episode was played to its end."
        case .paused: "Playback was paused."
        case .resumed: "Playback continues after a pause."
        case .stopped: "Playback was stopped, or the queue has ended."
        case .newEpisodes: "A refresh has found new episodes of feeds that were subscribed to before."
        case .downloadFinished: "The whole file of an episode is on disk."
        case .downloadFailed: "A download has failed; the daemon tries again."
        case .sleepTimerEnded: "The sleep timer has paused playback; 'paused' follows."
        case .outputChanged: "An output was enabled or disabled, has failed, or works again."
        }
    }
}

/// What a program gets on standard input: one line of JSON.
struct HookDocument: Equatable {
    static let mostEpisodes = 50

    var event: HookEvent
    private var json: JSONValue

    private init(_ event: HookEvent, _ time: Timestamp) {
        self.event = event
        json = JSONValue(members: ["event": event.rawValue, "time": time.description])
    }

    /// - Parameter episode: the current episode; nil if unknown.
    init(_ event: HookEvent, at time: Timestamp, player: PlayerReply, episode: EpisodeReply?) {
        self.init(event, time)
        // A stopped player no longer has a position; the library keeps the position of the episode.
        let kept = player.state == .stopped ? episode?.episode.state.position : nil
        json = json.adding("episode", episode?.json ?? player.episode.json).adding("state", player.state.rawValue)
            .adding("reason", player.reason).adding("position", kept ?? player.position)
            .adding("duration", player.duration).adding("volume", player.volume).adding("speed", player.speed)
    }

    init(finished line: HeardReply, episode: EpisodeReply?) {
        self.init(.episodeFinished, line.record.time)
        json = json.adding("episode", episode?.json ?? Self.minimum(line.record.episode, line.record.title))
    }

    init(new episodes: [EpisodeReply], at time: Timestamp) {
        self.init(.newEpisodes, time)
        json = json.adding("count", episodes.count)
            .adding("episodes", episodes.prefix(Self.mostEpisodes).map(\.json))
    }

    init(_ event: HookEvent, at time: Timestamp, download: DownloadReply, episode: EpisodeReply?) {
        self.init(event, time)
        json = json.adding("episode", episode?.json ?? Self.minimum(download.episode, download.title))
            .adding("reason", download.reason).adding("nextTry", download.nextTry)
    }

    init(changed output: OutputReply, at time: Timestamp) {
        self.init(.outputChanged, time)
        json = json.adding("output", output)
    }

    /// The members for an episode that is no longer in the library.
    private static func minimum(_ id: EpisodeID, _ title: String) -> JSONValue {
        JSONValue(members: ["id": id, "title": title])
    }

    /// The line with its line break.
    var bytes: [UInt8] { json.bytes + [0x0A] }
}
