internal import ControlProtocol
internal import Library
internal import LibraryModel
internal import Playlist
internal import PodcastModel

/// Answers `playlists`: the sections of the one list that all clients share.
struct PlaylistsHandler: CommandHandler {
    let decisions: DecisionThread
    let library: LibraryService
    let queue: QueueService

    func answer(_ call: CommandCall) -> CommandAnswer {
        switch call.command(of: PlaylistsCommand.self) {
        case .list?: list()
        case .show?: show(call.parameters)
        case nil: .error(.unknownCommand(call.declaration.name))
        }
    }

    private func list() -> CommandAnswer {
        decisions.answer { [library, queue] in
            try await library.perform { store in
                let sections = PlaylistSections(episodes: store, queue: queue.snapshot)
                return PlaylistListReply(
                    try PlaylistSection.allCases.map { section in
                        PlaylistReply(
                            name: section.rawValue, title: section.title,
                            count: CountReply(try sections.count(section, upTo: countingBound)))
                    })
            }
        }
    }

    private func show(_ parameters: Parameters) -> CommandAnswer {
        let name = parameters.text(required: "name")
        guard let section = PlaylistSection.allCases.first(where: { $0.rawValue == name || $0.title == name }) else {
            let names = PlaylistSection.allCases.map(\.rawValue).joined(separator: ", ")
            return .error(ControlError(.notFound, "no playlist is called \(name)", hint: "there are: \(names)"))
        }
        return decisions.answer { [library, queue] in
            let anchor = try PlaylistAnchor(parameters)
            let limit = parameters.limit
            return try await library.perform { store in
                let sections = PlaylistSections(episodes: store, queue: queue.snapshot)
                let page = try sections.page(section, at: anchor, limit: limit)
                let count = try sections.count(section, upTo: countingBound)
                return PlaylistPageReply(
                    name: section.rawValue, title: section.title, list: EpisodeListReply(page, count: count))
            }
        }
    }
}

extension PlaylistSection {
    /// Its heading for people.
    var title: String {
        switch self {
        case .nowPlaying: "Now playing"
        case .upNext: "Up next"
        case .inProgress: "In progress"
        case .new: "New"
        case .played: "Played"
        }
    }
}
