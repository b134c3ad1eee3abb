import CommandLineTool
import JSON
import Library
import LoopbackServer
import PodcastModel
import TestSupport
import Testing

/// Feeds that come in pages or archives (RFC 5005).
@Suite(.ownThread) struct PagedFeedTests {
    private let rig: RefreshRig

    init() throws { rig = try RefreshRig() }

    private typealias Page = FeedPage

    /// Serves pages at one path, told apart by the query `page=N`; a missing one is answered by `missing`.
    @discardableResult
    private func serve(_ pages: [String: Page], missing: Answer = .status(500)) -> LoopbackServer.Endpoint {
        rig.serve("/feed.xml") { request in
            guard let page = pages[request.query ?? ""] else { return missing }
            return .resource(Resource(page.body, contentType: "application/rss+xml", etag: nil, lastModified: nil))
        }
    }

    private func threePages(newest: [Int] = [9, 8, 7]) -> [String: Page] {
        [
            "": Page(numbers: newest, next: "feed.xml?page=2"),
            "page=2": Page(numbers: [6, 5, 4], next: "feed.xml?page=3", title: "Another title"),
            "page=3": Page(numbers: [3, 2, 1]),
        ]
    }

    private func expectNumbers(_ numbers: [Int], comment: Comment? = nil) throws {
        try expectEqual(rig.titles(), numbers.map { "Episode \($0)" }, comment)
    }

    /// Titles of what the feed was found to have dropped.
    private func gone() throws -> [String] {
        let filter = EpisodeFilter(isGone: true)
        return try rig.store().episodes.page(filter, order: .newestFirst, at: .first, limit: 9).episodes.map(\.title)
    }

    private func feed() throws -> Feed { try rig.store().feeds.feed(FeedID(1)) }

    /// The queries of all requests after some.
    private func queries(after count: Int = 0) -> [String] {
        rig.server.requests.dropFirst(count).map { $0.query ?? "" }
    }

    @Test func allPagesAreReadWhenAFeedIsSubscribedTo() throws {
        let endpoint = serve(threePages())
        let ending = try rig.run("add", "--json", endpoint.url)
        expectEqual(ending.json["feeds"]?.arrayValue?.first?["feed"]?["episodes"], 9)
        try expectNumbers(Array((1...9).reversed()))
        expectEqual(queries(), ["", "page=2", "page=3"])
        let feed = try feed()
        expectEqual(feed.title, "A show in pages")
        #expect(feed.pageWalk?.pages == 2 && feed.pageWalk?.episodes == 6 && feed.pageWalk?.end == .last)
        // Nothing new: nothing more is asked for.
        try expectEqual(rig.run("--force").status, .success)
        expectEqual(endpoint.requests.count, 4)
        // One more episode: the pages behind it are known.
        serve(threePages(newest: [10, 9, 8]))
        try expectContains(rig.run("A show").output, "1 new episode")
        expectEqual(queries(after: 4), [""])
        try expectNumbers(Array((1...10).reversed()))
        #expect(try gone().isEmpty)
    }

    @Test func whatStandsBehindAGapIsFetchedUpToWhatIsKnown() throws {
        let before = serve(threePages())
        try expectEqual(rig.run("add", before.url).status, .success)
        serve([
            "": Page(numbers: [15, 14], next: "feed.xml?page=2"), "page=2": Page(numbers: [13, 12], next: "?page=3"),
            "page=3": Page(numbers: [11, 10, 9], next: "?page=4"), "page=4": Page(numbers: [8, 7, 6], next: "?page=5"),
        ])
        let ending = try rig.run("--json", "A show")
        expectEqual(queries(after: 3), ["", "page=2", "page=3"])
        try expectNumbers(Array((1...15).reversed()))
        let pages = ending.json["feeds"]?.arrayValue?.first?["pages"]
        #expect(pages?["reason"] == "gap" && pages?["end"] == "known" && pages?["pages"] == 2)
        expectEqual(ending.json["summary"]?["newEpisodes"], 6)
    }

