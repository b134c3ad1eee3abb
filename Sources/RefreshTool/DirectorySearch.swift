internal import FeedDocuments
internal import FeedRefresh
internal import JSON
internal import PodcastModel

/// Searches directories in parallel, with a time limit.
final class DirectorySearch: FeedTransferReceiver {
    /// What a directory answered.
    enum Outcome {
        case shows([FoundShow])
        case failed(String)
    }

    /// Directories without an answer by then are skipped.
    private static let patience = Duration.seconds(20)
    private static let answerBytes = 4 << 20

    private let directories: [Directory]
    private var bodies: [Int: [UInt8]] = [:]
    private var statuses: [Int: Int] = [:]
    private var outcomes: [Int: Outcome] = [:]

    /// A search of these directories.
    init(_ directories: [Directory]) { self.directories = directories }

    /// Asks for some words.
    ///
    /// - Returns: what came of each directory, in the order in which they were named.
    func run(
        _ words: String, limit: Int, over transport: any FeedTransport, _ settings: DirectorySettings,
        clock: any RefreshClock, tick: () -> Void
    ) -> [(directory: Directory, outcome: Outcome)] {
        for (number, directory) in directories.enumerated() {
            var request = FeedRequest(
                url: directory.search(for: words, at: settings.address(of: directory), limit: limit))
            if directory == .podcastIndex, let key = settings.key {
                request.fields = key.fields(at: clock.wallTime.seconds).map { HeaderField($0.name, $0.value) }
            }
            transport.start(request, as: number, receiver: self)
        }
        let end = clock.now + Self.patience
        while outcomes.count < directories.count {
            let left = end - clock.now
            if left <= .zero { break }
            transport.run(waiting: min(left, .milliseconds(250)))
            tick()
        }
        for number in directories.indices where outcomes[number] == nil {
            transport.cancel(number)
            outcomes[number] = .failed("no answer within \(Self.patience.components.seconds) seconds")
        }
        return directories.indices.compactMap { number in outcomes[number].map { (directories[number], $0) } }
    }

    func transfer(_ number: Int, _ event: FeedTransferEvent) {
        switch event {
        case .redirected: break
        case .answered(let answer): statuses[number] = answer.status
        case .received(let bytes):
            // A longer answer is not a list of podcasts; the rest is discarded.
            if bodies[number, default: []].count + bytes.count <= Self.answerBytes {
                bodies[number, default: []].append(contentsOf: bytes)
            }
        case .ended(.failure(let failure)): outcomes[number] = .failed(failure.description)
        case .ended(.success): outcomes[number] = outcome(number)
        }
    }

    private func outcome(_ number: Int) -> Outcome {
        let status = statuses[number] ?? 0
        guard status == 200 else { return .failed(FetchFailure.status(status).description) }
        let body = bodies.removeValue(forKey: number) ?? []
        let parsed: Result<JSONValue, JSONError> = body.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in try JSONValue(parsing: bytes) }
        }
        guard case .success(let answer) = parsed, let shows = directories[number].shows(in: answer) else {
            return .failed("the answer is not a list of podcasts")
        }
        return .shows(shows)
    }
}
