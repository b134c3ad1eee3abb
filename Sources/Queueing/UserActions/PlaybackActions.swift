public import Library
public import Playback
public import PodcastModel

/// The player's functions for user actions.
public protocol SeekingPlayer: Sendable {
    var status: PlayerStatus { get }
    func seek(_ time: TimeArgument) async throws
    /// Plays an entry from a position; nil for the saved position.
    func play(_ entry: QueueEntry, at start: MediaTime?, isNew: Bool) async throws
    /// Goes to the beginning of the current episode, or to the previous entry.
    func previous() async throws
    /// Stops after the current episode was removed.
    func stop() async throws
}

/// The queue's functions for undo.
public protocol UndoQueue: Sendable {
    /// Undoes the last action or redoes the last undone one, even if it did not concern the queue; nil for none.
    /// - Parameters:
    ///   - step: id of another step to undo or redo.
    ///   - permits: throws if the caller may not do such a step; then nothing is changed.
    func turnLast(
        _ direction: UndoDirection, step: Int64?, at now: Timestamp,
        permits: @escaping @Sendable (UndoableAct) throws -> Void
    ) async throws -> UndoneStep?
}

/// The functions of the daemon's settings for undo.
public protocol UndoSettings: Sendable {
    /// Restores the value that clients set before; nil removes the value. On disk when this returns.
    func restore(_ setting: ClientSetting) async throws
}

extension Player: SeekingPlayer {}

/// There is no action to undo or redo.
public struct NothingToUndo: Error, Equatable, CustomStringConvertible {
    let direction: UndoDirection

    public init(_ direction: UndoDirection) { self.direction = direction }

    public var description: String {
        switch direction {
        case .undo: "there is nothing to undo"
        case .redo: "there is nothing to redo"
        }
    }
}

/// Another client has undone or redone the named action.
public struct TurnedMeanwhile: Error, Equatable, CustomStringConvertible {
    public init() {}

    public var description: String { "another client has just undone this change" }
}

/// The last action cannot be undone or redone. The next undo skips that action.
public struct FinalAct: Error, Equatable, CustomStringConvertible {
    let step: UndoneStep
    let direction: UndoDirection

    public var description: String {
        let subject = step.title.map { " (\($0))" } ?? ""
        let done =
            switch direction {
            case .undo: "undone"
            case .redo: "redone"
            }
        return "the last action\(subject) cannot be \(done): \(step.obstacle ?? "")"
    }
}

/// Actions on the player that the user can undo.
public struct PlaybackActions: Sendable {
    private let library: any LibraryAccess
    private let queue: any UndoQueue
    private let player: any SeekingPlayer
    private let settings: any UndoSettings
    private let now: @Sendable () -> Timestamp
    private let downloads: any DownloadManaging
    private let undone: @Sendable (UndoneStep) -> Void

    /// - Parameter undone: called after each step, with the visible changes.
    public init(
        library: any LibraryAccess, queue: any UndoQueue, player: any SeekingPlayer,
        settings: any UndoSettings, downloads: any DownloadManaging,
        now: @escaping @Sendable () -> Timestamp, undone: @escaping @Sendable (UndoneStep) -> Void
    ) {
        self.library = library
        self.queue = queue
        self.player = player
        self.settings = settings
        self.now = now
        self.downloads = downloads
        self.undone = undone
    }

    /// Plays an entry. Records the position that `start` replaces.
    public func play(_ entry: QueueEntry, at start: MediaTime?, isNew: Bool) async throws {
        let before = await position(of: entry)
        try await player.play(entry, at: start, isNew: isNew)
        if let start, let before, before > .zero, before != start { await record(before, of: entry) }
    }

    /// Seeks within the current episode, and records the position before.
    public func seek(to time: TimeArgument) async throws {
        let entry = player.status.entry
        let before = await position(of: entry)
        try await player.seek(time)
        // A seek past the end finished the episode, which is an undo step by itself.
        if player.status.entry == entry { await record(before, of: entry) }
    }

    /// Goes to the beginning of the current episode, which can be undone like a seek, or to the previous entry.
    public func previous() async throws {
        let entry = player.status.entry
        let before = await position(of: entry)
        try await player.previous()
        if let entry, player.status.entry == entry { await record(before, of: entry) }
    }

    /// - Throws: `PlayerError.beyondEnd` if `start` is beyond the known duration of the episode.
    public func check(_ start: MediaTime, in episode: EpisodeID) async throws {
        let known = try await library.read { try $0.episodes.episode(episode) }
        guard let duration = known.duration else { return }
        // An announced duration before the saved position is wrong.
        let end = known.measuredDuration == nil ? max(duration, known.state.position) : duration
        if start > end { throw PlayerError.beyondEnd(duration: end) }
    }

    /// The audible position of an entry, or else its saved position.
    private func position(of entry: QueueEntry?) async -> MediaTime? {
        guard let entry else { return nil }
        let status = player.status
        if status.entry == entry, status.state != .loading { return status.position }
        return try? await library.read { try $0.episodes.episode(entry.episode).state.position }
    }

    /// Ignores errors: the seek is done, and must not fail because a full disk has no room for the undo step.
    private func record(_ position: MediaTime?, of entry: QueueEntry?) async {
        guard let position, let entry else { return }
        let now = now()
        try? await library.perform { try $0.history.recordSeek(of: entry.episode, from: position, at: now) }
    }

    /// What `undo` would undo, or do again, in its order.
    public func steps(_ direction: UndoDirection) async throws -> [UndoableAct] {
        let now = now()
        return try await library.read { try $0.history.steps(direction, at: now) }
    }

    /// Undoes the last action, or redoes the last undone one.
    /// - Parameters:
    ///   - act: id of another action to undo or redo.
    ///   - permits: throws if the caller may not do such an action; then nothing is changed.
    /// - Throws: `NothingToUndo`, `TurnedMeanwhile` if `act` is gone, or `FinalAct` if the action cannot be undone.
    public func undo(
        _ direction: UndoDirection = .undo, act: Int64? = nil,
        permits: @escaping @Sendable (UndoableAct) throws -> Void = { _ in }
    ) async throws -> UndoneStep {
        guard let step = try await queue.turnLast(direction, step: act, at: now(), permits: permits) else {
            if act != nil { throw TurnedMeanwhile() }
            throw NothingToUndo(direction)
        }
        if step.obstacle != nil { throw FinalAct(step: step, direction: direction) }
        try await restore(step.settings, direction)
        if let current = player.status.entry?.episode {
            if step.kind == .seek, let episode = step.episodes.first, episode.id == current {
                try await player.seek(.absolute(episode.state.position))
            } else if !step.feeds.isEmpty, try await episodes([current]).isEmpty {
                // The feed was removed. Ignore a failure to save the position, which is not needed any more.
                try? await player.stop()
            }
        }
        undone(step)
        if !step.requested.isEmpty { await downloads.retry(step.requested) }
        if !step.dropped.isEmpty { try await downloads.remove(try await episodes(step.dropped)) }
        return step
    }

    /// If a value cannot be stored, the step is restored, so that the command can be repeated.
    private func restore(_ changed: [ClientSetting], _ direction: UndoDirection) async throws {
        do {
            for setting in changed { try await settings.restore(setting) }
        } catch {
            _ = try await queue.turnLast(direction.opposite, step: nil, at: now()) { _ in }
            throw error
        }
    }

    private func episodes(_ ids: [EpisodeID]) async throws -> [Episode] {
        try await library.read { try $0.episodes.episodes(ids) }
    }
}
