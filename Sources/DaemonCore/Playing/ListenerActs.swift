internal import ControlProtocol
internal import Library
internal import LibraryModel
internal import Playback
internal import PodcastModel

/// What the listener does to the player and can take back.
struct ListenerActs: Sendable {
    let library: LibraryService
    let queue: QueueService
    let player: Player
    let now: @Sendable () -> Timestamp
    let changes: ChangeBoard

    /// Moves within the episode, and remembers from where.
    func seek(to time: TimeArgument) async throws -> MediaTime {
        let entry = player.status.entry
        let before = await position(of: entry)
        try await player.seek(time)
        await remember(before, of: entry)
        return player.status.position
    }

    /// Where listening to an entry is: what is heard of it, else what is saved.
    private func position(of entry: QueueEntry?) async -> MediaTime? {
        guard let entry else { return nil }
        let status = player.status
        if status.entry == entry, status.state != .loading { return status.position }
        return try? await library.read { try $0.episode(entry.episode).state.position }
    }

    /// The move is done and on disk; that it cannot be taken back on a full disk is no reason to call it failed.
    private func remember(_ position: MediaTime?, of entry: QueueEntry?) async {
        guard let position, let entry else { return }
        let now = now()
        try? await library.perform { try $0.recordSeek(of: entry.episode, from: position, at: now) }
    }

    /// Takes the last act back.
    func undo() async throws -> UndoneStep {
        guard let undone = try await queue.undoLast() else {
            throw ControlError(
                .conflict, "there is nothing to undo",
                hint: "seek, mark, add, insert, remove, clear, move, shuffle and what rules did can be undone")
        }
        if undone.kind == .seek, let episode = undone.episodes.first,
            player.status.entry?.episode == episode.id
        {
            try await player.seek(.absolute(episode.state.position))
        }
        if !undone.kind.isOfQueue || undone.kind == .ruled { changes.changed(.episodes) }
        return undone
    }
}
