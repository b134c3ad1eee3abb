internal import ControlLanguage
internal import Library
internal import PodcastModel
internal import Reporting
internal import SerialThreads
internal import SystemCalls

/// The runners of podcast-refresh, separated so that slow runs of one kind do not delay another kind.
struct RefreshPrograms {
    /// Refreshes, imports and exports.
    let refresher: RefreshRunner
    /// Directory searches and other runs that a refresh must not delay.
    let searcher: RefreshRunner
    let addresses: AddressRenewal
    let texts: EpisodeTextService
    let transfers: DocumentTransfers
    let pictures: PictureService
    private let runners: [RefreshRunner]

    /// Starts nothing yet. See `EpisodeTextService` for the parameters.
    init(
        executable: String, location: RefreshLocation, library: any LibraryAccess, decisions: DecisionThread,
        logger: Logger, pictures: PictureCache, pictureDecoder: PictureDecoder,
        now: @escaping @Sendable () -> Timestamp, episodesChanged: @escaping @Sendable ([EpisodeID]) -> Void
    ) {
        func runner(_ thread: ThreadName, lanes: Int = 1) -> RefreshRunner {
            RefreshRunner(
                executable: executable, location: location, logger: logger,
                lanes: (0..<lanes).map { _ in WorkerThread(name: thread) })
        }
        let textRunner = runner(.texts)
        let pictureRunner = runner(.pictures)
        refresher = runner(.refresh, lanes: 4)
        searcher = runner(.search)
        runners = [refresher, searcher, textRunner, pictureRunner]
        addresses = AddressRenewal(decisions: decisions, library: library) { [searcher] in
            _ = try await searcher.run([], on: [$0.description])
        }
        texts = EpisodeTextService(
            decisions: decisions, library: library, now: now,
            run: { episode in
                let outcome = try await textRunner.run(["texts"], on: [episode.description])
                return outcome.status == 0 ? nil : outcome.complaint
            }, episodesChanged: episodesChanged)
        self.pictures = PictureService(cache: pictures, decoder: pictureDecoder, now: now) { label, form in
            let document = try UnlinkedDocument()
            let options = ["--size", "\(form.side)", "--encoding", form.format.rawValue, "--quiet"]
            let outcome = try await pictureRunner.run(["picture"] + options, on: [label], into: document)
            guard outcome.status == 0 else { throw ControlError(outcome) }
            return try StoredFile.read(document.descriptor.raw, at: 0, count: PictureService.largestPicture)
        }
        transfers = DocumentTransfers(folder: location.dataFolder)
    }

    /// Asks all runs to end, so that their exit grace periods run at the same time.
    func interrupt() { for runner in runners { runner.interrupt() } }

    /// Waits for runs that have not ended.
    func close() {
        for runner in runners { runner.close() }
        pictures.close()
        transfers.close()
    }
}
