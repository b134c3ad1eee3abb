import SystemCalls
@testable import RefreshTool
@testable import HTTP
@testable import Library
import PodcastModel
import Synchronization

/// A network that says what a test wrote down, in the order in which fetches began.
final class ScriptedTransport: FeedTransport {
    enum Step {
        case redirect(Int, String)
        case answer(HTTPHead)
        case body(String)
        /// Spaces without end, a piece at a time, until the transfer is cancelled.
        case endless
        case end
        case fail(HTTPError.Kind, String)
    }

    var scripts: [String: [Step]] = [:]
    private(set) var requests: [HTTPRequest] = []
    private(set) var mostAtOnce = 0
    private(set) var piecesOfEndless = 0
    private var running: [(transfer: HTTPTransfer, delegate: any HTTPTransferDelegate)] = []

    func add(_ request: HTTPRequest, delegate: any HTTPTransferDelegate) -> HTTPTransfer {
        requests.append(request)
        let transfer = HTTPTransfer(
            id: UInt64(requests.count), request: request, delegate: delegate, multi: nil, now: .now,
            settings: HTTPSettings())
        running.append((transfer, delegate))
        mostAtOnce = max(mostAtOnce, running.count)
        return transfer
    }

    func poll(timeout: Duration?) {
        running.removeAll { $0.transfer.machine.hasEnded }
        guard !running.isEmpty else { return }
        let (transfer, delegate) = running.removeFirst()
        var hops: [HTTPHop] = []
        for step in scripts[transfer.machine.request.url] ?? [.fail(.connect, "no script")] {
            switch step {
            case .redirect(let status, let url): hops.append(HTTPHop(status: status, from: "", to: url))
            case .answer(var head):
                head.hops = hops
                delegate.transfer(transfer, didReceive: head)
            case .body(let text):
                Array(text.utf8).withUnsafeBytes { _ = delegate.transfer(transfer, didReceiveBody: $0) }
            case .endless:
                let piece = [UInt8](repeating: 0x20, count: 1 << 20)
                while !transfer.machine.hasEnded {
                    piecesOfEndless += 1
                    piece.withUnsafeBytes { _ = delegate.transfer(transfer, didReceiveBody: $0) }
                }
            case .end: delegate.transfer(transfer, didComplete: .success(HTTPSummary(receivedBytes: 1)))
            case .fail(let kind, let message):
                delegate.transfer(transfer, didComplete: .failure(HTTPError(kind, message, hops: hops)))
            }
            if transfer.machine.hasEnded { return }
        }
    }
}

extension HTTPHead {
    init(
        _ status: Int, of url: String, etag: String? = nil, contentLength: Int64? = nil, retryAfter: Int? = nil
    ) {
        var headers = HTTPHeaders()
        if let etag { headers.append(line: Array("ETag: \(etag)".utf8)) }
        if let contentLength { headers.append(line: Array("Content-Length: \(contentLength)".utf8)) }
        self.init(status: status, headers: headers, effectiveURL: url, hops: [], retryAfter: retryAfter)
    }
}

/// A store that only remembers its calls.
final class RecordingStore: RefreshStore {
    enum Call: Equatable {
        case unchanged(FeedID, FetchRecord)
        case merged(FeedID, items: Int, FetchRecord)
        case failed(FeedID, FetchRecord)
    }
    var calls: [Call] = []
    /// What was merged, in order.
    var contents: [FeedContents] = []
    var refusal: LibraryError?
    var rememberedAttempts: (any AttemptRecorder)?
    var attempts: (any AttemptRecorder)? { rememberedAttempts }

    func dueFeeds(at now: Timestamp, isForced: Bool) throws(LibraryError) -> [RefreshTarget] { [] }
    func refreshTargets(_ ids: [FeedID]) throws(LibraryError) -> [RefreshTarget] { [] }
    func refreshLog(_ id: FeedID, limit: Int) throws(LibraryError) -> [FetchRecord] { [] }

    func recordUnchanged(_ fetches: [(feed: FeedID, fetch: FetchRecord)]) throws(LibraryError) {
        calls += fetches.map { .unchanged($0.feed, $0.fetch) }
    }
    func merge(_ documents: [FetchedDocument]) throws(LibraryError) -> [MergeResult?] {
        if let refusal { throw refusal }
        return documents.map { document in
            let items = document.contents.items
            calls.append(.merged(document.feed, items: items.count, document.fetch))
            contents.append(document.contents)
            return MergeResult(added: items.indices.map { EpisodeID(Int64($0) + 1) })
        }
    }
    /// What `pausedHosts` returns, and the pauses that were recorded.
    var pausedHosts: [String: Timestamp] = [:]
    /// Feeds by their URLs.
    var subscribers: [String: Feed] = [:]
    var moves: [(move: FeedMove, isFollowed: Bool)] = []
    var postponed: [FeedID: Timestamp] = [:]

    func postpone(_ id: FeedID, until due: Timestamp) throws(LibraryError) { postponed[id] = due }
    func recordMove(_ move: FeedMove, of id: FeedID, isFollowed: Bool) throws(LibraryError) {
        moves.append((move, isFollowed))
    }
    var walks: [PageWalk] = []
    func recordPageWalk(_ walk: PageWalk, of id: FeedID) throws(LibraryError) { walks.append(walk) }
    func subscriber(of url: String) throws(LibraryError) -> Feed? { subscribers[url] }
    /// Feeds that were merged into others.
    var absorbed: [FeedID: FeedID] = [:]
    func absorb(_ id: FeedID, into kept: FeedID, at now: Timestamp) throws(LibraryError) { absorbed[id] = kept }
    func pausedHosts(at now: Timestamp) throws(LibraryError) -> [String: Timestamp] { pausedHosts }
    func pauseHost(_ host: String, until end: Timestamp, at now: Timestamp) throws(LibraryError) {
        pausedHosts[host] = end
    }
    func recordFailure(_ id: FeedID, _ fetch: FetchRecord) throws(LibraryError) {
        calls.append(.failed(id, fetch))
    }
}

/// A clock that advances by a millisecond with each reading.
final class SteppingClock: RefreshClock {
    private let milliseconds = Atomic<Int64>(0)
    var wallTime: Timestamp { Timestamp(year: 2026, month: 11, day: 21) }
    var now: Instant { Instant(nanoseconds: milliseconds.add(1, ordering: .relaxed).newValue * 1_000_000) }
}

/// Feeds in a line each.
enum FeedText {
    static func rss(title: String = "A show", episodes: Int = 1) -> String {
        let items = (0..<episodes).map { number in
            "<item><guid>g\(number)</guid><title>Episode \(number)</title>"
                + "<pubDate>Mon, 02 Nov 2026 0\(number % 10):00:00 GMT</pubDate>"
                + "<enclosure url=\"http://media.test/\(number).mp3\" type=\"audio/mpeg\" length=\"1\"/></item>"
        }
        return "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>\(title)</title>"
            + items.joined() + "</channel></rss>"
    }
}

/// Something else came than a test asked for.
struct Unexpected: Error {}
