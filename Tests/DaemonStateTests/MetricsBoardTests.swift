import ControlLanguage
import ControlProtocol
import DaemonState
import Playback
import PodcastModel
import Reporting
import TestSupport
import Testing

@Suite struct MetricsBoardTests {
    private let logger = Logger(levels: LogLevels(.error), to: .ofProcess(identifier: "test", variable: { _ in nil }))

    private func board(
        _ refreshes: RefreshTally? = nil, commands: CommandTimes = CommandTimes(), parts: PartReadings = PartReadings()
    ) -> MetricsBoard {
        MetricsBoard(
            playerWatch: PlayerWatch(logger: logger), decoders: MeteredDecoders(NoDecoders(), logger: logger),
            refreshes: refreshes ?? RefreshTally(logger: logger), commands: [(section: "queue", times: commands)],
            commits: DurationHistogram(), version: "1.2", startTime: Timestamp(seconds: 100), parts: { parts })
    }

    private func samples(_ metric: Metric, of board: MetricsBoard) throws -> [MetricSampleReply] {
        let name = metric.declaration.name
        return try #require(board.replies.first { $0.name == name }).samples
    }

    @Test func everyDeclaredMetricIsReported() {
        expectEqual(board().replies.map(\.name), Metric.allCases.map(\.declaration.name))
    }

    @Test func figuresOfThePartsBecomeSamples() throws {
        var parts = PartReadings()
        parts.underruns = 3
        parts.cache.partial = 2
        parts.waitingJobs = [("decisions", 4), ("library", 5)]
        parts.connections.droppedEvents = 6
        let board = board(parts: parts)
        try expectEqual(samples(.underruns, of: board).map(\.value), [3])
        try expectEqual(samples(.cacheOpens, of: board).map(\.value), [0, 2, 0])
        try expectEqual(samples(.waitingJobs, of: board).map(\.value), [4, 5])
        try expectEqual(samples(.droppedEvents, of: board).map(\.value), [6])
        try expectEqual(samples(.startTime, of: board).map(\.value), [100])
        expectEqual(board.figures.waitingJobs, 9)
    }

    @Test func refreshesAreSummedUpAndCannotOverflow() {
        let tally = RefreshTally(logger: logger)
        tally.add(.init(changed: 2, unchanged: 5, failed: 1, newEpisodes: 9))
        tally.add(.init(changed: 1, unchanged: 0, failed: 0, newEpisodes: 1))
        expectEqual(tally.totals, .init(runs: 2, changed: 3, unchanged: 5, failed: 1, newEpisodes: 10))
        expectEqual(board(tally).figures.refreshedFeeds, 9)
        tally.add(.init(changed: .max, unchanged: .max, failed: .max, newEpisodes: .max))
        expectEqual(tally.totals.runs, 3)
    }

    @Test func commandsAreCountedBySectionWithTheirFailures() throws {
        let commands = CommandTimes()
        commands.answered(after: .nanoseconds(200_000_000), isFailure: true)
        commands.answered(after: .nanoseconds(1_000), isFailure: false)
        let board = board(commands: commands)
        try expectEqual(samples(.commandFailures, of: board).map(\.value), [1])
        try expectEqual(samples(.commandTime, of: board).first { $0.suffix == "_count" }?.value, 2)
        expectEqual(board.figures.commands, 2)
        expectEqual(board.figures.slowCommands, 1)
    }
}
