@testable import RefreshTool
import HTTP
@testable import Library
import PodcastModel
import Reporting
import TestSupport
import Testing

struct FeedRefresherTests {
    private let transport = ScriptedTransport()
    private let store = RecordingStore()
    private let board = ActivityBoard { Timestamp(seconds: 0) }
    private let url = "https://show.test/feed"

    private func refresher(_ limits: FetchLimits = FetchLimits()) -> FeedRefresher {
        FeedRefresher(
            store: store, fetcher: FeedFetcher(transport: transport, limits: limits), clock: SteppingClock(),
            activities: board, limits: .init(total: 8, perHost: 8, spacing: .zero))
    }

    private func refresh(
        _ target: RefreshTarget, _ steps: [ScriptedTransport.Step], limits: FetchLimits = FetchLimits()
    ) throws -> FeedReport {
        transport.scripts[target.url] = steps
        var reports: [FeedReport] = []
        _ = try refresher(limits).refresh([target]) { reports.append($0) }
        return try #require(reports.first)
    }

    private func target(_ digest: String? = nil) -> RefreshTarget {
        var target = RefreshTarget(
            id: FeedID(7), url: url, title: "A show", etag: "\"old\"", lastModified: "Mon", bodyDigest: digest)
        target.lastFull = SteppingClock().wallTime
        return target
    }

    private func answer(_ status: Int, _ etag: String? = nil, length: Int64? = nil) -> ScriptedTransport.Step {
        .answer(HTTPHead(status, of: url, etag: etag, contentLength: length))
    }

    @Test func validatorsAreSentAsTheyCame() throws {
        _ = try refresh(target(), [answer(304), .end])
        expectEqual(transport.requests.map(\.url), [url])
        expectEqual([transport.requests[0].etag, transport.requests[0].lastModified], ["\"old\"", "Mon"])
    }

    @Test func anUnchangedFeedWritesOnlyValidatorsThatAreNew() throws {
        let report = try refresh(target("f1-x"), [answer(304, "\"old\""), .end])
        expectEqual(report.outcome, .unchanged)
        _ = try refresh(target("f1-x"), [answer(304, "\"new\""), .end])
        guard case .unchanged(let id, let same) = store.calls.first, case .unchanged(_, let new) = store.calls.last
        else { throw Unexpected() }
        expectEqual(id, FeedID(7))
        #expect(same.etag == nil && same.lastModified == nil && same.bodyDigest == nil && same.httpStatus == 304)
        expectEqual(new.etag, "\"new\"")
    }

    @Test func titlesAndNamesAreHandedOnAsPlainText() throws {
        let text = """
            <rss><channel><title>Tom &amp;amp; &lt;i&gt;Jerry&lt;/i&gt;</title><item><title>don&amp;#146;t</title>
            <author>Zo&amp;euml;</author><enclosure url="/1.mp3"/></item></channel></rss>
            """
        _ = try refresh(target(), [answer(200), .body(text), .end])
        let contents = try #require(store.contents.last)
        expectEqual(contents.channel.title, "Tom & Jerry")
        expectEqual(contents.items[0].title, "don’t")
        expectEqual(contents.items[0].author, "Zoë")
    }

    @Test func anEqualBodyIsRecognizedHoweverItIsCut() throws {
        let text = FeedText.rss(episodes: 5)
        _ = try refresh(target(), [answer(200, "\"a\""), .body(text), .end])
        guard case .merged(_, items: 5, let record) = store.calls.first else { throw Unexpected() }
        let digest = try #require(record.bodyDigest)
        for cut in [1, 3, 8, 13, 64] {
            var pieces: [ScriptedTransport.Step] = [answer(200, "\"b\"")]
            var rest = Substring(text)
            while !rest.isEmpty {
                pieces.append(.body(String(rest.prefix(cut))))
                rest = rest.dropFirst(cut)
            }
            try expectEqual(refresh(target(digest), pieces + [.end]).outcome, .unchanged)
        }
        guard case .unchanged(_, let again) = store.calls.last else { throw Unexpected() }
        expectEqual(again.etag, "\"b\"")
    }

    @Test func aBodyThatWasHeldBackIsParsedWhenItIsNew() throws {
        let report = try refresh(target("f1-other"), [answer(200), .body(FeedText.rss(episodes: 3)), .end])
        guard case .merged(let merge) = report.outcome else { throw Unexpected() }
        expectEqual(merge.added.count, 3)
    }

    @Test func aBodyTooLargeToHoldBackIsParsedAsItComesAndStillRecognized() throws {
        let limits = FetchLimits(bodyBytes: 1 << 20, heldBytes: 100)
        let text = FeedText.rss(episodes: 4)
        let pieces: [ScriptedTransport.Step] = [.body(String(text.prefix(60))), .body(String(text.dropFirst(60)))]
        _ = try refresh(target("f1-other"), [answer(200)] + pieces + [.end], limits: limits)
        guard case .merged(_, items: 4, let record) = store.calls.first else { throw Unexpected() }
        let again = try refresh(target(record.bodyDigest), [answer(200)] + pieces + [.end], limits: limits)
        expectEqual(again.outcome, .unchanged)
    }

    @Test func aBodyWithoutEndIsCutOffAtTheLimit() throws {
        let start = ScriptedTransport.Step.body("<rss version=\"2.0\"><channel><title>Endless</title>")
        let report = try refresh(target(), [answer(200), start, .endless], limits: .init(bodyBytes: 5 << 20))
        expectEqual(report.outcome, .failed(.tooLarge(limit: 5 << 20)))
        expectEqual(transport.piecesOfEndless, 5)
    }

