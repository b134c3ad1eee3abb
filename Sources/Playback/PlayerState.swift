public import MediaPorts
internal import PodcastModel

/// What the player does, without its data.
public enum PlayerState: String, Sendable, CaseIterable {
    case stopped
    case loading
    case buffering
    case playing
    case paused
}

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
    enum State: Equatable, Sendable {
        /// Without source, decoder and sound.
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
    /// Stopped by a command.
    case asked
    /// The queue's last entry was played to its end.
    case ended
    case failed(MediaFailure)
}

/// How far loading of an entry has progressed.
enum PlayerStage: Equatable, Sendable {
    /// The queue was queried for an entry.
    case choosing(Choosing)
    /// The library was queried for the entry's media.
    case resolving(Resolving)
    /// The media is known; source and decoder were started.
    case listening(Listening)
}

/// A query to the queue; answers with another number are stale.
struct Question: Equatable, Sendable {
    var number: UInt32
    var choice: PlayerAction.Choice
}

/// A pending query to the queue.
struct Choosing: Equatable, Sendable {
    var question: Question
    /// Why the player stops if the queue has no matching entry.
    var otherwise: StopReason
}

/// A pending query to the library.
struct Resolving: Equatable, Sendable {
    /// The entry to play.
    var entry: QueueEntry
    /// Position to start at; nil for the saved position.
    var start: MediaTime?
    /// Whether the user named that position.
    var isChosen: Bool
    /// Number of this attempt to play an entry; answers with another number are stale.
    var session: UInt32
}

/// The current entry, once its media was looked up.
struct Listening: Equatable, Sendable {
    /// What must still happen before there is sound.
    enum Progress: Equatable, Sendable {
        /// The decoder has not read the stream's properties yet.
        case opening
        /// The decoder is seeking.
        case seeking
        /// The first seconds are being decoded.
        case filling
        /// Frames are written to the sink.
        case sounding
        /// After an underrun: waiting until `PlaybackSettings.rebuffer` seconds are decoded.
        case starved
    }

    /// What the decoder has of the source.
    enum Supply: Equatable, Sendable {
        case flowing
        /// The decoder waits for the byte at this offset.
        case missing(Int64)
        /// The connection was closed during a long pause, in which the decoder may need a byte.
        case suspended(missing: Int64?)
        /// The episode is decoded to its end.
        case decoded

        /// - Parameter byte: what the decoder waits for; nil once it has that.
        mutating func await(_ byte: Int64?) {
            switch self {
            case .flowing, .missing: self = byte.map { .missing($0) } ?? .flowing
            case .suspended: self = .suspended(missing: byte)
            case .decoded: break
            }
        }
    }

    /// A seek, or several since the last sound.
    struct Jump: Equatable, Sendable {
        /// The position before the first one.
        var from: MediaTime
        /// The place that the last one named; nil after a seek by a distance.
        var named: MediaTime?
    }

    /// An attempt to reach a host that failed before.
    struct Retry: Equatable, Sendable {
        /// Number of failed attempts before it.
        var attempt: Int
        /// Seconds until it starts, as of the last failure; nil while it runs.
        var delay: Double?
        /// The last failure, as text for users.
        var reason: String
    }

    var entry: QueueEntry
    /// What the library knows about the episode.
    var media: PlaybackMedia
    /// Number of this attempt to play an entry; events of other sources and decoders are stale.
    var session: UInt32
    /// Number that changes at every seek and entry; frames with another number are stale.
    var generation: UInt32
    /// How it is played.
    var parameters = PlaybackParameters.neutral
    /// The last known playhead position, or the position at which sound will start.
    var position: MediaTime
    var progress: Progress = .opening
    /// Whether there was sound or a seek; if not, leaving the entry does not save the position.
    var wasHeard = false
    /// Nil once its sound is heard.
    var jump: Jump?
    /// The place that the user named last: a part that is left out is played if this is in it.
    var chosen: MediaTime?
    /// When it was paused; nil while it is not, or if the time of day was not known.
    var pausedAt: Timestamp?
    /// The stream's properties; nil until the decoder has read them.
    var info: StreamInfo?
    /// Current activity of the source.
    var phase: ByteSourcePhase = .idle
    /// The attempt after the last failure of the source; nil without a failure, and once the attempt has brought an answer.
    var retry: Retry?
    /// Whether it is a live stream: it is always played from the present on, and no position of it is saved.
    var isLive = false
    var supply = Supply.flowing
    /// A failure that takes effect after the audio decoded so far was played.
    var failure: MediaFailure?
    /// How many times the file was opened again because it changed at its host.
    var reopenings = 0
    /// The temporary failure of the sink; nil while it accepts audio.
    var sinkTrouble: SinkError?