    @Test func aPageThatFailsKeepsWhatCameIsToldAndTriedAgain() throws {
        var pages = threePages()
        pages["page=2"] = nil
        let broken = serve(pages)
        try expectEqual(rig.run("add", broken.url).status, .success)
        try expectNumbers([9, 8, 7])
        let problem = "older episodes are missing, page 2: server error (HTTP 500)"
        try expectEqual(feed().pageWalk?.problem, problem)
        try expectEqual(feed().health.error, nil)
        try expectContains(rig.run("explain", "1").output, "failed 1 time: server error")
        // The time of the next attempt has not come.
        try expectEqual(rig.run().status, .success)
        expectEqual(broken.requests.filter { $0.query == "page=2" }.count, 1)
        // By hand it is tried at once, and fails again.
        try expectOutcome(rig.run("--force"), .tryAgain, errors: problem)
        try expectEqual(feed().pageWalk?.pending?.failures, 2)
        serve(threePages())
        try expectEqual(rig.run("--force").status, .success)
        expectEqual(queries().suffix(2), ["page=2", "page=3"])
        try expectNumbers(Array((1...9).reversed()))
        #expect(try feed().pageWalk?.problem == nil && feed().pageWalk?.end == .last)
    }

    @Test func aFailedPageMakesTheFeedDueAgain() throws {
        var pages = threePages()
        pages["page=3"] = nil
        let broken = serve(pages)
        try expectEqual(rig.run("add", broken.url).status, .success)
        try expectNumbers([9, 8, 7, 6, 5, 4])
        let (walk, health) = (try #require(try feed().pageWalk), try feed().health)
        #expect(try #require(health.nextDue) <= #require(walk.pending?.due))
        #expect(walk.pages == 1 && walk.pending?.url.hasSuffix("page=3") == true)
    }

    @Test func aPageThatIsNotThereForGoodIsGivenUpAfterSomeTries() throws {
        var pages = threePages()
        pages["page=2"] = nil
        let broken = serve(pages, missing: .status(404))
        try expectEqual(rig.run("add", broken.url).status, .success)
        for _ in 0..<4 { _ = try rig.run("--force") }
        #expect(try feed().pageWalk?.end == .broken && feed().pageWalk?.problem == nil)
        try expectEqual(rig.run().status, .success)
        expectEqual(broken.requests.filter { $0.query == "page=2" }.count, 5)
    }

    @Test(arguments: ["feed.xml?page=2", "feed.xml", "?page=2#more"])
    func pagesThatLeadInACircleEnd(next: String) throws {
        let endpoint = serve([
            "": Page(numbers: [9, 8], next: "feed.xml?page=2"), "page=2": Page(numbers: [7, 6], next: next),
        ])
        try expectEqual(rig.run("add", endpoint.url).status, .success)
        expectEqual(queries(), ["", "page=2"])
        try expectNumbers([9, 8, 7, 6])
        try expectEqual(feed().pageWalk?.end, .circle)
    }

    @Test func aServerThatGivesTheSamePageUnderEveryNameIsSeenThrough() throws {
        let endpoint = rig.serve("/feed.xml") { request in
            let number = request.query.flatMap { Int($0.dropFirst(5)) } ?? 1
            let page = Page(numbers: [9, 8], next: "feed.xml?page=\(number + 1)")
            // Only the link differs, and only from the newest page.
            let body = number == 1 ? page.body : Page(numbers: [7], next: "feed.xml?page=99").body
            return .resource(Resource(body, contentType: "application/rss+xml", etag: nil, lastModified: nil))
        }
        try expectEqual(rig.run("add", endpoint.url).status, .success)
        expectEqual(queries(), ["", "page=2", "page=99"])
        try expectEqual(feed().pageWalk?.end, .circle)
    }

    @Test func aChainOfArchivesIsReadOnce() throws {
        func chain(_ newest: [Int]) -> [String: Page] {
            [
                "": Page(numbers: newest, next: "/feed.xml?page=2", relation: "prev-archive"),
                "page=2": Page(numbers: [6, 5], next: "/feed.xml?page=1", relation: "prev-archive"),
                "page=1": Page(numbers: [4, 3]),
            ]
        }
        let first = serve(chain([8, 7]))
        try expectEqual(rig.run("add", first.url).status, .success)
        try expectNumbers([8, 7, 6, 5, 4, 3])
        serve(chain([9, 8]))
        try expectEqual(rig.run("A show").status, .success)
        expectEqual(queries(after: 3), [""])
        try expectNumbers([9, 8, 7, 6, 5, 4, 3])
    }

    @Test func whatIsDroppedIsFlaggedAndWhatStandsOnAnotherPageIsNot() throws {
        let before = serve(threePages())
        try expectEqual(rig.run("add", before.url).status, .success)
        // The newest page lost one of its items; items that were on the newest page before are on the next page now.
        serve(threePages(newest: [10, 9, 7]))
        try expectEqual(rig.run("A show").status, .success)
        try expectEqual(gone(), ["Episode 8"])
        // Pages lost some at their edges: only reading all tells.
        serve([
            "": Page(numbers: [11, 10, 9], next: "?page=2"), "page=2": Page(numbers: [6, 5], next: "?page=3"),
            "page=3": Page(numbers: [3, 2]),
        ])
        try expectEqual(rig.run("--force").status, .success)
        try expectEqual(gone(), ["Episode 8", "Episode 7", "Episode 4", "Episode 1"])
    }

    @Test func aPageOnThePrivateNetworkOfSomebodyElseIsRefused() throws {
        let endpoint = serve(["": Page(numbers: [9, 8], next: "http://localhost:\(rig.server.port)/feed.xml?page=2")])
        try expectEqual(rig.run("add", endpoint.url).status, .success)
        expectEqual(endpoint.requests.count, 1)
        try expectEqual(feed().pageWalk?.problem?.contains("refused"), true)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://media.example/feed.xml", "gopher://x.example/"])
    func aPageThatIsNotOnTheWebIsNotAskedFor(next: String) throws {
        let endpoint = serve(["": Page(numbers: [9, 8], next: next)])
        try expectEqual(rig.run("add", endpoint.url).status, .success)
        try expectNumbers([9, 8])
        #expect(try feed().pageWalk?.end != .last)
    }

    @Test func aDocumentThatBreaksOffFlagsNothing() throws {
        let whole = serve(["": Page(numbers: [9, 8, 7])])
        try expectEqual(rig.run("add", whole.url).status, .success)
        let body = String(decoding: Page(numbers: [10, 9]).body, as: UTF8.self)
        rig.serve(
            "/feed.xml",
            .status(200, fields: [("Content-Type", "application/rss+xml")], body: Array(body.utf8.dropLast(30))))
        _ = try rig.run("A show")
        try expectNumbers([10, 9, 8, 7])
        #expect(try gone().isEmpty)
    }

    @Test func explainSaysWhatWouldBeFollowedAndWhy() throws {
        let endpoint = serve(threePages())
        let asNew = try rig.run("explain", endpoint.url).output
        expectContains(asNew, "page=2: followed to the last, because not all were read yet")
        try expectEqual(rig.run("add", endpoint.url).status, .success)
        let known = try rig.run("explain", "1").output
        expectContains(known, "older pages     2 followed, because not all were read before, 6 new episodes")
        expectContains(known, "page=2: not followed, because the newest page has known episodes")
        try expectEqual(rig.run("explain", "--json", "1").json["library"]?["pages"]?["end"], "last")
    }

    @Test func rulesLeaveABackCatalogueAlone() throws {
        let newest = serve(["": Page(numbers: [9, 8, 7])])
        try expectEqual(rig.run("add", newest.url).status, .success)
        _ = try rig.store().rules.addRule(RuleText(parsing: "then played"), feed: nil)
        serve(threePages(newest: [10, 9, 8, 7]))
        try expectEqual(rig.run("A show").status, .success)
        try expectNumbers(Array((1...10).reversed()))
        let played = try rig.store().episodes.page(
            EpisodeFilter(isPlayed: true), order: .newestFirst, at: .first, limit: 99)
        expectEqual(played.episodes.map(\.title), ["Episode 10"])
    }
}
