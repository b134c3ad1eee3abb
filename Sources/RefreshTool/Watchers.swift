internal import Activity
internal import CommandLineTool
internal import FeedRefresh
internal import PodcastModel

/// Everybody who is told how the work goes on: the terminal, and the daemon if it runs.
final class Watchers {
    private let clock: any RefreshClock
    private let line: ProgressLine

    init(_ environment: RefreshEnvironment, board: ActivityBoard, _ arguments: ParsedArguments) {
        clock = environment.clock
        line = ProgressLine(
            board: board, output: environment.errors, terminal: environment.errorTerminal,
            isQuiet: arguments.isSet(RefreshDeclaration.quiet) || arguments.isSet(RefreshDeclaration.json))
    }

    /// Called often while the work goes on.
    func tick() { line.tick(clock.monotonicMilliseconds) }

    /// A feed is in the library.
    func note(_ report: FeedReport) {
        line.clear()
    }

    /// The work is done.
    func finish() { line.clear() }
}
