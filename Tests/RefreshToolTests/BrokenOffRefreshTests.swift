import CommandLineTool
import Foundation
import Library
import LoopbackServer
import PodcastModel
import Testing
import TestSupport

/// Runs that ended while they read a document, as if the document had ended them.
@Suite(.ownThread) struct BrokenOffRefreshTests {
    private let rig: RefreshRig

    init() throws { rig = try RefreshRig() }

    /// Leaves behind what a process leaves that ends while it reads a document.
    private func breakOff(_ attempt: DocumentAttempt) throws {
        let store = try rig.store()
        try #require(store.attempts).begin(attempt)
    }

    @Test func aFeedWhoseDocumentEndedTheLastRunHasFailedAndIsNotTriedAtOnce() throws {
        let first = try rig.publish("two-episodes.xml", at: "/first.xml")
        try expectEqual(rig.run("add", first.url).status, .success)
        try breakOff(DocumentAttempt(feed: FeedID(1)))
        let count = rig.server.requests.count
        let run = try rig.run()
        expectContains(run.errors, "ran out of memory while it read this document")
        expectEqual(rig.server.requests.count, count, "nothing is fetched")
        try expectEqual(rig.store().feeds.feed(FeedID(1)).health.failures, 1)
        #expect(
            try rig.store().refreshes.dueFeeds(at: Timestamp(year: 2100, month: 1, day: 1), isForced: true)[0]
                .isBrokenOff)

        // Named by hand it is tried, and a success clears it.
        try expectEqual(rig.run("1").status, .success)
        try expectEqual(
            rig.store().refreshes.dueFeeds(at: Timestamp(year: 2100, month: 1, day: 1), isForced: true)[0]
                .isBrokenOff, false)
        #expect(try rig.run().errors.isEmpty, "it is reported once")
    }

    @Test func aPageThatEndedTheLastRunIsPutOff() throws {
        let endpoint = rig.serve("/feed.xml") { request in
            request.query == nil
                ? .resource(
                    Resource(
                        FeedPage(numbers: [2, 1], next: "feed.xml?page=2").body, contentType: "application/rss+xml",
                        etag: "\"1\"", lastModified: nil))
                : .status(503)
        }
        _ = try rig.run("add", endpoint.url)
        let before = try #require(try rig.store().feeds.feed(FeedID(1)).pageWalk?.pending)
        try breakOff(DocumentAttempt(feed: FeedID(1), isOlderPage: true))
        let run = try rig.run()
        expectContains(run.errors, "ran out of memory")
        let after = try #require(try rig.store().feeds.feed(FeedID(1)).pageWalk?.pending)
        #expect(after.failures == before.failures + 1 && after.due != nil)
        expectEqual(after.error?.contains("ran out of memory"), true)
        try expectEqual(rig.store().feeds.feed(FeedID(1)).health.failures, 0, "the feed itself is well")
    }
}
