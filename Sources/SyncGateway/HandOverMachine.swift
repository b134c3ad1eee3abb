internal import ControlProtocol
internal import PodcastModel
internal import SystemCalls

/// The steps that move playback to another podcastd. Pure.
///
///     loading -> buffering -> pausing -> seeking -> starting ---------> ended
///                                           |          | no answer        ^
///                                           |          v                  |
///                                           |      confirming -- plays ---+
///                                           v          | does not         |
///                                       returning <----+                  |
///                                           +-----------------------------+
///
/// The episode plays on one side at most: after an order to play that was not answered, it plays here again only if the other podcastd
/// says that it does not play.
struct HandOverMachine {
    enum Step: Equatable {
        /// Load the episode there, paused.
        case load
        case askThere(after: Duration)
        case pauseHere
        case seekThere(MediaTime)
        case playThere
        case playHere
        /// - Parameter failure: nil if the episode plays there.
        case end(SyncFailure?)
    }

    enum Event {
        case done
        case paused(at: MediaTime?)
        /// The other podcastd has answered with the state of its player.
        case answered(PlayerReply)
        case failed(SyncFailure)
    }

    private enum State {
        case loading
        case buffering(until: Instant)
        case pausing(EpisodeID?)
        /// - Parameter there: the episode, by its id there.
        case seeking(there: EpisodeID?)
        case starting(there: EpisodeID?)
        case confirming(there: EpisodeID?, SyncFailure, until: Instant)
        case returning(SyncFailure)
        case ended
    }

    private static let loadLimit = Duration.seconds(20)
    private static let confirmLimit = Duration.seconds(10)
    /// The time between two questions.
    private static let (loadPause, confirmPause) = (Duration.milliseconds(50), Duration.milliseconds(500))
    /// Seconds of sound that the other podcastd has decoded before it pauses here.
    private static let enough = 1.0

    private let serverName: String
    private let position: MediaTime
    private let isPlaying: Bool
    private var state = State.loading

    /// - Parameters:
    ///   - serverName: of the other podcastd.
    ///   - isPlaying: whether the episode plays here.
    init(_ serverName: String, at position: MediaTime, isPlaying: Bool) {
        self.serverName = serverName
        self.position = position
        self.isPlaying = isPlaying
    }

    static let first = Step.load

    /// Takes the outcome of a step, and returns the next one.
    mutating func handle(_ event: Event, at now: Instant) -> Step {
        switch (state, event) {
        case (.loading, .done):
            state = .buffering(until: now + Self.loadLimit)
            return .askThere(after: .zero)
        case (.buffering(let end), .answered(let player)): return loaded(player, isLate: now > end)
        case (.pausing(let there), .paused(let place)):
            state = .seeking(there: there)
            return .seekThere(place ?? position)
        case (.seeking(let there), .done):
            state = .starting(there: there)
            return .playThere
        case (.seeking, .failed(let failure)): return goBack(failure)
        case (.starting(let there), .failed(let failure)):
            state = .confirming(there: there, failure, until: now + Self.confirmLimit)
            return .askThere(after: .zero)
        case (.confirming(let there, let failure, _), .answered(let player)):
            return player.state.isPlaying && player.episode?.id == there ? end(nil) : goBack(failure)
        case (.confirming(_, _, let end), .failed(let failure)):
            if now < end, failure.kind != .stopped { return .askThere(after: Self.confirmPause) }
            return self.end(fault("does not answer; perhaps the episode plays there. 'podcastctl play' continues here"))
        case (.returning(let failure), _): return end(failure)
        case (_, .failed(let failure)): return end(failure)
        case (_, .done), (_, .paused), (_, .answered): return end(nil)
        }
    }

    private mutating func loaded(_ player: PlayerReply, isLate: Bool) -> Step {
        if player.state == .paused, player.buffer.seconds >= Self.enough || isLate {
            state = .pausing(player.episode?.id)
            return .pauseHere
        }
        if player.state == .stopped || isLate {
            return end(fault("cannot play the episode: \(player.reason ?? player.error ?? player.state.rawValue)"))
        }
        return .askThere(after: Self.loadPause)
    }

    private mutating func goBack(_ failure: SyncFailure) -> Step {
        state = .returning(failure)
        return isPlaying ? .playHere : end(failure)
    }

    private mutating func end(_ failure: SyncFailure?) -> Step {
        state = .ended
        return .end(failure)
    }

    private func fault(_ what: String) -> SyncFailure { SyncFailure(message: "\(serverName) \(what)") }
}