    /// The duration: measured by the decoder, else from the library, else estimated by the decoder.
    var duration: MediaTime? {
        if let info, info.isExact, let exact = info.duration { return exact }
        return media.duration ?? info?.duration
    }

    /// The duration, if it was measured from the file; else nil.
    var measuredDuration: MediaTime? {
        if let info, info.isExact, let exact = info.duration { return exact }
        // The host may have replaced the measured file with a longer one.
        guard media.isDurationMeasured, let measured = media.duration, measured >= info?.duration ?? .zero else {
            return nil
        }
        return measured
    }

    /// The duration, if playback may depend on it: measured, or announced by the feed and not contradicted by the decoder. An
    /// estimate of the decoder from the first frames may be several times too short.
    var trustedDuration: MediaTime? {
        if let measuredDuration { return measuredDuration }
        guard let announced = media.duration, announced >= position else { return nil }
        // Feeds round, and some leave out a second of silence.
        let estimate = info?.duration ?? .zero
        guard announced.seconds >= estimate.seconds * 0.99 - 1 else { return nil }
        return max(announced, estimate)
    }
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

    /// One line for users.
    public var description: String {
        switch self {
        case .seeking: "seeking"
        case .connecting(let host): host.isEmpty ? "connecting" : "connecting to \(host)"
        case .waitingForData: "waiting for data"
        case .reconnecting(let attempt, let delay?, let reason):
            "reconnecting in \(Int(max(delay, 0).rounded(.up).clamped(to: 0...86_400))) s (attempt \(attempt)): \(reason)"
        case .reconnecting(let attempt, nil, let reason): "reconnecting (attempt \(attempt)): \(reason)"
        case .decoding: "decoding"
        case .sink(let message): "waiting for the output: \(message)"
        }
    }
}

extension BufferingCause {
    /// Whether the host does not answer, or could not be reached.
    var isOfHost: Bool {
        switch self {
        case .connecting, .reconnecting: true
        case .seeking, .waitingForData, .decoding, .sink: false
        }
    }

    /// The same line with the seconds that have passed and that remain.
    /// - Parameter wait: the source's wait for its host, if it waits.
    func description(_ wait: HostWait?, at now: Instant) -> String {
        guard let wait else { return description }
        let seconds = (now.nanoseconds - wait.begin.nanoseconds) / 1_000_000_000
        let remaining = max(0, Double(wait.end.nanoseconds - now.nanoseconds) / 1e9)
        switch self {
        case .connecting(let host):
            if host.isEmpty || seconds < 1 { return description }
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
struct RequestedEntry: Equatable, Sendable {
    /// What was played when the user asked.
    struct Former: Equatable, Sendable {
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

/// What a decoder is started with.
struct DecoderStart: Equatable, Sendable {
    var time: MediaTime
    var generation: UInt32
    var parameters: PlaybackParameters
}

/// Why the current entry is played, which decides what follows if it cannot be.
enum Intent: Equatable, Sendable {
    /// It is the queue's turn: the next entry follows.
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

    /// There is sound.
    mutating func wasFulfilled() {
        switch self {
        case .order, .step: break
        case .passing, .request, .awaiting: self = .order
        }
    }
}

/// The attempts to reach the host of an entry.
struct Backoff: Equatable, Sendable {
    var attempts = 0
    /// Waits between them that the player has made.
    var waits = 0

    /// Time until the next attempt: 30 s, 60 s, then 2 minutes.
    var delay: Duration { .seconds(30 << min(waits, 2)) }
}

/// The first entry since the last sound whose host could not be reached.
struct Unreached: Equatable, Sendable {
    var entry: QueueEntry
    var host: String
    /// Whether the player has waited for its host before.
    var wasAwaited: Bool
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : min(max(self, range.lowerBound), range.upperBound)
    }
}
