@testable import EpisodeCache
@testable import HTTP
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
    settings.shortfall = 16
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
    _ count: Int, of head: HTTPHead = partial(0, 1000, of: 1000), by plan: FetchPlan = makePlan()
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
func partial(
    _ start: Int64, _ end: Int64, of total: Int64?, etag: String? = "\"1\"", modified: String? = nil
) -> HTTPHead {
    answer(
        206,
        [
            ("Content-Range", "bytes \(start)-\(end - 1)/\(total.map { "\($0)" } ?? "*")"),
            ("Content-Length", "\(end - start)"), ("ETag", etag), ("Last-Modified", modified),
            ("Accept-Ranges", "bytes"),
        ])
}

/// A 200 with everything.
func whole(
    _ length: Int64?, etag: String? = "\"1\"", acceptsRanges: Bool = false, type: String? = nil
) -> HTTPHead {
    answer(
        200,
        [
            ("Content-Length", length.map { "\($0)" }), ("ETag", etag), ("Content-Type", type),
            ("Accept-Ranges", acceptsRanges ? "bytes" : nil),
        ])
}

/// A 416 with the length of the file.
func unsatisfiable(_ total: Int64) -> HTTPHead { answer(416, [("Content-Range", "bytes */\(total)")]) }

func status(_ code: Int, retryAfter: Int? = nil) -> HTTPHead {
    var head = answer(code, [])
    head.retryAfter = retryAfter
    return head
}

private func answer(_ status: Int, _ fields: [(name: String, value: String?)]) -> HTTPHead {
    var headers = HTTPHeaders()
    for case (let name, let value?) in fields { headers.append(line: Array("\(name): \(value)".utf8)) }
    return HTTPHead(status: status, headers: headers, effectiveURL: "http://h/x", hops: [])
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
        return actions + pieceProcessed()
    }

    /// Receives an answer from `start` on that ends early, at byte `end`.
    mutating func close(_ start: Int64, at end: Int64) -> [Action] {
        _ = head(partial(start, 1000, of: 1000), now: EpisodeCacheTests.start)
        _ = bytes(Int(end - start))
        return ended(Failure(.closed, "closed"), now: EpisodeCacheTests.start)
    }

    mutating func lose(_ message: String = "lost", at now: Instant = start) -> [Action] {
        ended(Failure(.connection, message), now: now)
    }
}
