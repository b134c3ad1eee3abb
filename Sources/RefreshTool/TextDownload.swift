internal import FeedRefresh

/// Leads the body of a conditional request to memory.
final class TextDownload: FeedTransferReceiver {
    /// What came of it.
    enum Outcome {
        case document(WholeDocument, FeedAnswer)
        case notModified
        case failed(FetchFailure)
    }

    private let limit: Int
    private var answer: FeedAnswer?
    private var document: WholeDocument?
    private var outcome: Outcome?

    /// A download of at most this number of bytes.
    init(limit: Int) { self.limit = limit }

    /// Fetches and waits; `tick` is called meanwhile.
    func run(_ request: FeedRequest, over transport: any FeedTransport, tick: () -> Void) -> Outcome {
        transport.start(request, as: 0, receiver: self)
        while true {
            transport.run(waiting: .milliseconds(250))
            tick()
            guard let outcome else { continue }
            // What is of no use is not waited for.
            if case .failed(.tooLarge) = outcome { transport.cancel(0) }
            return outcome
        }
    }

    func transfer(_ number: Int, _ event: FeedTransferEvent) {
        guard outcome == nil else { return }
        switch event {
        case .redirected: break
        case .answered(let answer):
            self.answer = answer
            document = WholeDocument(contentType: answer.contentType, limit: limit)
        case .received(let bytes):
            guard answer?.status == 200, let document else { return }
            if !document.take(bytes) { outcome = .failed(.tooLarge(limit: Int64(limit))) }
        case .ended(.failure(let failure)): outcome = .failed(failure)
        case .ended(.success):
            switch answer?.status {
            case 304: outcome = .notModified
            case 200:
                guard let answer, let document, !document.bytes.isEmpty else { return outcome = .failed(.empty) }
                outcome = .document(document, answer)
            case let status: outcome = .failed(.status(status ?? 0))
            }
        }
    }
}
