public import MediaPorts
public import PodcastModel

/// What the player does. Each case carries what is alive in it.
///
/// Legal successors (`PlayerStateMachine.successors` says the same to the tests):
///
///     stopped    loading (asked to play), stopped
///     loading    loading (another entry), buffering (the file's beginning was understood), playing (sound at once),
///                paused, stopped
///     buffering  playing (enough is decoded), loading (another entry), paused, stopped
///     playing    buffering (ran dry, seeks, the sink is lost), loading (another entry), paused, stopped
///     paused     whatever it was held in: loading, buffering, playing; stopped
public enum PlayerState: Equatable, Sendable {
    /// Nothing plays: no source, no decoder, no sound.
    case stopped(StopReason)
    /// On the way to an entry whose media is not understood yet.
    case loading(PlayerStage)
    /// Wants to sound and cannot: why.
    case buffering(Listening, BufferingCause)
    /// It sounds.
    case playing(Listening)
    /// Held by the listener; what was under way goes on as far as it makes no sound.
    case paused(PlayerStage)

    /// A state without what is alive in it.
    public enum Kind: String, Sendable, CaseIterable {
        /// Nothing plays.
        case stopped
        /// On the way to an entry.
        case loading
        /// Wants to sound and cannot.
        case buffering
        /// It sounds.
        case playing
        /// Held by the listener.
        case paused
    }

    /// Which case it is.
    public var kind: Kind {
        switch self {
        case .stopped: .stopped
        case .loading: .loading
        case .buffering: .buffering
        case .playing: .playing
        case .paused: .paused
        }
    }

    /// The episode under way, once its media is open.
    public var listening: Listening? {
        switch self {
        case .buffering(let listening, _), .playing(let listening), .loading(.listening(let listening)),
            .paused(.listening(let listening)):
            listening
        case .stopped, .loading(.choosing), .loading(.resolving), .paused(.choosing), .paused(.resolving): nil
        }
    }

    /// The queue's entry under way.
    public var entry: QueueEntry? {
        switch self {
        case .loading(.resolving(let resolving)), .paused(.resolving(let resolving)): resolving.entry
        case .stopped, .loading, .buffering, .playing, .paused: listening?.entry
        }
    }
}

/// Why the player is stopped.
public enum StopReason: Equatable, Sendable {
    /// Nothing was played since the program began.
    case neverStarted
    /// Somebody said stop.
    case asked
    /// The queue's last entry was heard to its end.
    case ended
    /// It could not go on.
    case failed(MediaFailure)
}

/// How far the player is with an entry.
public enum PlayerStage: Equatable, Sendable {
    /// The queue was asked for an entry.
    case choosing(Choosing)
    /// The library was asked for the entry's media.
    case resolving(Resolving)
    /// The media is open and decoded.
    case listening(Listening)
}

/// A question to the queue.
public struct Choosing: Equatable, Sendable {
    /// Number of the question; other answers are stale.
    public var request: UInt32
    /// What the player stops with when there is no entry.
    public var otherwise: StopReason
    /// A question and what follows from "none".
    public init(request: UInt32, otherwise: StopReason) {
        self.request = request
        self.otherwise = otherwise
    }
}

/// A question to the library.
public struct Resolving: Equatable, Sendable {
    /// What is to be played.
    public var entry: QueueEntry
    /// Where to begin; nil where listening stopped last.
    public var start: MediaTime?
    /// Number of this attempt at an entry; the answers to others are stale.
    public var session: UInt32
    /// An entry on its way.
    public init(entry: QueueEntry, start: MediaTime?, session: UInt32) {
        self.entry = entry
        self.start = start
        self.session = session
    }
}

/// An entry whose media is open.
public struct Listening: Equatable, Sendable {
    /// How near to sound it is.
    public enum Progress: Equatable, Sendable {
        /// The decoder has not understood the beginning.
        case opening
        /// The decoder is on its way to another place.
        case seeking
        /// The first seconds are decoded.
        case filling
        /// Frames go to the sink.
        case sounding
        /// It ran dry and waits for some seconds to gather.
        case starved
    }

    /// The queue's entry.
    public var entry: QueueEntry
    /// What the library knows of it.
    public var media: PlaybackMedia
    /// Number of this attempt at an entry: events of other sources and decoders are stale.
    public var session: UInt32
    /// Number that changes at every seek and entry: frames of others are stale.
    public var generation: UInt32
    /// What was heard last, or where sound will begin.
    public var position: MediaTime
    /// How near to sound it is.
    public var progress: Progress = .opening
    /// Whether any of it was heard, so that its position is worth keeping.
    public var wasHeard = false
    /// What was heard before seeks after which nothing has sounded yet.
    public var leftFrom: MediaTime?
    /// What the decoder knows of the file.
    public var info: StreamInfo?
    /// What the source does.
    public var phase: ByteSourcePhase = .idle
    /// Why the source's bytes are kept in memory, and what to do; nil while the disk takes them.
    public var shortage: String?
    /// The byte that the decoder waits for; nil while it has enough.
    public var missingByte: Int64?
    /// Whether the network was let go during a long pause.
    public var isSourceSuspended = false
    /// Whether everything up to the end is decoded.
    public var isDecoded = false
    /// A failure that counts once what is decoded was heard.
    public var failure: MediaFailure?
    /// How often the file was opened again because it changed at its host.
    public var reopenings = 0

    /// An entry whose media is about to be opened.
    public init(
        entry: QueueEntry, media: PlaybackMedia, session: UInt32, generation: UInt32, position: MediaTime
    ) {
        self.entry = entry
        self.media = media
        self.session = session
        self.generation = generation
        self.position = position
    }

    /// Total time: measured by the decoder, else what the library knows, else the decoder's estimate.
    public var duration: MediaTime? {
        if let info, info.isExact, let exact = info.duration { return exact }
        return media.duration ?? info?.duration
    }

    /// The total time, if it was measured from the file.
    public var measuredDuration: MediaTime? {
        if let info, info.isExact, let exact = info.duration { return exact }
        // The host may have put a longer file in the place of the one that was measured.
        guard media.isDurationMeasured, let measured = media.duration, measured >= info?.duration ?? .zero else {
            return nil
        }
        return measured
    }

    /// The latest time at which the episode may end: of several estimates the longest, because feeds announce durations that
    /// are too short. Nil if nothing is known.
    public var latestEnd: MediaTime? {
        if let measuredDuration { return measuredDuration }
        guard let longest = [media.duration, info?.duration].compactMap(\.self).max() else { return nil }
        return max(longest, position)
    }
}

/// Why there is no sound although there should be.
public enum BufferingCause: Equatable, Sendable, CustomStringConvertible {
    /// The decoder moves to another place.
    case seeking
    /// The host was not reached yet, or has not answered.
    case connecting
    /// Bytes come, more slowly than they are heard.
    case waitingForData
    /// The network failed; the next try follows in `delay` seconds.
    case reconnecting(attempt: Int, delay: Double, reason: String)
    /// The bytes are there; the decoder is behind.
    case decoding
    /// The sink takes nothing: its own words.
    case sink(String)

    /// One line for people.
    public var description: String {
        switch self {
        case .seeking: "seeking"
        case .connecting: "connecting"
        case .waitingForData: "waiting for data"
        case .reconnecting(let attempt, let delay, let reason):
            "reconnecting in \(Int(max(delay, 0).rounded(.up).clamped(to: 0...86_400))) s (attempt \(attempt)): \(reason)"
        case .decoding: "decoding"
        case .sink(let message): "waiting for the output: \(message)"
        }
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : min(max(self, range.lowerBound), range.upperBound)
    }
}
