@testable import Library
import PodcastModel
import Testing
import TestSupport

/// Merges that rewrite more rows than one commit takes.
struct LargeMergeTests {
    private static let count = 700

    private static func items(_ change: (Int, inout Item) -> Void = { _, _ in }) -> [Item] {
        (1...count).map { number in item(number) { change(number, &$0) } }
    }

    private static func renewed() -> [Item] { items { $1.guid = "new-\($0)" } }

    @Test(arguments: [
        ("addresses", LargeMergeTests.items { $1.enclosures[0].url += "?token=2" }), ("GUIDs", renewed()),
    ])
    func othersGetInWhileAHostRenewsEverything(what: String, next: [Item]) throws {
        let feed = try MergedFeed(Self.items())
        var commits = 0
        feed.store.commitObserver = { commits += 1 }
        let result = try feed.merge(next)
        #expect(result.added.isEmpty && Set(result.changed).count == Self.count)
        #expect(commits >= Self.count / 200, "\(what) in \(commits) commits")
        try expectEqual(feed.merge(next), MergeResult())
    }

    @Test func whatAFeedDropsIsFlaggedInSmallCommits() throws {
        let feed = try MergedFeed(Self.items())
        var commits = 0
        feed.store.commitObserver = { commits += 1 }
        _ = try feed.merge([item(1)])
        #expect(commits >= Self.count / 200)
        try expectEqual(feed.store.episodes.count(EpisodeFilter(isGone: true), upTo: 999), .exactly(Self.count - 1))
    }

    /// Each state that a reader, or the process after a kill, could find.
    private func statesDuringMerge(of next: [Item], in feed: MergedFeed) throws -> [TemporaryLibrary] {
        var states: [TemporaryLibrary] = []
        feed.store.commitObserver = {
            if let state = try? feed.library.copyFiles() { states.append(state) }
        }
        _ = try feed.merge(next)
        feed.store.commitObserver = nil
        return states
    }

    @Test func aMergeThatWasKilledHalfWayIsFinishedByTheNext() throws {
        let tricks: [[Item]] = [
            Self.renewed() + [item(800), item(801)],
            Self.items {
                $1.guid = "new-\($0)"
                $1.enclosures[0].url = "https://new.example/\($0)-x.mp3"
                $1.published = $1.published?.adding(seconds: -7 * 3600)
            },
            Self.items { $1.guid = $0 == 1 ? "first" : "guid-\($0 - 1)" },
        ]
        for (place, next) in tricks.enumerated() {
            let feed = try MergedFeed(Self.items())
            let ids = try feed.ids()
            for state in try statesDuringMerge(of: next, in: feed) {
                let store = try state.open()
                _ = try store.refreshes.merge(document(next, title: "show"), into: feed.feed, fetched())
                let episodes = try store.all(order: .oldestFirst)
                expectEqual(episodes.map(\.title), next.compactMap(\.title), "trick \(place)")
                expectEqual(Array(episodes.map(\.id).prefix(Self.count)), ids)
                try expectEqual(
                    store.identity.identityDecisions(of: feed.feed, limit: 999).count, Self.count)
            }
        }
    }

    @Test func whatIsRecognizedByTheWholeGoesInOneCommit() throws {
        let next = Self.items {
            $1.guid = "new-\($0)"
            $1.published = day0.adding(days: 5_000)
        }
        let feed = try MergedFeed(Self.items())
        let states = try statesDuringMerge(of: next, in: feed)
        for state in states {
            let store = try state.open()
            let isStamped = Set(try store.all().map { $0.published.seconds == day0.adding(days: 5_000).seconds })
            expectEqual(isStamped.count, 1, "half of a feed that was stamped anew as a whole")
        }
    }
}
