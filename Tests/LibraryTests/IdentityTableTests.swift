import Library
import LibraryModel
import PodcastModel
import Testing

/// `docs/IDENTITY.md`, row by row: a feed of five episodes, and what the next document does with it.
struct IdentityTableTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// What becomes of an item.
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
        let result = try feed.store.merge(document(next, title: title), into: feed.feed, fetched())
        #expect(result.added.count == row.new)
        let kinds = try feed.store.identityDecisions(of: feed.feed, before: nil, limit: 100).map(\.kind)
        #expect(kinds.map(\.rawValue).sorted() == row.kinds.map(\.rawValue).sorted())
        #expect(try Set(feed.ids()).isSuperset(of: ids))
        let again = try feed.store.merge(document(next, title: title), into: feed.feed, fetched())
        #expect(again == MergeResult(), "the same document again changes nothing")
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
            #expect(try feed.titles() == ["Episode 1", "Episode 2"], "\(name)")
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
        for day in 2...4 { #expect(try feed.merge([bulletin(day)]).added.count == 1) }
        #expect(try feed.ids().count == 4)
    }
}
