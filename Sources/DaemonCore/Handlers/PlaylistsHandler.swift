internal import ControlProtocol
internal import JSON
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
                let rows = try PlaylistSection.allCases.map { section -> JSONValue in
                    let (number, isExact) =
                        switch try sections.count(section, upTo: countingBound) {
                        case .exactly(let number): (number, true)
                        case .atLeast(let number): (number, false)
                        }
                    return [
                        "name": .string(section.rawValue), "title": .string(section.title), "count": JSONValue(number),
                        "countIsExact": .bool(isExact),
                    ]
                }
                return ["playlists": .array(rows)]
            }
        }
    }

    private func show(_ parameters: Parameters) -> CommandAnswer {
        let name = parameters.text("name") ?? ""
        guard let section = PlaylistSection.allCases.first(where: { $0.rawValue == name || $0.title == name }) else {
            let names = PlaylistSection.allCases.map(\.rawValue).joined(separator: ", ")
            return .error(ControlError(.notFound, "no playlist is called \(name)", hint: "there are: \(names)"))
        }
        return decisions.answer { [library, queue] in
            let anchor = try PlaylistAnchor(parameters)
            let limit = Int(parameters.integer("limit") ?? 50)
            return try await library.perform { store in
                let sections = PlaylistSections(episodes: store, queue: queue.snapshot)
                let page = try sections.page(section, at: anchor, limit: limit)
                var listed = EpisodePage(
                    episodes: page.rows.map(\.episode), hasBefore: page.hasBefore, hasAfter: page.hasAfter
                ).members(count: try sections.count(section, upTo: countingBound))
                if section.isQueue {
                    // Rows of the queue have the entry's key: an episode may stand there twice.
                    listed[0].value = .array(
                        page.rows.map { row in
                            guard case .object(var members) = JSONValue(row.episode) else { return .null }
                            members.removeAll { $0.name == "key" }
                            return .object(members + [.init("key", .string(row.key.wireText))])
                        })
                }
                return .object(
                    [.init("name", .string(section.rawValue)), .init("title", .string(section.title))] + listed)
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

extension PlaylistKey {
    /// The key as clients hand it back; opaque to them.
    var wireText: String {
        switch self {
        case .entry(let id): "e\(id)"
        case .episode(let key): key.wireText
        }
    }

    fileprivate init(wireText: String) throws(ControlError) {
        if wireText.hasPrefix("e"), let id = Int64(wireText.dropFirst()) {
            self = .entry(EntryID(id))
        } else {
            self = .episode(try EpisodeKey(wireText: wireText))
        }
    }
}

extension PlaylistAnchor {
    fileprivate init(_ parameters: Parameters) throws(ControlError) {
        if let key = parameters.text("after") {
            self = .after(try PlaylistKey(wireText: key))
        } else if let key = parameters.text("before") {
            self = .before(try PlaylistKey(wireText: key))
        } else {
            self = .first
        }
    }
}
