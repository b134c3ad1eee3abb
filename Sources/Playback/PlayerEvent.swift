internal import MediaPorts
internal import PodcastModel

/// An event that the player reacts to: a command, an answer to a query, or a report.
enum PlayerEvent: Equatable {
    // Commands.

    /// Play this entry from a position, or from its saved position if nil. A new one is forgotten if it cannot be played.
    case play(QueueEntry, at: MediaTime?, isNew: Bool = false)
    /// Play a message, and return to what is heard now, at this place; nil for the last known one.
    case announce(PlaybackMedia, leavingAt: MediaTime?)
    case resume, pause, toggle, stop
    case seek(TimeArgument)
    case step(QueueStep)
    /// Stop permanently, because the program exits.
    case shutdown
    /// Entries were added, removed or moved.
    case queueChanged
    case removed(Set<EntryID>)
    case soundChanged(SoundSettings)
    case feedSoundChanged(FeedID, FeedSound, isMusic: Bool)
    case skipsChanged([Range<MediaTime>], EpisodeID)
    case chaptersArrived([Chapter], EpisodeID)

    // Answers.

    /// The queue's answer to `PlayerAction.choose`; nil if it has no matching entry.
    case chosen(request: UInt32, QueueEntry?)
    case choiceFailed(request: UInt32, MediaFailure)
    /// The library's answer to `PlayerAction.resolve`.
    case resolved(session: UInt32, PlaybackMedia)
    case resolutionFailed(session: UInt32, MediaFailure)
    /// The source or the decoder could not be started.
    case startFailed(session: UInt32, MediaFailure)

    // Reports.

    case source(session: UInt32, ByteSourcePhase)
    /// The server sends no length. `isCertain` if it says that it sends a live stream, which has neither end nor past.
    case endless(session: UInt32, isCertain: Bool)
    case decoder(session: UInt32, DecoderEvent)
    case renderer(RendererEvent)
    /// A write failed that no command waits for.
    case recordFailed(MediaFailure)
    /// The periodic record of the position succeeds again.
    case recordRecovered
    /// The last failure was shown for `Player.reportTime`.
    case reportIsOld(MediaFailure)
    /// The player has been paused for `PlaybackSettings.suspendDelay`.
    case heldLong(generation: UInt32)
    /// Another attempt to reach the host is due, see `PlayerAction.retryLater`.
    case retryIsDue(session: UInt32)
    /// The sleep timer has faded the sound out: pause, so that playback resumes at this position.
    case fellAsleep(at: MediaTime)
    /// The sleep timer, or those who watch a wait, must look at the player again.
    case timePassed
}

enum QueueStep: CaseIterable { case next, previous }

/// Values of renderer and decoder at the time of an event, read by the caller of the state machine.
struct PlayerMoment: Equatable {
    /// The playhead position; nil if the renderer does not play the current generation.
    var heard: MediaTime?
    /// Seconds of audio decoded and not yet played.
    var buffered = 0.0
    /// The time of day; nil if it is not known.
    var time: Timestamp?
}

/// What the player must do after an event. Actions are executed in order.
enum PlayerAction: Equatable {
    /// Query the queue; the answer is `chosen` or `choiceFailed`.
    case choose(request: UInt32, Choice)
    /// Query the library; the answer is `resolved` or `resolutionFailed`.
    /// `isRefused`: the host has refused the address that the library has.
    case resolve(session: UInt32, EpisodeID, isRefused: Bool = false)
    /// Open the media, start its decoder and connect it to the renderer.
    case start(
        session: UInt32, generation: UInt32, QueueEntry, PlaybackMedia, at: MediaTime, isHeld: Bool,
        PlaybackParameters = .neutral)
    /// Seek in the decoder and switch the renderer to the new generation.
    case seek(to: MediaTime, generation: UInt32, PlaybackParameters = .neutral)
    /// Decode again from the position being heard, with other parameters. Queued audio plays until the new generation is ready.
    case change(from: MediaTime, generation: UInt32, PlaybackParameters)
    /// Send `retryIsDue` after this time, unless another session has begun.
    case retryLater(session: UInt32, after: Duration)
    case setPaused(Bool)
    /// Stop the renderer and the decoder, and close the source.
    case silence
    case suspendSource
    /// Request bytes again, from the offset that the decoder is waiting for.
    case wakeSource(from: Int64)
    /// `isHeard` is false for the target of a seek, at which listening did not come to rest.
    case savePosition(MediaTime, EpisodeID, isHeard: Bool = true)
    /// Record that the entry was played to its end. Undo restores the position `heard`, or the saved one if nil.
    case finish(QueueEntry, heard: MediaTime?)
    /// The entry's media cannot be played: forget it if it is a single file that was never heard.
    /// - Parameter isWithdrawn: whether its entry is removed in any case, because it came with a request that failed.
    case discard(QueueEntry, isWithdrawn: Bool = false)
    /// The entry that the user asked for cannot be played: restore what followed before.
    case requestFailed(QueueEntry)
    case setMeasuredDuration(MediaTime, EpisodeID)
    /// The host has replaced the episode's file.
    case forgetMeasurements(EpisodeID)
    case setCurrentEntry(QueueEntry)
    /// Connect to the host of the next entry in advance.
    case prepareNext(after: EntryID)
    /// Fail the command with this error.
    case refuse(PlayerError)

    enum Choice: Equatable {
        /// The entry that is played or was played last.
        case current
        /// The entry next to `from`, or next to the current one if nil.
        case step(QueueStep, from: EntryID?)
    }
}

/// A wait that is shown to users as an activity.
struct PlayerWait: Equatable {
    enum Kind: Equatable {
        case loading
        /// Waiting for decoded audio; `goal` is the playing time needed.
        case buffering(goal: Duration)
        case seeking
        /// Waiting until the output accepts audio again.
        case output
    }
    var kind: Kind
    /// The episode's title; for `output`, the failure and what to do.
    var subject: String?
}
