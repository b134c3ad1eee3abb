@testable import Library
import PodcastModel
import Testing
import TestSupport

/// `docs/IDENTITY.md`, row by row: a feed of five episodes, and what the next document does with it.
struct IdentityTableTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Changes an item, given its number.
        let change: @Sendable (Int, inout Item) -> Void
        /// How many of the five are new episodes.
        var new = 0
        /// What is written down, without the order.
        var kinds: [IdentityDecision.Kind] = []
        /// What the five have in the first document.
        var before: @Sendable (Int, inout Item) -> Void = { _, _ in }

        init(
            _ name: String, new: Int = 0, _ kinds: [IdentityDecision.Kind] = [],
            before: @escaping @Sendable (Int, inout Item) -> Void = { _, _ in },
            _ change: @escaping @Sendable (Int, inout Item) -> Void
        ) {
            testDescription = name
            self.change = change
            self.new = new
            self.kinds = kinds
            self.before = before
        }
    }

    private static func all(_ kind: IdentityDecision.Kind) -> [IdentityDecision.Kind] {
        Array(repeating: kind, count: 5)
    }
    private static let third = 3

    static let rows: [Row] = [
        Row("a title is edited") { $1.title = "Epsiode \($0), corrected" },
        Row("dates move") { $1.published = $1.published?.adding(days: 40) },
        Row("private URLs with a token in the path are renewed") {
            $1.enclosures[0].url = "https://cdn.example/private/new-token/show/\($0).mp3"
        },
        Row("private URLs with a token in the query are renewed") { $1.enclosures[0].url += "?token=new" },
        Row("tracking prefixes come") {
            $1.enclosures[0].url = "https://track.example/e/cdn.example/show/\($0).mp3"
        },
        Row(
            "tracking prefixes go",
            before: { $1.enclosures[0].url = "https://track.example/e/cdn.example/show/\($0).mp3" }
        ) {
            $1.enclosures[0].url = "https://cdn.example/show/\($0).mp3"
        },
        Row("prefixes come where there are no GUIDs", all(.matchedByFile), before: { $1.guid = nil }) {
            $1.guid = nil
            $1.enclosures[0].url = "https://track.example/e/cdn.example/show/\($0).mp3"
        },
        Row("files move to another host where there are no GUIDs", all(.matchedByTitle), before: { $1.guid = nil }) {
            $1.guid = nil
            $1.enclosures[0].url = "https://other.example/\($0)-x.mp3"
        },
        Row("all GUIDs are renewed", all(.matchedByURL)) { $1.guid = "new-\($0)" },
        Row("GUIDs change their case and spaces", all(.matchedByURL)) { $1.guid = " GUID-\($0)" },
        Row(
            "GUIDs are permanent links and go to https", all(.matchedByURL),
            before: { $1.guid = "http://x.example/\($0)" }
        ) {
            $1.guid = "https://x.example/\($0)"
        },
        Row("GUIDs appear", all(.matchedByURL), before: { $1.guid = nil }) { $1.guid = "new-\($0)" },
        Row("GUIDs and addresses are renewed", all(.matchedByTitle)) {
            $1.guid = "new-\($0)"
            $1.enclosures[0].url = "https://new.example/token/\($0)-x.mp3"
        },
        Row("GUIDs, addresses and the time zone change", all(.matchedByTitle)) {
            $1.guid = "new-\($0)"
            $1.enclosures[0].url = "https://new.example/token/\($0)-x.mp3"
            $1.published = $1.published?.adding(seconds: -7 * 3600)
        },
        Row("all GUIDs are renewed and all dates stamped anew", all(.matchedByFile)) {
            $1.guid = "new-\($0)"
            $1.published = day0.adding(days: 500)
            $1.enclosures[0].url += "?migrated"
        },
        Row("titles and addresses change under the same GUIDs", all(.matchedByGUIDAlone)) {
            $1.title = "Show, part \($0)"
            $1.enclosures[0].url = "https://new.example/\($0)-x.mp3"
        },
        Row("one title and file are corrected", [.matchedByGUIDAlone]) {
            guard $0 == third else { return }
            $1.title = "Corrected"
            $1.enclosures[0].url = "https://cdn.example/show/3-fixed.mp3"
        },
        Row("one GUID is reused by another episode", new: 1, [.reusedGUID]) {
            guard $0 == third else { return }
            $1 = item(40) { $0.guid = "guid-3" }
        },
        Row("items are numbered from the top", new: 1, all(.matchedByURL).dropLast() + [.reusedGUID]) {
            $1 = item($0 + 1) { [number = $0] in $0.guid = "guid-\(number)" }
        },
        Row("one episode is published again with GUID and date of its own", new: 1) {
            guard $0 == third else { return }
            $1.guid = "best-of-3"
            $1.published = day0.adding(days: 300)
        },
        Row("one episode is published for all, after some could hear it early", [.matchedByFile]) {
            guard $0 == third else { return }
            $1.guid = "public-3"
            $1.published = $1.published?.adding(days: 1)
        },
        Row("the same, from another address", [.matchedByTitle]) {
            guard $0 == third else { return }
            $1.guid = "public-3"
            $1.published = $1.published?.adding(days: 7)
            $1.enclosures[0].url = "https://public.example/three.mp3"
        },
        Row("one episode is replaced by another of the same title", new: 1) {
            guard $0 == third else { return }
            $1.guid = "other-3"
            $1.published = $1.published?.adding(days: 1)
            $1.duration = MediaTime(seconds: 900)
        },
        Row("the items stand the other way round") { _, _ in },
        Row("another feed", new: 5, [.otherFeed]) { $1 = item($0 + 700) },
    ]

    @Test(arguments: rows)
    func theNextDocumentHidesAndDuplicatesNothing(row: Row) throws {
        let isReversed = row.testDescription.contains("the other way")
        func items(_ change: (Int, inout Item) -> Void) -> [Item] {
            (1...5).map { number in
                item(number) {
                    row.before(number, &$0)
                    change(number, &$0)
                }
            }
        }
        let feed = try MergedFeed(items { _, _ in })
        let ids = try feed.ids()
        let next = isReversed ? items(row.change).reversed() : items(row.change)
        let title = row.kinds.contains(.otherFeed) ? "Another" : "show"
        let result = try feed.store.refreshes.merge(document(next, title: title), into: feed.feed, fetched())
        expectEqual(result.added.count, row.new)
        let kinds = try feed.store.identity.identityDecisions(of: feed.feed, limit: 100).map(\.kind)
        expectEqual(kinds.map(\.rawValue).sorted(), row.kinds.map(\.rawValue).sorted())
        #expect(try Set(feed.ids()).isSuperset(of: ids))
        let again = try feed.store.refreshes.merge(document(next, title: title), into: feed.feed, fetched())
        expectEqual(again, MergeResult(), "the same document again changes nothing")
    }

    /// An episode that its feed had dropped, and how it comes back.
    struct Return: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let isSame: Bool
        let change: @Sendable (inout Item) -> Void

        init(_ name: String, isSame: Bool, _ change: @escaping @Sendable (inout Item) -> Void) {
            testDescription = name
            self.isSame = isSame
            self.change = change
        }

        static let all: [Return] = [
            Return("with another GUID and zone", isSame: true) {
                $0.guid = "back"
                $0.published = $0.published?.adding(seconds: 6 * 3600)
            },
            Return("put right and published anew", isSame: true) {
                $0.guid = "back"
                $0.published = $0.published?.adding(days: 3)
                $0.enclosures[0].url += "?v=2"
            },
            Return("with another GUID, zone and address", isSame: true) {
                $0.guid = "back"
                $0.published = $0.published?.adding(seconds: -6 * 3600)
                $0.enclosures[0].url = "https://new.example/x.mp3"
            },
            Return("as a rerun after months", isSame: false) {
                $0.guid = "rerun"
                $0.published = $0.published?.adding(days: 90)
            },
            Return("with another address, days later", isSame: false) {
                $0.guid = "back"
                $0.published = $0.published?.adding(days: 3)
                $0.enclosures[0].url = "https://new.example/x.mp3"
            },
            Return("with another length", isSame: false) {
                $0.guid = "back"
                $0.published = $0.published?.adding(days: 3)
                $0.duration = MediaTime(seconds: 1700)
            },
            Return("without a length", isSame: false) {
                $0.guid = "back"
                $0.published = $0.published?.adding(days: 3)
                $0.duration = nil
            },
        ]
    }

    @Test(arguments: Return.all)
    func whatWasDroppedAndComesBackIsTheSameWhereNothingElseCanBeMeant(back: Return) throws {
        let feed = try MergedFeed((1...5).map { item($0) })
        let ids = try feed.ids()
        _ = try feed.merge([1, 2, 4, 5].map { item($0) })
        let result = try feed.merge((1...5).map { number in item(number) { if number == 3 { back.change(&$0) } } })
        expectEqual(result.added.isEmpty, back.isSame)
        try expectEqual(feed.ids().count, back.isSame ? 5 : 6)
        try expectEqual(feed.store.episodes.episode(ids[2]).isGone, !back.isSame)
    }

    @Test func aBulletinOfOneTitleAndLengthIsAnEpisodeEachHourAlsoWhenItWasGone() throws {
        func bulletin(_ hour: Int64) -> Item {
            item(1) {
                $0.guid = "hour-\(hour)"
                $0.title = "News"
                $0.published = day0.adding(seconds: hour * 3600)
            }
        }
        let feed = try MergedFeed([bulletin(1), item(9)])
        for hour in 2...6 {
            try expectEqual(feed.merge([bulletin(Int64(hour)), item(9)]).added.count, 1, "hour \(hour)")
        }
    }

    @Test func whatADocumentSaysTwiceIsOneEpisode() throws {
        let twins: [(String, (inout Item) -> Void)] = [
            ("with the same GUID and file", { $0.title = "Other words" }),
            ("with the same GUID, title and date", { $0.enclosures[0].url = "https://cdn.example/video/1.mp4" }),
            ("with a GUID in another case", { $0.guid = "GUID-1 " }),
            ("with another query", { $0.enclosures[0].url += "?again" }),
            ("without a GUID", { $0.guid = nil }),
        ]
        for (name, change) in twins {
            let feed = try MergedFeed([item(1), item(1, change: change), item(2)])
            try expectEqual(feed.titles(), ["Episode 1", "Episode 2"], "\(name)")
        }
    }

    @Test func aBulletinUnderOneGUIDAndTitleIsAnEpisodeEachDay() throws {
        func bulletin(_ day: Int) -> Item {
            item(day) {
                $0.guid = "latest"
                $0.title = "News of day \(day)"
            }
        }
        let feed = try MergedFeed([bulletin(1)])
        for day in 2...4 { try expectEqual(feed.merge([bulletin(day)]).added.count, 1) }
        try expectEqual(feed.ids().count, 4)
    }
}
