internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// The entries of the queue, in their order.
extension ScreenMaker {
    var queue: ListScreen {
        let section = RowSection(context.isWide ? .columns : .media, { context.model.entries }) { entry, row in
            guard let episode = entry.episode?.episode else { return row.title = "…" }
            row.show(episode, context, showsFeed: true)
            row.isCurrent = entry.isCurrent
        }
        section.id = { $0.id.rawValue }
        section.subject = { $0.episode.map { .episode($0.episode) } }
        // By the episode, not by the index, which may have changed meanwhile.
        let name = { (entry: EntryReply) in entry.episode?.episode.id.label ?? "#\(entry.index)" }
        section.onSelect = { entry in context.run(Play { $0.what = name(entry) }) }
        section.onDelete = { entry in
            context.run(RemoveFromQueue { $0.what = [name(entry)] }) { reply in
                context.promise("removed \(reply.entries.first?.title ?? "the entry")")
            }
        }
        section.onMove = { from, to in
            context.run(
                MoveInQueue {
                    $0.from = "#\(from + 1)"
                    $0.to = to + 1
                })
        }
        section.footing = {
            context.model.player.state(at: context.now()).queueRemaining.text.map { "\($0) left" }
        }
        let screen = ListScreen(
            context, title: { "Queue (\(context.model.queue.length))" }, [section],
            keys: [("open", "play"), ("carry", "move"), ("delete", "remove")],
            empty: context.firstSteps ?? "The queue is empty. Press 4 for episodes, and 'a' to queue one.",
            parts: [.queue, .player], load: { [reader] in reader.want(.queue) })
        reader.onEpisodes.append { [weak screen, weak reader, context] change in
            guard let screen, let reader else { return false }
            if let changed = change.updatedEpisodes {
                if !changed.filter({ context.model.apply($0) }).isEmpty { screen.reload() }
            } else {
                reader.want(.queue)
            }
            return true
        }
        return screen
    }
}
