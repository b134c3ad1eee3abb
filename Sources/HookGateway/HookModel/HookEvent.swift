/// What programs can be run on.
enum HookEvent: String, Sendable, CaseIterable {
    case episodeStarted = "episode-started"
    case episodeFinished = "episode-finished"
    case paused
    case resumed
    case stopped
    case newEpisodes = "new-episodes"
    case downloadFinished = "download-finished"
    case downloadFailed = "download-failed"
    case sleepTimerEnded = "sleep-timer-ended"

    /// When it happens, for the manual.
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
        }
    }
}
