internal import FeedFiles
internal import Library
internal import PodcastModel
internal import Reporting
internal import SerialThreads
internal import SystemCalls

/// The runners of podcast-refresh, separated so that slow runs of one kind do not delay another kind.
struct RefreshPrograms: Sendable {
    /// Refreshes, imports and exports.
    let refresher: RefreshRunners
    /// Directory searches and other runs that a refresh must not delay.
    let searcher: RefreshRunner
    let texts: EpisodeTextService
    let transfers: DocumentTransfers
    let pictures: PictureService
    private let textRunner: RefreshRunner
    private let pictureRunner: RefreshRunner

    /// Starts nothing yet. See `EpisodeTextService` for the parameters.
    /// - Throws: if the process has no descriptors left.
    init(
        executable: String, location: RefreshLocation, library: any LibraryAccess, decisions: DecisionThread,
        logger: Logger, pictures: PictureCache, pictureDecoder: PictureDecoder,
        now: @escaping @Sendable () -> Timestamp,
        episodesChanged: @escaping @Sendable ([EpisodeID]) -> Void
    ) throws(SystemError) {
        refresher = try RefreshRunners(executable: executable, location: location, logger: logger)
        searcher = try RefreshRunner(
            executable: executable, location: location, logger: logger, worker: WorkerThread(name: .search))
        let textRunner = try RefreshRunner(
            executable: executable, location: location, logger: logger, worker: WorkerThread(name: .texts))
        self.textRunner = textRunner
        texts = EpisodeTextService(
            decisions: decisions, library: library, now: now,
            run: { episode in
                let outcome = try await textRunner.run(["texts"], on: [episode.description])
                return outcome.status == 0 ? nil : outcome.complaint
            }, episodesChanged: episodesChanged)
        let pictureWorker = WorkerThread(name: .pictures)
        pictureRunner = try RefreshRunner(
            executable: executable, location: location, logger: logger, worker: pictureWorker)
        self.pictures = PictureService(
            cache: pictures, fetcher: pictureRunner, decoder: pictureDecoder, worker: pictureWorker, now: now)
        transfers = DocumentTransfers(folder: location.dataFolder)
    }

    /// Asks all runs to end, so that their exit grace periods run at the same time.
    func interrupt() {
        refresher.interrupt()
        for runner in [searcher, textRunner, pictureRunner] { runner.interrupt() }
    }

    /// Waits for runs that have not ended.
    func close() {
        refresher.close()
        for runner in [searcher, textRunner, pictureRunner] { runner.close() }
        transfers.close()
    }
}

/// A run of podcast-refresh that did not produce a picture.
struct PictureFailure: Error {
    let outcome: RefreshOutcome
}

extension RefreshRunner: PictureFetching {
    func fetchPicture(of label: String, _ form: PictureForm) async throws -> [UInt8] {
        let document = try UnlinkedDocument(in: location.dataFolder)
        let options = ["--size", "\(form.side)", "--encoding", form.format.rawValue, "--quiet"]
        let outcome = try await run(["picture"] + options, on: [label], into: document)
        guard outcome.status == 0 else { throw PictureFailure(outcome: outcome) }
        return try StoredFile.read(document.descriptor.raw, at: 0, count: Self.largestPicture)
    }

    private static let largestPicture = 2 << 20
}
