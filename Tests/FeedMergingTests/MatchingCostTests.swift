@testable import Library
import PodcastModel
import Testing

/// What recognizing the items of hostile documents costs in comparisons, so that a slow computer fails no test.
struct MatchingCostTests {
    /// What all items of a document have in common while the rest changes with each refresh.
    enum Document: String, CaseIterable {
        case oneTitle, oneTitleWithoutDates, oneGUID, oneGUIDAndTitle, noGUID, oneURL, oneURLAndTitle, oneFile
        case allTheSame, renewedGUIDs, renewedDates

        func items(_ count: Int, generation: Int) -> [Item] {
            (0..<count).map { number in
                var item = Item()
                item.title = "Title \(generation) \(number)"
                item.guid = "\(generation)-\(number)"
                item.published = day0
                item.enclosures = [Enclosure(url: "https://cdn.example/\(generation)/\(number).mp3")]
                switch self {
                case .oneTitle: item.title = "Title"
                case .oneTitleWithoutDates: (item.title, item.published) = ("Title", nil)
                case .oneGUID: item.guid = "guid"
                case .oneGUIDAndTitle: (item.guid, item.title) = ("guid", "Title")
                case .noGUID: (item.guid, item.title, item.published) = (nil, "Title", nil)
                case .oneURL: item.enclosures = [Enclosure(url: "https://cdn.example/1.mp3")]
                case .oneURLAndTitle:
                    (item.title, item.published) = ("Title", day0.adding(days: Int64(number + generation * count)))
                    item.enclosures = [Enclosure(url: "https://cdn.example/1.mp3")]
                case .oneFile: item.enclosures = [Enclosure(url: "https://cdn.example/1.mp3?\(generation)-\(number)")]
                case .allTheSame:
                    (item.guid, item.title) = ("guid", "Title")
                    item.enclosures = [Enclosure(url: "https://cdn.example/1.mp3")]
                case .renewedGUIDs:
                    item.title = "Title \(number)"
                    item.enclosures = [Enclosure(url: "https://cdn.example/\(number).mp3?\(generation)")]
                case .renewedDates:
                    (item.title, item.published) = ("Title \(number)", day0.adding(days: Int64(generation * 100)))
                    item.enclosures = [Enclosure(url: "https://cdn.example/\(number).mp3")]
                }
                return item
            }
        }
    }

    private func mergeItem(_ item: Item) throws -> MergeItem {
        var leftOut = LeftOut()
        return try MergeItem(item, &leftOut)
    }

    /// Comparisons of the third refresh, when the episodes of two others are stored.
    private func comparisons(_ document: Document, _ count: Int) throws -> Int {
        var stored: [StoredEpisode] = []
        var plan = MergePlan(items: [], stored: [])
        for generation in 0...2 {
            let items = try document.items(count, generation: generation).map(mergeItem)
            plan = MergePlan(items: items, stored: stored)
            let gone = Set(plan.gone)
            stored = stored.map { episode in
                StoredEpisode(
                    id: episode.id, keys: episode.keys, digest: episode.digest, notesDigest: episode.notesDigest,
                    isGone: episode.isGone || gone.contains(episode.id))
            }
            for index in plan.inserts {
                stored.append(
                    StoredEpisode(
                        id: Int64(stored.count + 1), keys: items[index].keys, digest: 0, notesDigest: 0, isGone: false))
            }
        }
        return plan.comparisons
    }

    @Test(arguments: Document.allCases)
    func comparisonsGrowNoFasterThanTheDocument(document: Document) throws {
        let counts = try [200, 400, 800].map { try comparisons(document, $0) }
        #expect(counts[1] <= counts[0] * 23 / 10 + 100, "\(document): \(counts)")
        #expect(counts[2] <= counts[1] * 23 / 10 + 100, "\(document): \(counts)")
        #expect(counts[2] <= 800 * 200, "\(document): \(counts)")
    }

    @Test func anEpisodeIsFoundByDateAmongThousandsOfOneTitleWhenTheHostRenewsAddressesAndGUIDs() throws {
        func items(_ host: String) throws -> [MergeItem] {
            try (0..<1_000).map { number in
                var item = Item()
                item.title = "The news"
                item.guid = "\(host)-\(number)"
                item.published = day0.adding(days: Int64(number))
                item.enclosures = [Enclosure(url: "https://\(host).example/\(number).mp3")]
                return try mergeItem(item)
            }
        }
        let stored = try items("old").enumerated().map { place, item in
            StoredEpisode(id: Int64(place), keys: item.keys, digest: 0, notesDigest: 0, isGone: false)
        }
        let plan = MergePlan(items: try items("new"), stored: stored)
        #expect(plan.inserts.isEmpty)
        #expect(plan.found.allSatisfy { $0.item == Int($0.episode) })
    }
}

private let day0 = Timestamp(year: 2026, month: 1, day: 1)

extension Timestamp {
    fileprivate func adding(days: Int64) -> Timestamp { adding(seconds: days * 86_400) }
}
