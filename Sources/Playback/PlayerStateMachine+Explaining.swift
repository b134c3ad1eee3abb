internal import MediaPorts
internal import Reporting

// The state in words for users.
extension PlayerStateMachine {
    /// The wait that is shown to users. Nil also while the queue is asked, because the queue may be empty.
    var wait: PlayerWait? {
        switch state {
        case .stopped, .playing, .paused, .loading(.choosing): nil
        case .loading(.resolving): PlayerWait(kind: .loading)
        case .loading(.listening(let listening)): PlayerWait(kind: .loading, subject: listening.media.title)
        case .buffering(_, .sink(let message)): PlayerWait(kind: .output, subject: message)
        case .buffering(let listening, _):
            PlayerWait(
                kind: listening.progress == .seeking ? .seeking : .buffering(goal: listening.goal(settings)),
                subject: listening.media.title)
        }
    }

    /// Why the player is silent; nil while playing, paused or stopped, and until the episode's media was looked up.
    var cause: BufferingCause? {
        switch state {
        case .loading(.listening(let listening)): listening.cause
        case .buffering(_, let cause): cause
        case .stopped, .loading(.choosing), .loading(.resolving), .playing, .paused: nil
        }
    }

    /// Why the player waits or stopped, in one line for users; nil without a reason to report.
    var reason: String? {
        switch state {
        case .stopped(.neverStarted), .stopped(.asked), .playing, .paused: nil
        case .stopped(.ended): "the end of the queue was reached"
        case .stopped(.failed(let failure)): failure.message
        case .loading(.choosing), .loading(.resolving): "looking up the episode"
        case .loading(.listening), .buffering: cause?.description
        }
    }
}

extension PlayerWait.Kind {
    var activity: (kind: Activity.Kind, message: String) {
        switch self {
        case .loading: (.loading, "Loading episode")
        case .buffering: (.buffering, "Buffering audio")
        case .seeking: (.seeking, "Seeking")
        case .output: (.buffering, "Waiting for the output")
        }
    }
}
