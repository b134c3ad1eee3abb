internal import CommandLineTool
internal import FeedDocuments
internal import FeedRefresh

/// Takes the next bytes of a document. Returns false if more of them are of no use.
typealias ByteReceiver = (UnsafeRawBufferPointer) -> Bool

/// One transfer, whose body goes to a receiver that is made when the head of the response is known.
final class Download: FeedTransferReceiver {
    /// The head of the response (200 or 304); nil until the end.
    private(set) var result: Result<FeedAnswer, FetchFailure>?
    private var answer: FeedAnswer?
    private var receive: ByteReceiver?
    private let begin: (FeedAnswer) -> ByteReceiver

    init(_ begin: @escaping (FeedAnswer) -> ByteReceiver) { self.begin = begin }

    func transfer(_ number: Int, _ event: FeedTransferEvent) {
        guard result == nil else { return }
        switch event {
        case .redirected: break
        case .answered(let answer):
            self.answer = answer
            if answer.status == 200 { receive = begin(answer) }
        case .received(let bytes):
            if let answer, let receive, !receive(bytes) { result = .success(answer) }
        case .ended(.failure(let failure)): result = .failure(failure)
        case .ended(.success):
            if let answer, [200, 304].contains(answer.status) {
                result = .success(answer)
            } else {
                result = .failure(.status(answer?.status ?? 0))
            }
        }
    }

    /// Fetches one document and waits for it.
    /// - Parameters:
    ///   - tick: called after each wait, at least four times a second.
    ///   - begin: called with the head of a response (HTTP 200).
    static func run(
        _ request: FeedRequest, over transport: any FeedTransport, tick: () -> Void = {},
        _ begin: @escaping (FeedAnswer) -> ByteReceiver
    ) throws(FetchFailure) -> FeedAnswer {
        let download = Download(begin)
        transport.start(request, as: 0, receiver: download)
        while true {
            transport.run(waiting: .milliseconds(250))
            tick()
            guard let result = download.result else { continue }
            // The rest of a document that is of no use is not waited for.
            transport.cancel(0)
            return try result.get()
        }
    }
}

struct WholeDocument {
    var contentType: String?
    var bytes: [UInt8] = []

    /// Fetches a document of at most `limit` bytes; nil if the server says that nothing changed (304).
    static func fetch(
        _ request: FeedRequest, limit: Int, over transport: any FeedTransport, tick: () -> Void
    ) throws(FetchFailure) -> (document: WholeDocument, answer: FeedAnswer)? {
        var document = WholeDocument()
        let answer = try Download.run(request, over: transport, tick: tick) { _ in
            { document.append($0, limit: limit) }
        }
        if answer.status == 304 { return nil }
        if document.bytes.isEmpty { throw .empty }
        if document.bytes.count > limit { throw .tooLarge(limit: Int64(limit)) }
        document.contentType = answer.contentType
        return (document, answer)
    }

    /// Keeps at most one byte more than the limit, so that the reader can tell that it was passed.
    mutating func append(_ piece: UnsafeRawBufferPointer, limit: Int) -> Bool {
        bytes.append(contentsOf: piece.prefix(limit + 1 - bytes.count))
        return bytes.count <= limit
    }

    func chapters() throws(DocumentError) -> ChapterDocument {
        let result: Result<ChapterDocument, DocumentError> = bytes.withUnsafeBytes { bytes in
            Result { () throws(DocumentError) in try ChapterDocument(bytes, contentType: contentType) }
        }
        return try result.get()
    }

    func transcript(name: String) throws(DocumentError) -> TranscriptDocument {
        let result: Result<TranscriptDocument, DocumentError> = bytes.withUnsafeBytes { bytes in
            Result { () throws(DocumentError) in try TranscriptDocument(bytes, contentType: contentType, name: name) }
        }
        return try result.get()
    }
}

extension FetchFailure {
    /// The exit status: whether another attempt may help, and whether the server or its document is the cause.
    var exitStatus: CommandLineTool.ExitStatus {
        if isTemporary { return .tryAgain }
        return switch self {
        case .status, .loginRejected, .tooManyRedirects, .insecure: .unavailable
        default: .badData
        }
    }
}
