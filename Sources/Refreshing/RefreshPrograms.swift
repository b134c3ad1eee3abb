public import FeedFiles
public import PodcastModel
public import Reporting
public import SerialThreads
public import SystemCalls

/// The runners of podcast-refresh, by what must not wait for each other.
public struct RefreshPrograms<Connection: Hashable & Sendable>: Sendable {
    /// Feeds, documents to import and export.
    public let refresher: RefreshRunners
    /// Directories, and whatever else a refresh must not delay.
    public let searcher: RefreshRunner
    public let texts: EpisodeTextService
    /// Documents on their way to or from a run.
    public let transfers: DocumentTransfers<Connection>
    /// Small copies of covers.
    public let pictures: PictureService
    private let textRunner: RefreshRunner
    private let pictureRunner: RefreshRunner

    /// Starts nothing yet; see `EpisodeTextService` for the parameters.
    /// - Throws: when the process has no descriptors left.
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

    /// Asks all runs to end, so that their exit graces pass at the same time.
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
