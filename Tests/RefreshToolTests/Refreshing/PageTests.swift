@testable import RefreshTool
@testable import HTTP
import Library
import PodcastModel
import Reporting
import TestSupport
import Testing

/// Older pages: who is asked how, and how much of it.
struct PageTests {
    private let transport = ScriptedTransport()
    private let store = RecordingStore()
    private let board = ActivityBoard { Timestamp(seconds: 0) }
    private let url = "https://show.test/feed"

    private func page(_ next: String?) -> [ScriptedTransport.Step] {
        let link = next.map { "<atom:link xmlns:atom=\"http://www.w3.org/2005/Atom\" rel=\"next\" href=\"\($0)\"/>" }
        let text = FeedText.rss(title: "A show</title>\(link ?? "")<title>")
        return [.answer(HTTPHead(200, of: url)), .body(text), .end]
    }

    private func report(of walk: PageWalk, limits: PageLimits = PageLimits()) throws -> [FeedReport] {
        let login = HTTPLogin(
            .init(username: "ann", password: "s3cret"), hosts: ["show.test"], needsTLS: true)
        let refresher = FeedRefresher(
            store: store, fetcher: FeedFetcher(transport: transport), clock: SteppingClock(), activities: board,
            limits: .init(total: 8, perHost: 8, spacing: .zero), pageLimits: limits,
            access: { HTTPAccess(userAgent: $0.userAgent, login: login) })
        var report = FeedReport(
            target: RefreshTarget(id: FeedID(7), url: url, title: "A show"), outcome: .unchanged, httpStatus: 200,
            nextDue: nil)
        report.pages = walk
        var reports: [FeedReport] = []
        try refresher.followPages(of: [report]) { reports.append($0) }
        return reports
    }

    private func walk(_ next: String) -> PageWalk {
        PageWalk(reason: .first, time: Timestamp(seconds: 0), pending: .init(url: next, place: 10))
    }

    @Test func aPageOnAnotherHostOrWithoutTLSGetsNoLogin() throws {
        transport.scripts["https://show.test/2"] = page("https://other.test/3")
        transport.scripts["https://other.test/3"] = page("http://show.test/4")
        transport.scripts["http://show.test/4"] = page(nil)
        let reports = try report(of: walk("https://show.test/2"))
        #expect(reports.first?.pages?.end == .last && reports.first?.pages?.pages == 3)
        let told = transport.requests.map { $0.credentials != nil }
        expectEqual(told, [true, false, false])
        #expect(transport.requests.allSatisfy { $0.namedHosts == ["show.test"] && $0.etag == nil })
    }

    @Test func aChainWithoutAnEndIsCutShort() throws {
        for number in 2...9 {
            transport.scripts["https://show.test/\(number)"] = [
                .answer(HTTPHead(200, of: "https://show.test/\(number)")),
                .body(
                    FeedText.rss(
                        title: "\(number)</title><atom:link xmlns:atom=\"http://www.w3.org/2005/Atom\" rel=\"next\""
                            + " href=\"https://show.test/\(number + 1)\"/><title>")), .end,
            ]
        }
        let reports = try report(of: walk("https://show.test/2"), limits: PageLimits(pages: 5))
        #expect(reports.first?.pages?.end == .limit && transport.requests.count == 5)
    }

    @Test func aPausedHostIsNotAskedAndThePageWaits() throws {
        store.pausedHosts["show.test"] = SteppingClock().wallTime.adding(seconds: 600)
        let pages = try #require(try report(of: walk("https://show.test/2")).first?.pages)
        #expect(transport.requests.isEmpty && pages.pending?.failures == 0)
        expectEqual(pages.pending?.due, SteppingClock().wallTime.adding(seconds: 600))
        expectEqual(store.walks.last, pages)
    }
}
