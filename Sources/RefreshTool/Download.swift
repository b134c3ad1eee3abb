internal import CommandLineTool
internal import FeedDocuments
internal import HTTP
internal import PodcastModel

/// Takes the next bytes of a document. Returns false if more of them are of no use.
typealias ByteReceiver = (UnsafeRawBufferPointer) -> Bool

/// One transfer, whose body goes to a receiver that is made when the head of the response is known.
final class Download: HTTPTransferDelegate {
    /// The head of the response (200 or 304); nil until the end.
    private(set) var result: Result<HTTPHead, FetchFailure>?
    private var answer: HTTPHead?
    private var receive: ByteReceiver?
    private let begin: (HTTPHead) -> ByteReceiver

    init(_ begin: @escaping (HTTPHead) -> ByteReceiver) { self.begin = begin }

    func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead) {
        let head = head.withoutCredentials
        answer = head
        if head.status == 200 { receive = begin(head) }
    }

    func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow {
        if let answer, let receive, !receive(bytes) {
            // The rest of a document that is of no use is not waited for.
            transfer.cancel()
            result = .success(answer)
        }
        return .proceed
    }

    func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>) {
        self.result =
            switch (result, answer) {
            case (.failure(let error), _): .failure(FetchFailure(error))
            case (.success, let answer?) where [200, 304].contains(answer.status): .success(answer)
            case (.success, _): .failure(.status(answer?.status ?? 0))
            }
    }

    /// Fetches one document and waits for it.
    /// - Parameters:
    ///   - tick: called after each wait, at least four times a second.
    ///   - begin: called with the head of a response (HTTP 200).
    static func run(
        _ request: FeedRequest, over transport: any FeedTransport, tick: () -> Void = {},
        _ begin: @escaping (HTTPHead) -> ByteReceiver
    ) throws(FetchFailure) -> HTTPHead {
        let download = Download(begin)
        let transfer = transport.add(request.http, delegate: download)
        defer { transfer.cancel() }
        while true {
            try mapError(of: transport.poll(timeout: .milliseconds(250))) { (error: HTTPError) in FetchFailure(error) }
            tick()
            if let result = download.result { return try result.get() }
        }
    }
}

struct WholeDocument {
    var contentType: String?
    var bytes: [UInt8] = []

    /// Fetches a document of at most `limit` bytes; nil if the server says that nothing changed (304).
    static func fetch(
        _ request: FeedRequest, limit: Int, over transport: any FeedTransport, tick: () -> Void
    ) throws(FetchFailure) -> (document: WholeDocument, answer: HTTPHead)? {
        var document = WholeDocument()
        let answer = try Download.run(request, over: transport, tick: tick) { _ in
            { document.append($0, limit: limit) }
        }
        if answer.status == 304 { return nil }
        if document.bytes.isEmpty { throw .empty }
        if document.bytes.count > limit { throw .tooLarge(limit: Int64(limit)) }
        document.contentType = answer.headers["content-type"]
        return (document, answer)
    }

    /// Keeps at most one byte more than the limit, so that the reader can tell that it was passed.
    mutating func append(_ piece: UnsafeRawBufferPointer, limit: Int) -> Bool {
        bytes.append(contentsOf: piece.prefix(limit + 1 - bytes.count))
        return bytes.count <= limit
    }

    func chapters() throws(DocumentError) -> ChapterDocument { try ChapterDocument(bytes, contentType: contentType) }

    func transcript(name: String) throws(DocumentError) -> TranscriptDocument {
        try TranscriptDocument(bytes, contentType: contentType, name: name)
    }
}

extension FetchFailure {
    /// The exit status: whether another attempt may help, and whether the server or its document is the cause.
    var exitStatus: CommandLineTool.ExitStatus {
        if isTemporary { return .tryAgain }
        return switch self {
        case .status, .loginRejected, .transfer(.redirectLimit, _), .transfer(.tls, _), .transfer(.certificate, _):
            .unavailable
        default: .badData
        }
    }
}
