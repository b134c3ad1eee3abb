@testable import RefreshTool
@testable import HTTP
@testable import Library
import PodcastModel
import Reporting
import TestSupport
import Testing

/// Where a feed is said to have gone, and when that is believed.
struct MoveTests {
    private let transport = ScriptedTransport()
    private let store = RecordingStore()
    private let url = "https://show.test/feed"
    private let new = "https://new.test/feed"

    private func target(_ move: FeedMove? = nil) -> RefreshTarget {
        var target = RefreshTarget(id: FeedID(7), url: url, title: "A show", bodyDigest: "f1-x")
        target.move = move
        return target
    }

    private func refresh(_ target: RefreshTarget, _ steps: [ScriptedTransport.Step]) throws -> FeedReport {
        transport.scripts[target.url] = steps
        let refresher = FeedRefresher(
            store: store, fetcher: FeedFetcher(transport: transport), clock: SteppingClock(),
            activities: ActivityBoard { Timestamp(seconds: 0) }, limits: .init(spacing: .zero))
        var reports: [FeedReport] = []
        _ = try refresher.refresh([target]) { reports.append($0) }
        expectEqual(reports.count, 1)
        return try #require(reports.first)
    }

    private func answer(_ status: Int) -> ScriptedTransport.Step { .answer(HTTPHead(status, of: url)) }

    private func document(announcing place: String) -> [ScriptedTransport.Step] {
        let tag =
            "<itunes:new-feed-url xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\">\(place)</itunes:new-feed-url>"
        let text = FeedText.rss().replacing("<channel>", with: "<channel>" + tag)
        return [answer(200), .body(text), .end]
    }

    private func seen(_ reason: FeedMove.Reason, _ times: Int = 1, at place: String? = nil) -> FeedMove {
        FeedMove(url: place ?? new, reason: reason, sightings: times)
    }

    private var recorded: FetchRecord? {
        switch store.calls.last {
        case .unchanged(_, let record), .merged(_, _, let record), .failed(_, let record): record
        case nil: nil
        }
    }

    @Test func aRedirectForGoodIsFollowedWhenItIsSeenTwice() throws {
        let steps: [ScriptedTransport.Step] = [.redirect(301, new), answer(304), .end]
        try expectEqual(refresh(target(), steps).move, .pending(seen(.redirect)))
        #expect(recorded?.move == seen(.redirect) && recorded?.followsMove == false)
        try expectEqual(refresh(target(seen(.redirect)), steps).move, .followed(seen(.redirect, 2)))
        expectEqual(recorded?.followsMove, true)
    }

    @Test func anotherTargetBeginsAnew() throws {
        let steps: [ScriptedTransport.Step] = [.redirect(301, new), answer(304), .end]
        try expectEqual(
            refresh(target(seen(.redirect, at: "https://else.test/")), steps).move, .pending(seen(.redirect)))
        try expectEqual(refresh(target(seen(.announcement)), steps).move, .pending(seen(.redirect)))
        try expectEqual(refresh(target(seen(.redirect)), [answer(304), .end]).move, nil)
        expectEqual(recorded?.move, nil)
    }

    @Test func aMoveToAFeedThatIsSubscribedToIsToldAndNotFollowed() throws {
        store.subscribers[new] = Feed(id: FeedID(3), url: new, title: "The other", subscribed: Timestamp(seconds: 0))
        let report = try refresh(target(seen(.redirect)), [.redirect(308, new), answer(304), .end])
        guard case .pending(let move)? = report.move else { throw Unexpected() }
        expectEqual(move.obstacle, "The other (f3) already has this URL")
        expectEqual(recorded?.followsMove, false)
    }

    @Test func anAnnouncementIsFollowedOnceThereIsSeenToBeAFeed() throws {
        try expectEqual(refresh(target(), document(announcing: new)).move, .pending(seen(.announcement)))
        #expect(!transport.requests.contains { $0.url == new })
        transport.scripts[new] = [answer(200), .body(FeedText.rss()), .end]
        let report = try refresh(target(seen(.announcement)), document(announcing: new))
        expectEqual(report.move, .followed(seen(.announcement, 2)))
        expectEqual(store.moves.map(\.isFollowed), [true])
        // The feed announced the address, not the user.
        expectEqual(transport.requests.last?.namedHosts, ["show.test"])
    }

    @Test func anUnchangedDocumentAnnouncesWhatItDidBefore() throws {
        transport.scripts[new] = [answer(200), .body(FeedText.rss()), .end]
        let report = try refresh(target(seen(.announcement)), [answer(304), .end])
        expectEqual(report.move, .followed(seen(.announcement, 2)))
    }

    @Test func anAnnouncedPlaceWithoutAFeedKeepsTheOldOneAndIsLookedAtSeldom() throws {
        transport.scripts[new] = [answer(404), .end]
        let report = try refresh(target(seen(.announcement)), document(announcing: new))
        guard case .pending(let move)? = report.move else { throw Unexpected() }
        expectEqual(move.obstacle, "not found (HTTP 404)")
        expectEqual(store.moves.map(\.isFollowed), [false])
        let asked = transport.requests.count { $0.url == new }
        for times in [2, 4, 5, 6] { _ = try refresh(target(seen(.announcement, times)), [answer(304), .end]) }
        expectEqual(transport.requests.count { $0.url == new }, asked)
        _ = try refresh(target(seen(.announcement, 7)), [answer(304), .end])
        expectEqual(transport.requests.count { $0.url == new }, asked + 1)
    }

    @Test(arguments: ["http://show.test/feed", "https://show.test/feed", "ftp://new.test/", ""])
    func announcementsThatAreNotCredibleAreNone(place: String) throws {
        try expectEqual(refresh(target(), document(announcing: place)).move, nil)
    }

    @Test func documentsThatNameEachOtherDoNotSendTheFeedToAndFro() throws {
        store.subscribers[new] = Feed(id: FeedID(7), url: url, title: "A show", subscribed: Timestamp(seconds: 0))
        let report = try refresh(target(seen(.announcement)), document(announcing: new))
        guard case .pending(let move)? = report.move else { throw Unexpected() }
        expectEqual(move.obstacle, "the feed has moved away from this URL before")
        try expectEqual(
            refresh(target(seen(.redirect)), [.redirect(301, new), answer(304), .end]).move,
            .followed(seen(.redirect, 2)))
    }

    @Test func aFailureSaysNothingOfWhereTheFeedIs() throws {
        let report = try refresh(target(seen(.redirect)), [.redirect(301, new), answer(500), .end])
        expectEqual(report.move, nil)
    }
}
