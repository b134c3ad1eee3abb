internal import HTTP
internal import Library
internal import PodcastModel
internal import SystemCalls

/// Monotonic time for limits and pacing, wall time for what is stored.
typealias RefreshClock = MonotonicClock & WallClock

/// Limits of one fetch. The defaults suffice for any real feed.
struct FetchLimits: Equatable {
    var bodyBytes: Int64 = 64 << 20
    /// Bytes of held bodies, of all fetches together.
    var heldBytes = 8 << 20
    /// CPU seconds for parsing one body. The largest feed takes two on a fast machine, twenty on a slow one.
    var workSeconds: Int64 = 20
}

/// Fetches and parses many feeds concurrently, and stores nothing. Belongs to one thread.
final class FeedFetcher {
    private let transport: any FeedTransport
    let limits: FetchLimits
    /// Bytes that bodies may still take, all together, which are held until their ends show whether they are new.
    var freeBytes: Int
    private var transfers: [Int: HTTPTransfer] = [:]
    private var results: [(number: Int, result: FeedFetchResult)] = []
    /// Returns the CPU time that the calling thread has used.
    let workTime: () -> Duration
    /// Records which document is being parsed.
    var attempts: (any AttemptRecorder)?

    init(
        transport: any FeedTransport, limits: FetchLimits = FetchLimits(),
        workTime: @escaping () -> Duration = { ProcessFigures.threadTime }
    ) {
        self.workTime = workTime
        self.transport = transport
        self.limits = limits
        freeBytes = limits.heldBytes
    }

    /// Begins to fetch. The number identifies the result; it can be reused after that.
    func start(_ request: FeedRequest, as number: Int) {
        transfers[number] = transport.add(request.http, delegate: FeedFetch(request, as: number, of: self))
    }

    /// Called by a fetch that has ended.
    func end(_ number: Int, with result: FeedFetchResult) {
        transfers[number] = nil
        results.append((number, result))
    }

    /// Waits until something happens or the time has passed, and returns the new results.
    func run(waiting limit: Duration) -> [(number: Int, result: FeedFetchResult)] {
        do throws(HTTPError) {
            try transport.poll(timeout: limit)
        } catch {
            for number in transfers.keys {
                results.append((number, FeedFetchResult(outcome: .failed(FetchFailure(error)))))
            }
            cancelAll()
        }
        defer { results.removeAll(keepingCapacity: true) }
        return results
    }

    /// Ends all fetches without results.
    func cancelAll() {
        for transfer in transfers.values { transfer.cancel() }
        transfers.removeAll()
    }

    /// Fetches one feed and waits for it.
    func fetch(_ request: FeedRequest) -> FeedFetchResult {
        start(request, as: 0)
        while true {
            if let (_, result) = run(waiting: .milliseconds(500)).first { return result }
        }
    }

    /// Fetches many feeds, concurrently within the limits.
    /// - Parameters:
    ///   - requests: most urgent first.
    ///   - pausedHosts: seconds for which hosts, with their ports, accept no requests.
    ///   - tick: called after each wait, at least every half second, for other work of the thread.
    ///   - handle: called once for each request, with its index.
    /// - Throws: errors of `handle` or `tick`; the fetches in flight are cancelled.
    func fetchAll<Failure: Error>(
        _ requests: [FeedRequest], limits: RefreshPlan.Limits, pausedHosts: [String: Int64] = [:],
        clock: any RefreshClock, tick: () throws(Failure) -> Void,
        handle: (_ index: Int, _ result: FeedFetchResult) throws(Failure) -> Void
    ) throws(Failure) {
        var plan = RefreshPlan(urls: requests.map(\.url), limits: limits, pausedHosts: pausedHosts)
        defer { cancelAll() }
        while true {
            var wait = Duration.milliseconds(500)
            switch plan.next(at: clock.now) {
            case .start(let index):
                start(requests[index], as: index)
                continue
            case .postpone(let index, let seconds):
                try handle(index, FeedFetchResult(outcome: .failed(.postponed(seconds: seconds))))
                continue
            case .finish: return
            case .wait(let limit): wait = min(wait, limit)
            case .awaitEnd: break
            }
            for (index, result) in run(waiting: wait) {
                plan.ended(index, retryAfter: result.retryAfter(of: requests[index].url))
                try handle(index, result)
            }
            try tick()
        }
    }
}

extension FeedFetchResult {
    /// Seconds for which the requested URL's host accepts no more requests. A host to which it redirected is separate.
    func retryAfter(of url: String) -> Int64? {
        guard let answer, answer.status == 429 || answer.status == 503,
            WebAddress.authority(of: answer.effectiveURL) == WebAddress.authority(of: url)
        else { return nil }
        return answer.hints.retryAfter
    }
}
