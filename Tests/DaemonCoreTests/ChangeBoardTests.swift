import ControlLanguage
import JSON
import PodcastModel
import Synchronization
import TestSupport
import Testing

@testable import DaemonCore

@Suite struct ChangeBoardTests {
    /// A board whose rows are their ids, and what the board reported.
    private final class Watched: Sendable {
        let board = ChangeBoard()
        let reported = Mutex<[StatusPart]>([])
        let asked = Mutex<[[Int64]]>([])

        init() {
            board.connect(readRows: { [weak self] _, ids, done in
                self?.asked.withLock { $0.append(ids) }
                done(Dictionary(uniqueKeysWithValues: ids.map { ($0, ["id": .integer($0)]) }))
            }) { [weak self] part in self?.reported.withLock { $0.append(part) } }
        }
    }

    @Test func anUpdateOfFewEpisodesCarriesTheirRowsAndWhatChanged() {
        let watched = Watched()
        watched.board.episodesChanged([EpisodeID(3), EpisodeID(4)], .mark)
        watched.board.episodesChanged([EpisodeID(4)], .position)
        let update = watched.board.update(of: .episodes, since: 0)
        expectEqual(update.revision, 2)
        expectEqual(update.changes?.map(\.id), [3, 4])
        expectEqual(update.changes?.map(\.aspects), [[.mark], [.mark, .position]])
        expectEqual(update.changes?.map(\.row), [["id": 3], ["id": 4]])
        expectEqual(watched.reported.withLock { $0 }, [.episodes, .episodes])
    }

    @Test func manyRowsAreNeitherReadNorCarried() {
        let watched = Watched()
        watched.board.episodesChanged([EpisodeID(1)], .mark)
        watched.board.episodesChanged((1...21).map { EpisodeID($0) }, .content)
        expectEqual(watched.asked.withLock { $0 }, [[1]])
        expectEqual(watched.board.update(of: .episodes, since: 0).changes?.compactMap(\.row), [])
        // What was read before is older than the change.
        expectEqual(watched.board.update(of: .episodes, since: 1).changes?.compactMap(\.row), [])
    }

    @Test func rowsThatWereReadBeforeALargeChangeAreNotCarried() {
        let board = ChangeBoard()
        let reads = Mutex<[@Sendable () -> Void]>([])
        board.connect(readRows: { _, ids, done in
            reads.withLock { $0.append { done([ids[0]: ["id": .integer(ids[0])]]) } }
        }) { _ in }
        board.episodesChanged([EpisodeID(1)], .mark)
        board.episodesChanged((1...21).map { EpisodeID($0) }, .content)
        board.episodesChanged([EpisodeID(2)], .mark)
        for read in reads.withLock({ $0 }) { read() }
        expectEqual(board.update(of: .episodes, since: 1).changes?.map(\.row), [nil, ["id": 2]])
    }

    @Test func partsWithoutSuchRowsReportTheirChangesAtOnce() {
        let watched = Watched()
        watched.board.changed(.rules, [RowChange(.update, 1)])
        watched.board.changed(.feeds, [RowChange(.delete, 1)])
        expectEqual(watched.asked.withLock { $0 }, [])
        expectEqual(watched.reported.withLock { $0 }, [.rules, .feeds])
    }
}
