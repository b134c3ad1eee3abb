internal import Activity
internal import CommandLineTool
internal import FeedRefresh
internal import LibraryModel
internal import PodcastModel

/// The receivers of progress: the terminal, and the daemon if it runs.
final class Watchers {
    private let clock: any RefreshClock
    private let line: ProgressLine
    private let mirror: DaemonMirror?

    init(
        _ environment: RefreshEnvironment, board: ActivityBoard, _ arguments: ParsedArguments,
        _ settings: RefreshSettings
    ) {
        clock = environment.clock
        line = ProgressLine(
            board: board, output: environment.errors, terminal: environment.errorTerminal,
            isQuiet: arguments.isSet(RefreshDeclaration.quiet) || arguments.isSet(RefreshDeclaration.json))
        mirror = DaemonLink(
            option: arguments.text(RefreshDeclaration.socket),
            library: settings.folder, variable: environment.variable
        ).map { DaemonMirror(board: board, connection: $0) }
    }

    /// Called often while the work continues.
    func tick() {
        let now = clock.now
        line.tick(now)
        mirror?.tick(now)
    }

    /// A feed is in the library.
    func note(_ report: FeedReport) {
        switch report.outcome {
        case .merged(let merge):
            guard !merge.added.isEmpty || !merge.changed.isEmpty || report.isHealthChanged else { break }
            note(report.target.id, episodes: merge.added + merge.changed)
        case .failed, .unchanged:
            if report.isHealthChanged { note(report.target.id, episodes: []) }
        case .postponed: break
        }
    }

    /// Rows of a feed changed.
    func note(_ feed: FeedID, episodes: [EpisodeID]) {
        line.clear()
        mirror?.note(feed, episodes: episodes)
    }

    /// Makes room for other output on the terminal.
    func clear() { line.clear() }

    /// The work is done; `summary` is how a refresh ended.
    func finish(_ summary: RefreshSummary? = nil) {
        line.clear()
        mirror?.finish(summary)
    }
}
