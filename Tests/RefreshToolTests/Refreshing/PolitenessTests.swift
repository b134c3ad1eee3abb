@testable import RefreshTool
@testable import HTTP
@testable import Library
import PodcastModel
import Reporting
import TestSupport
import Testing

/// What hosts are spared, and what they are asked for all the same.
struct PolitenessTests {
    private let transport = ScriptedTransport()
    private let store = RecordingStore()
    private let url = "https://show.test/feed"
    private let now = SteppingClock().wallTime

    private func refresh(_ targets: [RefreshTarget], _ steps: [ScriptedTransport.Step]) throws -> [FeedReport] {
        for target in targets { transport.scripts[target.url] = steps }
        let refresher = FeedRefresher(
            store: store, fetcher: FeedFetcher(transport: transport), clock: SteppingClock(),
            activities: ActivityBoard { Timestamp(seconds: 0) }, limits: .init(spacing: .zero))
        var reports: [FeedReport] = []
        _ = try refresher.refresh(targets) { reports.append($0) }
        return reports
    }

    private func target(_ change: (inout RefreshTarget) -> Void = { _ in }) -> RefreshTarget {
        var target = RefreshTarget(
            id: FeedID(7), url: url, title: "A show", etag: "\"1\"", lastModified: "Mon", bodyDigest: "f1-x")
        target.lastFull = now
        change(&target)
        return target
    }

    private func answer(_ status: Int, _ etag: String? = nil, retryAfter: Int? = nil) -> ScriptedTransport.Step {
        .answer(HTTPHead(status, of: url, etag: etag, retryAfter: retryAfter))
    }

    @Test func aHostThatAskedForPeaceInAnEarlierRunIsNotAsked() throws {
        store.pausedHosts["show.test"] = now.adding(seconds: 3600)
        let reports = try refresh([target()], [answer(304), .end])
        expectEqual(reports.map(\.outcome), [.postponed(seconds: 3600)])
        #expect(transport.requests.isEmpty && store.calls.isEmpty)
        #expect((store.postponed[FeedID(7)]?.seconds ?? 0) >= now.seconds + 3600)
    }

    @Test func whatAHostAsksForIsKeptForLaterRuns() throws {
        _ = try refresh([target()], [answer(503, retryAfter: 7200), .end])
        expectEqual(store.pausedHosts, ["show.test": now.adding(seconds: 7200)])
        _ = try refresh([target { $0.url = "https://other.test/" }], [answer(429, retryAfter: .max), .end])
        expectEqual(store.pausedHosts["other.test"], nil, "the answer came from another host")
    }

    @Test func onceAWeekTheBodyIsAskedForWhateverTheValidatorsSay() throws {
        _ = try refresh([target()], [answer(304), .end])
        expectEqual(transport.requests.last?.etag, "\"1\"")
        _ = try refresh([target { $0.lastFull = now.adding(seconds: -8 * 86_400) }], [answer(304), .end])
        #expect(transport.requests.last?.etag == nil && transport.requests.last?.lastModified == nil)
    }

    @Test func aHostWhoseValidatorsLieIsFoundOut() throws {
        let old = target { $0.lastFull = now.adding(seconds: -8 * 86_400) }
        _ = try refresh([old], [answer(200, "\"1\""), .body(FeedText.rss()), .end])
        guard case .merged(_, _, let lie)? = store.calls.last else { throw Unexpected() }
        #expect(lie.contradictsValidators && lie.isFull)
        _ = try refresh([old], [answer(200, "\"2\""), .body(FeedText.rss()), .end])
        guard case .merged(_, _, let news)? = store.calls.last else { throw Unexpected() }
        #expect(!news.contradictsValidators)
    }

    @Test(arguments: [400, 412, 413, 431])
    func aServerThatChokesOnTheRequestGetsAShorterOne(status: Int) throws {
        _ = try refresh([target { $0.httpStatus = status }], [answer(200), .body(FeedText.rss()), .end])
        expectEqual(transport.requests.last?.etag, nil)
    }

    @Test func theFeedsOwnUserAgentIsSent() throws {
        _ = try refresh([target { $0.userAgent = "Mozilla/5.0" }], [answer(304), .end])
        expectEqual(transport.requests.last?.userAgent, "Mozilla/5.0")
    }

    @Test func whatTheDocumentSaysOfItsRhythmIsKept() throws {
        let text = FeedText.rss(episodes: 4).replacing("<channel>", with: "<channel><ttl>120</ttl>")
        _ = try refresh([target()], [answer(200), .body(text), .end])
        guard case .merged(_, _, let record)? = store.calls.last else { throw Unexpected() }
        expectEqual(record.rhythm.patience, 7200)
        expectEqual(record.cadence?.gap, 3600)
    }

    @Test func aFeedThatIsGoneIsStopped() throws {
        let reports = try refresh([target()], [answer(410), .end])
        expectEqual(reports.first?.nextDue, nil)
        guard case .failed(_, let record)? = store.calls.last else { throw Unexpected() }
        #expect(record.isStopped && record.dueReason == .gone)
    }

    @Test func healthIsToldWhenItChanges() throws {
        let down: [ScriptedTransport.Step] = [answer(500), .end]
        try expectEqual(refresh([target()], down).first?.isHealthChanged, true)
        let error = "server error (HTTP 500)"
        try expectEqual(refresh([target { $0.error = error }], down).first?.isHealthChanged, false)
        try expectEqual(refresh([target { $0.error = error }], [answer(304), .end]).first?.isHealthChanged, true)
        try expectEqual(refresh([target()], [answer(304), .end]).first?.isHealthChanged, false)
    }
}
