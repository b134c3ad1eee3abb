internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel

/// What programs can be run on.
enum HookEvent: String, Sendable, CaseIterable {
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
struct HookDocument: Equatable, Sendable {
    static let mostEpisodes = 50

    var event: HookEvent
    private var members: [JSONValue.Member]

    private init(_ event: HookEvent, _ time: Timestamp, _ members: [JSONValue.Member]) {
        self.event = event
        self.members = [.init("event", .string(event.rawValue)), .init("time", .string(time.description))] + members
    }

    /// - Parameter episode: the current episode; nil if unknown.
    init(_ event: HookEvent, at time: Timestamp, player: PlayerReply, episode: EpisodeReply?) {
        var members: [JSONValue.Member] = [.init("episode", episode?.json ?? player.episode?.json ?? .null)]
        members.append(.init("state", .string(player.state.rawValue)))
        if let reason = player.reason { members.append(.init("reason", .string(reason))) }
        // A stopped player no longer has a position; the library keeps the position of the episode.
        let kept = player.state == .stopped ? episode?.episode.state.position : nil
        if let position = kept ?? player.position { members.append(.init("position", position.json)) }
        if let duration = player.duration { members.append(.init("duration", duration.json)) }
        members.append(.init("volume", .integer(Int64(player.volume))))
        members.append(.init("speed", .number(player.speed)))
        self.init(event, time, members)
    }

    init(finished line: HeardReply, episode: EpisodeReply?) {
        let minimum: JSONValue = ["id": .integer(line.record.episode.rawValue), "title": .string(line.record.title)]
        self.init(.episodeFinished, line.record.time, [.init("episode", episode?.json ?? minimum)])
    }

    init(new episodes: [EpisodeReply], at time: Timestamp) {
        self.init(
            .newEpisodes, time,
            [
                .init("count", .integer(Int64(episodes.count))),
                .init("episodes", .array(episodes.prefix(Self.mostEpisodes).map(\.json))),
            ])
    }

    init(_ event: HookEvent, at time: Timestamp, download: DownloadReply, episode: EpisodeReply?) {
        let minimum: JSONValue = ["id": .integer(download.episode.rawValue), "title": .string(download.title)]
        var members: [JSONValue.Member] = [.init("episode", episode?.json ?? minimum)]
        if let reason = download.reason { members.append(.init("reason", .string(reason))) }
        if let next = download.nextTry { members.append(.init("nextTry", .string(next.description))) }
        self.init(event, time, members)
    }

    init(changed output: OutputReply, at time: Timestamp) {
        self.init(.outputChanged, time, [.init("output", output.json)])
    }

    /// The line with its line break.
    var bytes: [UInt8] { JSONValue.object(members).bytes + [0x0A] }
}
