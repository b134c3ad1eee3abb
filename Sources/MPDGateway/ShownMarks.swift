internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// Tells which changes of episodes are news for `idle sticker`: marks are, but not the position of the playing episode, which
/// the daemon stores again and again. It belongs to the server's thread.
final class ShownMarks {
    /// The marks of the episodes that play and played before; nil until they are read.
    private var known: [EpisodeID: [String?]?] = [:]
    private var playing: EpisodeID?

    func plays(_ episode: EpisodeID, of service: MPDService) {
        if episode == playing { return }
        known = known.filter { $0.key == playing }
        playing = episode
        known[episode] = .some(nil)
        read(episode, of: service)
    }

    func take(_ change: EventReply, of service: MPDService) {
        let changed = change.changes.filter { $0.kind == .update }.map { $0.id.map { EpisodeID($0) } }
        if change.needsReload == true || changed.contains(where: { $0.map { known[$0] == nil } ?? true }) {
            return service.tell(.sticker)
        }
        for episode in Set(changed.compactMap(\.self)) { read(episode, of: service) }
    }

    private func read(_ episode: EpisodeID, of service: MPDService) {
        service.read(ShowEpisode { $0.episode = episode.label }) { [weak self, weak service] reply in
            guard let self, let service, let reply, let before = known[episode] else { return }
            let marks = Sticker.marks.map { $0.value(of: reply.episode.episode) }
            known[episode] = .some(marks)
            if let before, before != marks { service.tell(.sticker) }
        }
    }
}