    @Test func anAnnouncedLengthBeyondTheLimitIsRefusedBeforeTheBody() throws {
        let report = try refresh(target(), [answer(200, length: 300 << 20), .endless])
        expectEqual(report.outcome, .failed(.tooLarge(limit: 64 << 20)))
        expectEqual(transport.piecesOfEndless, 0)
    }

    @Test func anEmptyBodyIsAFailure() throws {
        try expectEqual(refresh(target(), [answer(200), .end]).outcome, .failed(.empty))
    }

    @Test func aWebPageIsToldAsOne() throws {
        let page = "<!DOCTYPE html><html><head><title>Welcome</title></head><body>Hello</body></html>"
        let report = try refresh(target(), [answer(200), .body(page), .end])
        guard case .failed(let failure) = report.outcome else { throw Unexpected() }
        expectContains(failure.description, "web page")
    }

    @Test func aFeedThatBreaksOffKeepsItsWholeItemsAndIsFetchedWholeNextTime() throws {
        let text = FeedText.rss(episodes: 3)
        let end = try #require(text.firstRange(of: "<title>Episode 2"))
        _ = try refresh(target(), [answer(200, "\"half\""), .body(String(text[..<end.upperBound])), .end])
        guard case .merged(_, items: let items, let record) = store.calls.first else { throw Unexpected() }
        expectEqual(items, 2)
        #expect(record.etag == nil && record.bodyDigest == nil)
    }

    @Test func aTransferThatFailsIsRecordedAndEverythingStays() throws {
        for kind in [HTTPError.Kind.truncated, .timeout, .certificate, .connect, .redirectLimit] {
            let failure = FetchFailure(HTTPError(kind, "words"))
            let report = try refresh(target(), [answer(200), .body("<rss><channel>"), .fail(kind, "words")])
            expectEqual(report.outcome, .failed(failure))
            guard case .failed(_, let record) = store.calls.last else { throw Unexpected() }
            expectEqual(record.error, failure.description)
            #expect(record.nextDue > record.time)
        }
    }

    @Test func onlyPermanentRedirectsBeforeAnyOtherMoveAFeed() throws {
        let good: [ScriptedTransport.Step] = [answer(304), .end]
        let cases: [([ScriptedTransport.Step], String?)] = [
            ([.redirect(301, "https://new.test/feed")], "https://new.test/feed"),
            ([.redirect(308, "https://a.test/"), .redirect(301, "https://b.test/")], "https://b.test/"),
            ([.redirect(301, "https://a.test/"), .redirect(302, "https://b.test/")], "https://a.test/"),
            ([.redirect(307, "https://a.test/"), .redirect(301, "https://b.test/")], nil),
            ([.redirect(301, "http://show.test/feed")], nil),
            ([], nil),
        ]
        for (redirects, expected) in cases {
            try expectEqual(refresh(target(), redirects + good).movedTo, expected)
        }
    }

    @Test func aFailureBehindAPermanentRedirectMovesNothing() throws {
        let report = try refresh(target(), [.redirect(301, "https://new.test/"), answer(404), .end])
        expectEqual(report.outcome, .failed(.status(404)))
        expectEqual(report.movedTo, nil)
    }

    @Test func progressIsAnActivityThatEndsWithTheRun() throws {
        let targets = (1...3).map { RefreshTarget(id: FeedID($0), url: "https://\($0).test/", title: "") }
        for target in targets { transport.scripts[target.url] = [answer(304), .end] }
        var seen: [Activity] = []
        let summary = try refresher().refresh(targets, tick: { seen += board.snapshot }, report: { _ in })
        expectEqual(summary.feeds, 3)
        #expect(seen.allSatisfy { $0.kind == .refreshing && $0.message == "Refreshing feeds" })
        #expect(board.snapshot.isEmpty)
    }

    @Test func oneFeedAfterAnotherIsReportedWithItsFailures() throws {
        let targets = (1...40).map { RefreshTarget(id: FeedID($0), url: "https://\($0).test/", title: "") }
        for target in targets {
            transport.scripts[target.url] =
                target.id.rawValue % 4 == 0
                ? [.fail(.connect, "down")] : [answer(200), .body(FeedText.rss(episodes: 2)), .end]
        }
        var reports: [FeedID] = []
        let summary = try refresher().refresh(targets) { reports.append($0.target.id) }
        expectEqual(Set(reports).count, 40)
        #expect((summary.feeds, summary.failed, summary.newEpisodes) == (40, 10, 60))
        expectEqual(transport.mostAtOnce, 8)
    }

    @Test func aHostIsNotAskedBeforeTheEndOfItsRetryAfter() throws {
        let targets = (1...20).map { RefreshTarget(id: FeedID($0), url: "https://busy.test/\($0)", title: "") }
        let busy = HTTPHead(429, of: "https://busy.test/", retryAfter: 7200)
        for target in targets { transport.scripts[target.url] = [.answer(busy), .end] }
        var postponed = 0
        let refresher = FeedRefresher(
            store: store, fetcher: FeedFetcher(transport: transport), clock: SteppingClock(), activities: board,
            limits: .init(total: 8, perHost: 2, spacing: .zero))
        let summary = try refresher.refresh(targets) { report in
            if report.outcome == .postponed(seconds: 7200) { postponed += 1 }
            #expect((report.nextDue?.seconds ?? 0) >= Timestamp(year: 2026, month: 11, day: 21, second: 7200).seconds)
        }
        expectEqual(summary.failed, 20)
        #expect(postponed >= 18)
        #expect(transport.requests.count <= 3)
    }

    @Test func aLibraryThatRefusesEndsTheRun() {
        store.refusal = .diskFull
        transport.scripts[url] = [answer(200), .body(FeedText.rss()), .end]
        #expect(throws: LibraryError.diskFull) { try refresher().refresh([target()]) { _ in } }
        #expect(board.snapshot.isEmpty)
    }

}
