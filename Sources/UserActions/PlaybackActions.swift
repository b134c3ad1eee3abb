public import LibraryModel
public import Playback
public import PodcastModel

/// What actions need from the player.
public protocol SeekingPlayer: Sendable {
    /// What it plays now.
    var status: PlayerStatus { get }
    /// Seeks within the current episode.
    func seek(_ time: TimeArgument) async throws
    /// Goes to the beginning of the current episode, or to the previous entry.
    func previous() async throws
}

/// What undoing needs from the queue.
public protocol UndoQueue: Sendable {
    /// Undoes the last action, also one that did not change the queue; nil if there is none.
    func undoLast() async throws -> UndoneStep?
}

/// There is no action to undo.
public struct NothingToUndo: Error, Equatable, CustomStringConvertible {
    /// What failed, in one line.
    public var description: String { "there is nothing to undo" }
}

/// The last action cannot be undone; the next undo takes the one before it.
public struct FinalAct: Error, Equatable, CustomStringConvertible {
    public let kind: UndoneStep.Kind

    /// What failed, in one line.
    public var description: String {
        switch kind {
        case .unsubscribed: "unsubscribing cannot be undone"
        case .deleted: "deleting files cannot be undone"
        case .joined: "'undo' does not separate joined episodes"
        default: "the last action cannot be undone"
        }
    }
}

/// Actions of a user on the player that can be undone.
public struct PlaybackActions: Sendable {
    private let library: any LibraryAccess
    private let queue: any UndoQueue
    private let player: any SeekingPlayer
    private let now: @Sendable () -> Timestamp
    private let episodesChanged: @Sendable ([EpisodeID]) -> Void

    /// - Parameters:
    ///   - library: where undo steps are recorded.
    ///   - queue: undoes.
    ///   - player: seeks.
    ///   - now: the time of day.
    ///   - episodesChanged: called with the episodes after changes that clients see.
    public init(
        library: any LibraryAccess, queue: any UndoQueue, player: any SeekingPlayer,
        now: @escaping @Sendable () -> Timestamp, episodesChanged: @escaping @Sendable ([EpisodeID]) -> Void
    ) {
        self.library = library
        self.queue = queue
        self.player = player
        self.now = now
        self.episodesChanged = episodesChanged
    }

    /// Seeks within the current episode, and records the position before.
    public func seek(to time: TimeArgument) async throws {
        let entry = player.status.entry
        let before = await position(of: entry)
        try await player.seek(time)
        // A seek past the end finished the episode, which is a step by itself.
        if player.status.entry == entry { await record(before, of: entry) }
    }

    /// Goes to the beginning of the current episode, which can be undone like a seek, or to the previous entry.
    public func previous() async throws {
        let entry = player.status.entry
        let before = await position(of: entry)
        try await player.previous()
        if let entry, player.status.entry == entry { await record(before, of: entry) }
    }

    /// - Throws: `PlayerError.beyondEnd` if a position is not within an episode, as far as its duration is known.
    public func check(_ start: MediaTime, in episode: EpisodeID) async throws {
        let known = try await library.query { try $0.episodes.episode(episode) }
        guard let duration = known.duration else { return }
        // An announced duration before the saved position is wrong.
        let end = known.measuredDuration == nil ? max(duration, known.state.position) : duration
        if start > end { throw PlayerError.beyondEnd(duration: end) }
    }

    /// The position of an entry: the audible one, else the saved one.
    private func position(of entry: QueueEntry?) async -> MediaTime? {
        guard let entry else { return nil }
        let status = player.status
        if status.entry == entry, status.state != .loading { return status.position }
        return try? await library.query { try $0.episodes.episode(entry.episode).state.position }
    }

    /// The seek itself is on disk already, so it does not fail if a full disk cannot take the undo step.
    private func record(_ position: MediaTime?, of entry: QueueEntry?) async {
        guard let position, let entry else { return }
        let now = now()
        try? await library.access { try $0.history.recordSeek(of: entry.episode, from: position, at: now) }
    }

    /// What `undo` would undo, in its order.
    public func undoable() async throws -> [UndoableStep] { try await library.query { try $0.history.undoableSteps() } }

    /// Undoes the last action.
    /// - Throws: `NothingToUndo`, or `FinalAct` if it cannot be undone.
    public func undo() async throws -> UndoneStep {
        guard let undone = try await queue.undoLast() else { throw NothingToUndo() }
        if undone.kind.isFinal { throw FinalAct(kind: undone.kind) }
        if undone.kind == .seek, let episode = undone.episodes.first, player.status.entry?.episode == episode.id {
            try await player.seek(.absolute(episode.state.position))
        }
        if !undone.kind.isOfQueue || undone.kind == .ruled {
            episodesChanged(undone.episodes.map(\.id))
        }
        return undone
    }
}
