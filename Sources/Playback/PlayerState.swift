public import MediaPorts
internal import PodcastModel

extension PlayerStateMachine {
    /// The player's state. Each case contains only the data that is valid in it.
    ///
    /// Legal successors:
    ///
    ///     stopped    loading (play, resume, next, previous), stopped
    ///     loading    loading (another entry), buffering (file opened), playing (sound started),
    ///                paused, stopped
    ///     buffering  playing (enough audio decoded), loading (another entry), paused, stopped
    ///     playing    buffering (underrun, seek, sink failure), loading (another entry), paused, stopped
    ///     paused     the state that was paused: loading, buffering or playing; stopped
    enum State: Equatable {
        case stopped(StopReason)
        /// An entry was requested, but the decoder has not read its media yet.
        case loading(PlayerStage)
        /// The media is open but silent; the cause says why.
        case buffering(Listening, BufferingCause)
        case playing(Listening)
        /// Paused by the user. Loading and buffering continue without sound.
        case paused(PlayerStage)

        var kind: PlayerState {
            switch self {
            case .stopped: .stopped
            case .loading: .loading
            case .buffering: .buffering
            case .playing: .playing
            case .paused: .paused
            }
        }
    }
}

/// Why the player is stopped.
public enum StopReason: Equatable, Sendable {
    /// Nothing was played since the program started.
    case neverStarted
    case asked
    /// The queue's last entry was played to its end.
    case ended
    case failed(MediaFailure)
}

/// How far loading of an entry has progressed.
enum PlayerStage: Equatable {
    /// The queue was queried for an entry.
    case choosing(Choosing)
    /// The library was queried for the entry's media.
    case resolving(Resolving)
    /// The media is known; source and decoder were started.
    case listening(Listening)
}

/// A query to the queue; answers with another number are stale.
struct Question: Equatable {
    var number: UInt32
    var choice: PlayerAction.Choice
}

struct Choosing: Equatable {
    var question: Question
    /// Why the player stops if the queue has no matching entry.
    var otherwise: StopReason
}

struct Resolving: Equatable {
    var entry: QueueEntry
    /// Position to start at; nil for the saved position.
    var start: MediaTime?
    var isChosen: Bool
    /// Number of this attempt to play an entry; answers with another number are stale.
    var session: UInt32
    /// The address that a host has refused, if the library is queried for a newer one.
    var refusal: Refusal?
}

struct Refusal: Equatable {
    var listening: Listening
    var failure: MediaFailure
}

/// Why the player is silent although it is not paused or stopped.
public enum BufferingCause: Equatable, Sendable, CustomStringConvertible {
    case seeking
    /// The host was not reached yet or has not answered. `host` is empty for a file.
    case connecting(host: String)
    /// Data arrives more slowly than it is played.
    case waitingForData
    /// The network failed; attempt number `attempt` starts in `delay` seconds, or runs if that is nil.
    case reconnecting(attempt: Int, delay: Double?, reason: String)
    /// The bytes are available, but the decoder has not decoded them yet.
    case decoding
    /// The sink accepts no audio; contains its error message.
    case sink(String)

    public var description: String {
        switch self {
        case .seeking: "seeking"
        case .connecting(let host): host.isEmpty ? "connecting" : "connecting to \(host)"
        case .waitingForData: "waiting for data"
        case .reconnecting(let attempt, let delay?, let reason):
            "reconnecting in \(Int(min(max(0, delay), 86_400).rounded(.up))) s (attempt \(attempt)): \(reason)"
        case .reconnecting(let attempt, nil, let reason): "reconnecting (attempt \(attempt)): \(reason)"
        case .decoding: "decoding"
        case .sink(let message): "waiting for the output: \(message)"
        }
    }

    /// Whether the host does not answer, or could not be reached.
    var isOfHost: Bool {
        switch self {
        case .connecting, .reconnecting: true
        case .seeking, .waitingForData, .decoding, .sink: false
        }
    }

    /// Whether a host may still answer soon, so that the wait is not worth mentioning.
    func isShort(_ wait: HostWait, at now: Instant) -> Bool {
        if case .connecting(let host) = self { host.isEmpty || wait.seconds(at: now) < 1 } else { false }
    }

    /// The description with the seconds that have passed and that remain.
    func description(_ wait: HostWait?, at now: Instant) -> String {
        guard let wait, !isShort(wait, at: now) else { return description }
        let seconds = wait.seconds(at: now)
        let remaining = max(0, Double(wait.end.nanoseconds - now.nanoseconds) / 1e9)
        switch self {
        case .connecting(let host):
            return "no answer from \(host) for \(seconds) s; next try in \(Int(remaining.rounded(.up))) s"
        case .reconnecting(let attempt, nil, let reason):
            return seconds < 1 ? description : "reconnecting for \(seconds) s (attempt \(attempt)): \(reason)"
        case .reconnecting(let attempt, _?, let reason):
            return BufferingCause.reconnecting(attempt: attempt, delay: remaining, reason: reason).description
        case .seeking, .waitingForData, .decoding, .sink: return description
        }
    }
}

/// An entry that the user asked for and that was not heard yet.
struct RequestedEntry: Equatable {
    /// What was played when the user asked.
    struct Former: Equatable {
        var entry: QueueEntry
        /// Nil for the saved one.
        var position: MediaTime?
        var isHeld: Bool
    }

    var entry: QueueEntry
    /// Whether it is forgotten if it cannot be played.
    var isNew = false
    /// What playback returns to if the entry cannot be played; nil if nothing was played.
    var former: Former?
}

struct DecoderStart: Equatable {
    var time: MediaTime
    var generation: UInt32
    var parameters: PlaybackParameters
}

/// Why the current entry is played, which decides what follows if it cannot be.
enum Intent: Equatable {
    /// The queue's order: the next entry follows.
    case order
    /// As `order`, after entries whose host could not be reached.
    case passing(Unreached)
    /// The user asked for an entry, which was not heard yet.
    case request(RequestedEntry, Backoff)
    /// Nothing else can be played, so this entry is tried until its host can be reached.
    case awaiting(QueueEntry, Backoff)
    /// The user asked for the entry beside the current one, and the queue has not answered.
    case step(Question)

    /// A command ends the search for a host that can be reached.
    mutating func forgetWaits() {
        switch self {
        case .order, .step: break
        case .passing, .awaiting: self = .order
        case .request(let requested, _): self = .request(requested, Backoff())
        }
    }

    mutating func wasFulfilled() {
        switch self {
        case .order, .step: break
        case .passing, .request, .awaiting: self = .order
        }
    }
}

/// The attempts to reach the host of an entry.
struct Backoff: Equatable {
    var attempts = 0
    /// Waits between them that the player has made.
    var waits = 0

    /// Time until the next attempt: 30 s, 60 s, then 2 minutes.
    var delay: Duration { .seconds(30 << min(waits, 2)) }
}

/// The first entry since the last sound whose host could not be reached.
struct Unreached: Equatable {
    var entry: QueueEntry
    var host: String
    /// Whether the host worked before or was tried more than once, and the player has not waited for it yet.
    var mayRecover: Bool
}
