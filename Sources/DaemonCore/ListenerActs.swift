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
    /// Told which episodes changed.
    let changed: @Sendable ([EpisodeID]) -> Void

    /// Moves within the episode, and remembers from where.
    func seek(to time: TimeArgument) async throws -> MediaTime {
        let before = player.status
        try await player.seek(time)
        if let entry = before.entry {
            let now = now()
            // The seek is done and on disk; that it cannot be taken back on a full disk is no reason to call it failed.
            try? await library.perform { try $0.recordSeek(of: entry.episode, from: before.position, at: now) }
        }
        return player.status.position
    }

    /// Takes the last act back.
    func undo() async throws -> UndoneStep {
        guard let undone = try await queue.undoLast() else {
            throw ControlError(
                .conflict, "there is nothing to undo", hint: "seek, mark, remove, clear, move and shuffle can be undone"
            )
        }
        if undone.kind == .seek, let episode = undone.episodes.first,
            player.status.entry?.episode == episode.id
        {
            try await player.seek(.absolute(episode.state.position))
        }
        if !undone.kind.isOfQueue { changed(undone.episodes.map(\.id)) }
        return undone
    }
}
