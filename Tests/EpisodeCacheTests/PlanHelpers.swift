@testable import EpisodeCache
import MediaPorts
import PodcastModel

let start = Instant(nanoseconds: 0)
let second = Duration.seconds(1)

/// A plan without chance in it, and small limits.
func makePlan(
    known: FetchPlan.Knowledge = FetchPlan.Knowledge(), readAhead: Int64 = 1000, nearby: Int64 = 100,
    overlap: Int64 = 0, useful: Int64 = 10
) -> FetchPlan {
    var settings = FetchPlan.Settings()
    settings.readAhead = readAhead
    settings.nearby = nearby
    settings.overlap = overlap
    settings.proof = 40
    settings.retry.progress = 10
    settings.retry.useful = useful
    settings.retry.random = { 1 }
    return FetchPlan(host: "h", known: known, settings: settings)
}

/// A plan that has asked for the bytes from a place on.
func asking(_ plan: FetchPlan = makePlan(), from offset: Int64 = 0) -> FetchPlan {
    var plan = plan
    _ = plan.want(from: offset, now: start)
    return plan
}

/// A plan that has received `count` bytes of the answer.
func receiving(
    _ count: Int, of head: FetchPlan.Head = partial(0, 1000, of: 1000), by plan: FetchPlan = makePlan()
) -> FetchPlan {
    var plan = asking(plan)
    _ = plan.head(head, now: start)
    _ = plan.bytes(count)
    return plan
}

func request(
    _ start: Int64, _ end: Int64? = nil, ranged: Bool = true, place: String? = nil,
    attempt: Int = 0
) -> FetchPlan.Action {
    .request(
        FetchPlan.Request(
            start: start, end: end, usesRange: ranged, redirectTarget: place, attempt: attempt))
}

/// A 206 with the bytes from `start` on.
func partial(_ start: Int64, _ end: Int64, of total: Int64?, etag: String? = "\"1\"") -> FetchPlan.Head {
    var head = FetchPlan.Head(status: 206)
    head.range = start..<end
    head.total = total
    head.contentLength = end - start
    head.validator.etag = etag
    head.acceptsRanges = true
    return head
}

/// A 200 with everything.
func whole(_ length: Int64?, etag: String? = "\"1\"", acceptsRanges: Bool = false) -> FetchPlan.Head {
    var head = FetchPlan.Head(status: 200)
    head.contentLength = length
    head.validator.etag = etag
    head.acceptsRanges = acceptsRanges
    return head
}

func status(_ code: Int, retryAfter: Int? = nil) -> FetchPlan.Head {
    var head = FetchPlan.Head(status: code)
    head.retryAfter = retryAfter
    return head
}

func knowledge(
    _ have: [Range<Int64>], length: Int64? = nil, etag: String? = "\"1\"", modified: String? = nil
) -> FetchPlan.Knowledge {
    var known = FetchPlan.Knowledge()
    known.have = ByteRanges(have)
    known.length = length
    known.validator = FetchPlan.Validator(etag: etag, lastModified: modified)
    return known
}

extension FetchPlan {
    /// Delivers bytes of a body in one piece; those that are available already are the same.
    mutating func bytes(_ count: Int, at now: Instant = start) -> [Action] {
        var left = count
        var actions: [Action] = []
        while left > 0 {
            switch part(of: left) {
            case .store(_, let count):
                stored(count, now: now)
                left -= count
            case .compare(_, let count):
                actions += compared(count, areEqual: true)
                left -= count
            case .drop: return actions + overflowed(now: now)
            }
        }
        return actions + pieceProcessed(now: now)
    }

    mutating func lose(_ message: String = "lost", at now: Instant = start) -> [Action] {
        ended(Failure(.connection, message), now: now)
    }
}
