public import FeedFiles
public import PodcastModel
public import Reporting
public import SerialThreads
public import SystemCalls

/// The runners of podcast-refresh, separated so that slow runs of one kind do not delay another kind.
public struct RefreshPrograms<Connection: Hashable & Sendable>: Sendable {
    /// Refreshes, imports and exports.
    public let refresher: RefreshRunners
    /// Directory searches and other runs that a refresh must not delay.
    public let searcher: RefreshRunner
    public let texts: EpisodeTextService
    public let transfers: DocumentTransfers<Connection>
    public let pictures: PictureService
    private let textRunner: RefreshRunner
    private let pictureRunner: RefreshRunner

    /// Starts nothing yet. See `EpisodeTextService` for the parameters.
    /// - Throws: if the process has no descriptors left.
    public init(
        executable: String, location: RefreshLocation, library: any EpisodeTextLibrary, decisions: DecisionThread,
        logger: Logger, pictures: PictureCache, pictureDecoder: PictureDecoder,
        now: @escaping @Sendable () -> Timestamp,
        episodesChanged: @escaping @Sendable ([EpisodeID]) -> Void
    ) throws(SystemError) {
        refresher = try RefreshRunners(executable: executable, location: location, logger: logger)
        searcher = try RefreshRunner(
            executable: executable, location: location, logger: logger, worker: WorkerThread(name: .search))
        textRunner = try RefreshRunner(
            executable: executable, location: location, logger: logger, worker: WorkerThread(name: .texts))
        texts = EpisodeTextService(
            decisions: decisions, library: library, fetcher: textRunner, episodesChanged: episodesChanged)
        let pictureWorker = WorkerThread(name: .pictures)
        pictureRunner = try RefreshRunner(
            executable: executable, location: location, logger: logger, worker: pictureWorker)
        self.pictures = PictureService(
            cache: pictures, fetcher: pictureRunner, decoder: pictureDecoder, worker: pictureWorker, now: now)
        transfers = DocumentTransfers(folder: location.dataFolder)
    }

    /// Asks all runs to end, so that their exit grace periods run at the same time.
    public func interrupt() {
        refresher.interrupt()
        for runner in [searcher, textRunner, pictureRunner] { runner.interrupt() }
    }

    /// Waits for runs that have not ended.
    public func close() {
        refresher.close()
        for runner in [searcher, textRunner, pictureRunner] { runner.close() }
        transfers.close()
    }
}
