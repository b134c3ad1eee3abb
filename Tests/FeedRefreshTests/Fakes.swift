import FeedRefresh
@testable import Library
import PodcastModel
import Synchronization

/// A network that says what a test wrote down, in the order in which fetches began.
final class ScriptedTransport: FeedTransport {
    enum Step {
        case redirect(Int, String)
        case answer(FeedAnswer)
        case body(String)
        /// Spaces without end, a piece at a time, until the transfer is cancelled.
        case endless
        case end
        case fail(FetchFailure)
    }

    var scripts: [String: [Step]] = [:]
    private(set) var requests: [FeedRequest] = []
    private(set) var cancelled: [Int] = []
    private(set) var mostAtOnce = 0
    private(set) var piecesOfEndless = 0
    private var running: [(number: Int, request: FeedRequest, receiver: any FeedTransferReceiver)] = []

    func start(_ request: FeedRequest, as number: Int, receiver: any FeedTransferReceiver) {
        requests.append(request)
        running.append((number, request, receiver))
        mostAtOnce = max(mostAtOnce, running.count)
    }

    func cancel(_ number: Int) {
        cancelled.append(number)
        running.removeAll { $0.number == number }
    }

    func run(waiting limit: Duration) {
        guard let (number, request, receiver) = running.first else { return }
        for step in scripts[request.url] ?? [.fail(.unreachable("no script"))] {
            switch step {
            case .redirect(let status, let url):
                receiver.transfer(number, .redirected(Redirect(status: status, url: url)))
            case .answer(let answer): receiver.transfer(number, .answered(answer))
            case .body(let text): Array(text.utf8).withUnsafeBytes { receiver.transfer(number, .received($0)) }
            case .endless:
                let piece = [UInt8](repeating: 0x20, count: 1 << 20)
                while !cancelled.contains(number) {
                    piecesOfEndless += 1
                    piece.withUnsafeBytes { receiver.transfer(number, .received($0)) }
                }
            case .end:
                running.removeAll { $0.number == number }
                receiver.transfer(number, .ended(.success(1)))
            case .fail(let failure):
                running.removeAll { $0.number == number }
                receiver.transfer(number, .ended(.failure(failure)))
            }
            if cancelled.contains(number) { return }
        }
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
