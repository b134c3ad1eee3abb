internal import ChildProcess
internal import Configuration
internal import Diagnostics
internal import Library
internal import PodcastModel
internal import SystemCalls

/// The runs of podcast-refresh, by what must not wait for each other.
struct RefreshPrograms: Sendable {
    /// Feeds.
    let refresher: RefreshRunner
    /// Directories, and whatever else a refresh must not hold up.
    let searcher: RefreshRunner
    /// Chapters and transcripts.
    let texts: EpisodeTextService
    /// Documents on their way to or from a run.
    let transfers: DocumentTransfers

    /// Starts nothing yet.
    /// - Throws: when the process has no descriptors left.
    init(
        executable: String?, places: Places, library: LibraryService, decisions: DecisionThread,
        now: @escaping @Sendable () -> Timestamp, changes: ChangeBoard, logger: Logger
    ) throws {
        let executable = try executable ?? Launch.sibling("podcast-refresh")
        refresher = try RefreshRunner(executable: executable, places: places, logger: logger)
        searcher = try RefreshRunner(
            executable: executable, places: places, logger: logger, worker: WorkerThread(name: "search"))
        texts = EpisodeTextService(
            decisions: decisions, library: library,
            runner: try RefreshRunner(
                executable: executable, places: places, logger: logger, worker: WorkerThread(name: "texts")),
            now: now, changes: changes)
        transfers = DocumentTransfers(folder: places.data.path)
    }

    /// Asks all runs to end, so that their graces pass at the same time.
    func interrupt() {
        refresher.interrupt()
        searcher.interrupt()
        texts.interrupt()
    }

    /// Waits for what is still running.
    func close() {
        refresher.close()
        searcher.close()
        texts.close()
        transfers.close()
    }
}
