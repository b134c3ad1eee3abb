internal import AudioOutput
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import Library
internal import Playback
internal import PodcastModel
internal import Queueing
internal import Reporting

/// The daemon's status for clients, from snapshots of its parts. Any thread; nothing here blocks.
extension DaemonParts: StatusSource {
    func value(of part: StatusPart) -> JSONValue {
        switch part {
        case .player: playerReply.json
        case .queue: queue.extent.json
        case .activities: activities.snapshot.json
        case .outputs: media.outputs.states.json
        case .feeds, .episodes, .settings, .playlists, .rules, .downloads: .null
        }
    }

    func update(of part: StatusPart, since revision: UInt64) -> PartUpdate {
        if part.isJournaled { return changes.update(of: part, since: revision) }
        guard part == .queue else { return PartUpdate(value: value(of: part)) }
        let update = queue.update(since: revision)
        // An entry that undo brought back is inserted twice.
        let episodes = Dictionary(update.inserted.map { ($0.id, $0.episode) }) { $1 }
        return PartUpdate(
            value: update.extent.json, revision: update.extent.revision,
            changes: update.changes?.map { RowChange($0) { episodes[$0] } })
    }

    var status: StatusReply {
        StatusReply {
            ($0.player, $0.queue, $0.outputs, $0.activities) = (
                playerReply, queue.extent, media.outputs.states, activities.snapshot
            )
        }
    }

    private var playerReply: PlayerReply {
        var reply = PlayerReply(current.status)
        reply.upcoming = upcoming.value
        return reply
    }
}

extension RowChange {
    /// A change of the queue. `episode` knows the episodes of entries.
    fileprivate init(_ change: ViewChange<EntryID>, episode: (EntryID) -> EpisodeID?) {
        switch change {
        case .insert(let id, let index):
            self.init(.insert, id.rawValue, episode: episode(id), index: index + 1)
        case .delete(let id, let index): self.init(.delete, id.rawValue, index: index + 1)
        case .move(let id, let from, let index): self.init(.move, id.rawValue, index: index + 1, from: from + 1)
        case .update(let id, let index): self.init(.update, id.rawValue, index: index + 1)
        }
    }
}
