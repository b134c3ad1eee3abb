internal import ControlProtocol
internal import Library
internal import LibraryModel
internal import Playback
internal import Playlist
internal import PodcastModel

/// Answers `queue`.
struct QueueHandler: CommandHandler {
    let decisions: DecisionThread
    let queue: QueueService
    let library: LibraryService
    let player: Player
    let chooser: PlayChooser

    func answer(_ call: CommandCall) -> CommandAnswer {
        let parameters = call.parameters
        switch call.command(of: QueueCommand.self) {
        case .list?: return list(parameters)
        case .add?:
            let (what, place) = (parameters.texts("what"), parameters.integer("at").map(Int.init))
            return decisions.answer { [queue, chooser] in
                reply(adding: try await queue.add(try await chooser.episodes(for: what), at: place))
            }
        case .insert?:
            let what = parameters.texts("what")
            return decisions.answer { [queue, chooser] in
                reply(adding: try await queue.insertAfterCurrent(try await chooser.episodes(for: what)))
            }
        case .remove?:
            let what = parameters.texts("what")
            return edited { [queue] in
                var ids: [EntryID] = []
                for name in what { ids.append(try await entry(named: name).id) }
                try await queue.remove(ids)
                try await stopIfPlaying(one: Set(ids))
            }
        case .move?:
            let target = Int(parameters.integer(required: "to"))
            let name = parameters.text(required: "from")
            return edited { [queue] in try await queue.move(try await entry(named: name).id, to: target) }
        case .clear?:
            return edited { [queue] in
                // What is refused must not have ended what plays.
                let ids = Set(queue.snapshot.ids)
                try await queue.clear()
                try await stopIfPlaying(one: ids)
            }
        case .shuffle?: return edited { [queue] in try await queue.shuffle() }
        case nil: return .error(.unknownCommand(call.declaration.name))
        }
    }

    private func list(_ parameters: Parameters) -> CommandAnswer {
        decisions.answer { [queue, library] in
            let model = queue.snapshot
            let after = Int(parameters.integer(required: "after"))
            let begin = min(max(after, 0), model.count)
            let shown = model.entries[begin..<min(begin + parameters.limit, model.count)]
            let episodes = try await library.read { try $0.episodes(shown.map(\.episode)) }
            let byID = Dictionary(episodes.map { ($0.id, $0) }) { first, _ in first }
            let entries = shown.enumerated().map { offset, entry in
                EntryReply(
                    id: entry.id, index: begin + offset + 1, isCurrent: entry.id == model.current,
                    episode: byID[entry.episode].map { EpisodeReply(listing: $0) })
            }
            return QueueListReply(
                entries, extent: QueueExtentReply(length: model.count, index: model.currentIndex.map { $0 + 1 }),
                hasAfter: begin + shown.count < model.count)
        }
    }

    private func reply(adding entries: [QueueEntry]) -> QueueAdditionReply {
        QueueAdditionReply(entries.map(\.id), length: queue.extent.length)
    }

    private func edited(_ work: @escaping @Sendable () async throws -> Void) -> CommandAnswer {
        decisions.answer { [queue] in
            try await work()
            return QueueLengthReply(length: queue.extent.length)
        }
    }

    /// An entry by its index from 1, or by what names its episode.
    private func entry(named name: String) async throws -> QueueEntry {
        if let entry = try queue.entry(named: name) { return entry }
        if Int(name) != nil { throw ControlError(.notFound, "the queue has no entry \(name)") }
        let queued = queue.snapshot.entries
        let episodes = try await library.read { try $0.episodes(queued.map(\.episode)) }
        let wanted = name.lowercased()
        let fitting = Set(
            episodes.filter { $0.enclosure.url == name || $0.title.lowercased().contains(wanted) }.map(\.id))
        let found = queued.filter { fitting.contains($0.episode) }
        guard let entry = found.first else {
            throw ControlError(.notFound, "nothing in the queue is called \(name)")
        }
        guard Set(found.map(\.episode)).count == 1 else {
            throw ControlError(
                .invalidArgument, "\(name) fits several entries of the queue", hint: "name one by its index")
        }
        return entry
    }

    /// What is taken out of the queue does not go on playing.
    private func stopIfPlaying(one ids: Set<EntryID>) async throws {
        if let playing = player.status.entry, ids.contains(playing.id) { try await player.stop() }
    }
}
