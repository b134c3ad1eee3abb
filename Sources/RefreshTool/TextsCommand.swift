internal import CommandLineTool
internal import JSON
internal import Library
internal import PodcastModel
internal import Reporting

extension CommandRun {
    /// `podcast-refresh texts EPISODE…`: chapters and transcripts that the feed links to.
    func fetchTexts() throws(ToolFailure) -> ExitStatus {
        let session = try openLibrary(mayCreate: false)
        let episodes = try session.perform { (store) throws(LibraryError) in
            try arguments.texts(RefreshDeclaration.episodes).map { (name) throws(LibraryError) in
                try store.episodes.resolveEpisode(name)
            }
        }
        let progress = try progress()
        let transport = try makeTransport()
        var status = ExitStatus.success
        var rows: [JSONValue] = []
        for episode in episodes {
            let activity = board.begin(.loading, "Loading chapters and transcript", subject: episode.title)
            defer { activity.end() }
            let fetcher = TextFetcher(
                episode: episode.id, session: session, transport: transport,
                access: session.access(toURLsOf: episode.feed), clock: clock, isForced: isForced, tick: progress.tick)
            let reports = try fetcher.fetchAll(languages: languages)
            if reports.contains(where: \.isStored) { progress.add(.changed(episode.feed, changed: [episode.id])) }
            rows.append(
                .object([.init("id", .integer(episode.id.rawValue))] + reports.map { .init($0.name, $0.json) }))
            if let failure = reports.lazy.compactMap(\.failure).first {
                tell("\(episode.title): \(failure.message)")
                status = failure.status
            }
            if !isJSON, !isQuiet {
                try print(["\(episode.title): \(reports.map(\.description).joined(separator: ", "))"])
            }
        }
        progress.finish()
        if isJSON { try output.line(JSONValue.object([.init("episodes", .array(rows))]).text) }
        return status
    }

    /// The user's languages: locale(7).
    private var languages: [String] {
        let named = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment.variable).first
        return named.map { ["C", "POSIX"].contains($0.prefix { $0 != "." }) ? [] : [$0] } ?? []
    }
}
