public import MediaPorts
public import PodcastModel

/// What can happen to the player.
public enum PlayerEvent: Equatable, Sendable {
    // Commands.

    /// Play this entry, from a place or from where listening stopped.
    case play(QueueEntry, at: MediaTime?)
    /// Go on, or begin with the queue's current entry.
    case resume
    /// Hold.
    case pause
    /// Hold or go on.
    case toggle
    case stop
    /// Move within the episode.
    case seek(TimeArgument)
    /// Go to a neighbour in the queue.
    case step(QueueStep)
    /// Stop for good: the program ends.
    case shutdown
    /// Entries came, went or moved.
    case queueChanged

    // Answers.

    /// The queue's answer; nil when there is no such entry.
    case chosen(request: UInt32, QueueEntry?)
    /// The queue has no answer.
    case choiceFailed(request: UInt32, MediaFailure)
    /// The library's answer.
    case resolved(session: UInt32, PlaybackMedia)
    /// The library has no answer.
    case resolutionFailed(session: UInt32, MediaFailure)
    /// Source or decoder could not be started.
    case startFailed(session: UInt32, MediaFailure)

    // Reports.

    /// The source does something else now.
    case source(session: UInt32, ByteSourcePhase)
    /// The disk takes no bytes of the source, so that they are kept in memory, and what to do; nil when it takes them.
    case shortage(session: UInt32, String?)
    /// The decoder tells.
    case decoder(session: UInt32, DecoderEvent)
    /// The renderer tells.
    case renderer(RendererEvent)
    /// Something could not be written that no command waits for.
    case recordFailed(MediaFailure)
    /// The record of the position is written again.
    case recordRecovered
    /// It has been paused for long.
    case heldLong(generation: UInt32)
}

/// A neighbour in the queue.
public enum QueueStep: Equatable, Sendable, CaseIterable {
    /// The entry after.
    case next
    /// The entry before.
    case previous
}

/// What an event finds when it comes; read from the renderer, so that the state machine reads nothing.
public struct PlayerMoment: Equatable, Sendable {
    /// What is heard, when it is of the newest generation.
    public var heard: MediaTime?
    /// Seconds that are decoded and not heard.
    public var buffered: Double
    public init(heard: MediaTime? = nil, buffered: Double = 0) {
        self.heard = heard
        self.buffered = buffered
    }
}

/// What the player must do after an event, in order.
public enum PlayerAction: Equatable, Sendable {
    /// Ask the queue; the answer is `chosen`.
    case choose(request: UInt32, Choice)
    /// Ask the library; the answer is `resolved`.
    case resolve(session: UInt32, EpisodeID)
    /// Open the media, start its decoder, give its frames to the renderer.
    case start(session: UInt32, generation: UInt32, QueueEntry, PlaybackMedia, at: MediaTime, isHeld: Bool)
    /// Move decoder and renderer to another place.
    case seek(to: MediaTime, generation: UInt32)
    /// Hold the sound or let it go on.
    case setPaused(Bool)
    /// No sound, no decoder, no source.
    case silence
    /// Let the network go.
    case suspendSource
    /// Ask for bytes again from where the decoder waits.
    case wakeSource(from: Int64)
    case savePosition(MediaTime, EpisodeID)
    /// Record that it was heard to the end; undo brings back the position `heard`, or the recorded one for nil.
    case finish(QueueEntry, heard: MediaTime?)
    /// Record the measured duration.
    case setMeasuredDuration(MediaTime, EpisodeID)
    /// Note the playing entry in the queue.
    case setCurrentEntry(QueueEntry)
    /// Connect to the entry that will follow.
    case prepareNext(after: EntryID)
    /// Tell the one who asked that it cannot be.
    case refuse(PlayerError)

    /// Which entry is asked for.
    public enum Choice: Equatable, Sendable {
        /// The one that plays or played last.
        case current
        /// The neighbour of an entry, or of the current one for nil.
        case step(QueueStep, from: EntryID?)
    }
}

/// What watchers are shown of a wait.
public struct PlayerWait: Equatable, Sendable {
    /// What sort of wait.
    public enum Kind: Equatable, Sendable {
        /// On the way to an entry.
        case loading
        /// Waiting for decoded audio; the seconds that are wanted.
        case buffering(goal: Double)
        /// Moving within the episode.
        case seeking
        /// Waiting until the output accepts audio again.
        case output
    }
    /// What sort of wait.
    public var kind: Kind
    /// The episode's title; of an output its failure and what to do.
    public var subject: String?
    /// A wait for something.
    public init(kind: Kind, subject: String?) {
        self.kind = kind
        self.subject = subject
    }
}
