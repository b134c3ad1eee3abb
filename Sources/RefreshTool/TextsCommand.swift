internal import CommandLineTool
internal import FeedRefresh
internal import JSON
internal import LibraryModel
internal import PodcastModel
internal import Reporting

extension RefreshCommands {
    /// `podcast-refresh texts EPISODE…`: chapters and transcripts that the feed names and does not hold.
    func texts(_ arguments: ParsedArguments, _ output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        let settings = try readSettings(arguments)
        let session = try LibrarySession(settings.folder, mayCreate: false, variable: environment.variable)
        let names = arguments.texts(RefreshDeclaration.episodes)
        let episodes = try session.perform { (store) throws(LibraryError) in
            var episodes: [Episode] = []
            for name in names { episodes.append(try store.episodes.resolveEpisode(name)) }
            return episodes
        }
        let board = makeBoard()
        let watchers = Watchers(environment, board: board, arguments, settings)
        let transport = try makeTransport(settings)
        var status = ExitStatus.success
        var rows: [JSONValue] = []
        for episode in episodes {
            let activity = board.begin(.loading, "Loading chapters and transcript", subject: episode.title)
            defer { activity.end() }
            let fetcher = TextFetcher(
                episode: episode.id, session: session, transport: transport,
                access: session.access(toWhatIsNamedBy: episode.feed), clock: environment.clock,
                isForced: arguments.isSet(RefreshDeclaration.force), tick: watchers.tick)
            let outcomes = try fetcher.fetchAll(languages: languages)
            if outcomes.contains(where: \.isStored) { watchers.note(.changed(episode.feed, changed: [episode.id])) }
            rows.append(row(episode, outcomes))
            if let failure = outcomes.lazy.compactMap(\.failure).first {
                tell("\(episode.title): \(failure.what)")
                status = failure.status
            }
            if !arguments.isSet(RefreshDeclaration.json), !arguments.isSet(RefreshDeclaration.quiet) {
                try output.line("\(SafeText.line(episode.title)): \(outcomes.map(\.words).joined(separator: ", "))")
            }
        }
        watchers.finish()
        if arguments.isSet(RefreshDeclaration.json) {
            let document: JSONValue = ["episodes": .array(rows)]
            try output.line(document.text)
        }
        return status
    }

    /// The listener's languages: locale(7).
    private var languages: [String] {
        let named = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment.variable($0) }.first
        return named.map { ["C", "POSIX"].contains($0.prefix { $0 != "." }) ? [] : [$0] } ?? []
    }

    private func row(_ episode: Episode, _ outcomes: [TextFetcher.Report]) -> JSONValue {
        .object([.init("id", .integer(episode.id.rawValue))] + outcomes.map { .init($0.name, $0.json) })
    }
}
