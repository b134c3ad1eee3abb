internal import CommandLineTool
internal import FeedRefresh
internal import LibraryModel
internal import PodcastModel
internal import Reporting

/// The receivers of progress: the terminal, and the daemon if it runs.
final class Watchers {
    private let clock: any RefreshClock
    private let line: ProgressLine
    private let reporter: ProgressReporter?

    init(
        _ environment: RefreshEnvironment, board: ActivityBoard, _ arguments: ParsedArguments,
        _ settings: RefreshSettings
    ) {
        clock = environment.clock
        line = ProgressLine(
            board: board, output: environment.errors, terminal: environment.errorTerminal,
            isQuiet: arguments.isSet(RefreshDeclaration.quiet) || arguments.isSet(RefreshDeclaration.json))
        reporter = DaemonLink(
            option: arguments.text(RefreshDeclaration.socket),
            library: settings.folder, variable: environment.variable
        ).map { ProgressReporter(board: board, connection: $0) }
    }

    /// Called often while the work continues.
    func tick() {
        let now = clock.now
        line.tick(now)
        reporter?.tick(now)
    }

    /// A feed was refreshed.
    func note(_ report: FeedReport) {
        let feed = report.target.id
        if case .joined(let other, _)? = report.move { return note(.joined(feed, into: other.id)) }
        switch report.outcome {
        case .merged(let merge):
            guard !merge.added.isEmpty || !merge.changed.isEmpty || report.isHealthChanged else { break }
            note(.changed(feed, added: merge.added, changed: merge.changed))
        case .failed, .unchanged:
            if report.isHealthChanged { note(.changed(feed)) }
        case .postponed: break
        }
    }

    /// The library has changed.
    func note(_ changes: LibraryChanges) {
        line.clear()
        reporter?.note(changes)
    }

    /// Makes room for other output on the terminal.
    func clear() { line.clear() }

    /// The work is done; `summary` is how a refresh ended.
    func finish(_ summary: RefreshSummary? = nil) {
        line.clear()
        reporter?.finish(summary)
    }
}
