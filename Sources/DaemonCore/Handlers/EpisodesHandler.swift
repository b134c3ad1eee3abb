internal import ControlProtocol
internal import JSON
internal import Library
internal import LibraryModel
internal import PodcastModel

/// Answers `episodes`.
struct EpisodesHandler: CommandHandler {
    let decisions: DecisionThread
    let library: LibraryService
    let now: @Sendable () -> Timestamp
    /// Told which episodes changed.
    let changed: @Sendable ([EpisodeID]) -> Void

    func answer(_ call: CommandCall) -> CommandAnswer {
        let parameters = call.parameters
        switch call.command(of: EpisodesCommand.self) {
        case .list?: return list(parameters)
        case .show?: return show(parameters.text("episode") ?? "")
        case .mark?:
            let played = parameters.text("as") == "played"
            let now = now()
            return edit(parameters.texts("what")) { try $0.setPlayed(played, $1, at: now) }
        case .star?: return edit(parameters.texts("what")) { try $0.setStarred(true, $1) }
        case .unstar?: return edit(parameters.texts("what")) { try $0.setStarred(false, $1) }
        case .note?:
            let text = parameters.text("text") ?? ""
            return decisions.answer { [library, changed] in
                let what = parameters.text("episode") ?? ""
                let id = try await library.perform { store in
                    let id = try store.resolveEpisode(what).id
                    try store.setNote(text.isEmpty ? nil : text, of: id)
                    return id
                }
                changed([id])
                return ["episode": .integer(id.rawValue)]
            }
        case nil: return .error(.unknownCommand(call.declaration.name))
        }
    }

    private func list(_ parameters: Parameters) -> CommandAnswer {
        decisions.answer { [library] in
            var filter = EpisodeFilter()
            if parameters.flag("unplayed") { filter.isPlayed = false }
            if parameters.flag("starred") { filter.isStarred = true }
            if parameters.flag("downloaded") { filter.isDownloaded = true }
            if parameters.flag("inProgress") { filter.isInProgress = true }
            filter.text = parameters.text("search")
            let order = parameters.text("order") == "oldest" ? EpisodeOrder.oldestFirst : .newestFirst
            let (asked, anchor, limit) = (filter, try PageAnchor(parameters), Int(parameters.integer("limit") ?? 50))
            let feed = parameters.text("feed")
            return try await library.perform { store in
                var filter = asked
                if let feed { filter.feed = try store.resolveFeed(feed).id }
                let page = try store.page(filter, order: order, at: anchor, limit: limit)
                return .object(page.members(count: try store.count(filter, upTo: countingBound)))
            }
        }
    }

    private func show(_ what: String) -> CommandAnswer {
        decisions.answer { [library] in
            try await library.perform { store in
                let episode = try store.resolveEpisode(what)
                let notes = try store.notes(of: episode.id)
                guard case .object(var members) = JSONValue(episode) else { return .null }
                members.append(.init("summary", JSONValue(notes.summary)))
                members.append(.init("content", JSONValue(notes.content)))
                members.append(.init("chapters", .array(notes.chapters.map { JSONValue($0) })))
                return .object(members)
            }
        }
    }

    private func edit(
        _ what: [String], _ apply: @escaping @Sendable (LibraryStore, [EpisodeID]) throws -> Void
    ) -> CommandAnswer {
        decisions.answer { [library, changed] in
            let ids = try await library.perform { store in
                // All names are understood before anything changes.
                let ids = try what.map { try store.resolveEpisode($0).id }
                try apply(store, ids)
                return ids
            }
            changed(ids)
            return ["episodes": .array(ids.map { .integer($0.rawValue) })]
        }
    }
}

/// How far a list that nobody keeps a counter for is counted before `countIsExact` says no.
let countingBound = 10_000

extension PageAnchor {
    /// The anchor of a list command's `after` and `before`.
    init(_ parameters: Parameters) throws(ControlError) {
        switch (parameters.text("after"), parameters.text("before")) {
        case (let key?, nil): self = .after(try EpisodeKey(wireText: key))
        case (nil, let key?): self = .before(try EpisodeKey(wireText: key))
        case (nil, nil): self = .first
        case (.some, .some):
            throw ControlError(.invalidArgument, "a page stands after one row or before one, not both")
        }
    }
}

extension EpisodePage {
    /// The members that every list of episodes answers with.
    func members(count: RowCount) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("episodes", .array(episodes.map { JSONValue($0) })),
            .init("hasBefore", .bool(hasBefore)), .init("hasAfter", .bool(hasAfter)),
        ]
        switch count {
        case .exactly(let number):
            members += [.init("count", JSONValue(number)), .init("countIsExact", true)]
        case .atLeast(let number):
            members += [.init("count", JSONValue(number)), .init("countIsExact", false)]
        }
        return members
    }
}
