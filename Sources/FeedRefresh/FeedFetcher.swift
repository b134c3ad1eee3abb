/// Bounds of one fetch.
public struct FetchLimits: Equatable, Sendable {
    /// Bytes of a body after decompression.
    public var bodyBytes: Int64
    /// Bytes of bodies held back at one time, of all fetches together.
    public var heldBytes: Int

    /// Bounds; the defaults take any feed that a reader could want.
    public init(bodyBytes: Int64 = 64 << 20, heldBytes: Int = 8 << 20) {
        self.bodyBytes = bodyBytes
        self.heldBytes = heldBytes
    }
}

/// Fetches feeds and parses them, many at once, and stores nothing. Belongs to one thread.
public final class FeedFetcher {
    private let transport: any FeedTransport
    private let limits: FetchLimits
    private let held: HeldBytes
    private var fetches: [Int: FeedFetch] = [:]
    private var results: [(number: Int, result: FeedFetchResult)] = []

    /// A fetcher on a transport of its own.
    public init(transport: any FeedTransport, limits: FetchLimits = FetchLimits()) {
        self.transport = transport
        self.limits = limits
        held = HeldBytes(bound: limits.heldBytes)
    }

    /// Begins to fetch.
    ///
    /// - Parameters:
    ///   - request: what to ask for.
    ///   - knownDigest: the digest of the last body; one that equals it is not parsed.
    ///   - number: tells results apart; free to be used again once its result came.
    public func start(_ request: FeedRequest, knownDigest: String? = nil, as number: Int) {
        fetches[number] = FeedFetch(request, knownDigest: knownDigest, bodyLimit: limits.bodyBytes, held: held)
        transport.start(request, as: number)
    }

    /// Waits until something happens, at most so many milliseconds, and gives the results that came.
    public func run(waiting milliseconds: Int64) -> [(number: Int, result: FeedFetchResult)] {
        transport.run(waiting: milliseconds) { number, event in
            guard let result = fetches[number]?.take(event) else { return }
            fetches[number] = nil
            if case .ended = event {} else { transport.cancel(number) }
            results.append((number, result))
        }
        defer { results.removeAll(keepingCapacity: true) }
        return results
    }

    /// Ends all fetches; no result of theirs follows.
    public func cancelAll() {
        for number in fetches.keys { transport.cancel(number) }
        fetches.removeAll()
    }

    /// Fetches one feed and waits for it.
    public func fetch(_ request: FeedRequest, knownDigest: String? = nil) -> FeedFetchResult {
        start(request, knownDigest: knownDigest, as: 0)
        while true {
            if let (_, result) = run(waiting: 1000).first { return result }
        }
    }
}
