@testable import Library
import PodcastModel
import Testing
import TestSupport

/// Random documents with every trick that hosts are known to play.
struct IdentityPropertyTests {
    /// A publisher's episode, and how the host presents it now.
    private struct Published {
        let number: Int
        var guid: String
        var token = "show"
        var prefix = ""
        var query = ""
        var correction = 0
        var hours: Int64 = 0

        func item() -> Item {
            LibraryTests.item(number) {
                $0.guid = guid
                $0.title = "Episode \(number)"
                $0.summary = "Summary \(correction)"
                $0.published = $0.published?.adding(seconds: hours * 3600)
                $0.enclosures[0].url = "https://\(prefix)cdn.example/\(token)/\(number).mp3\(query)"
            }
        }
    }

    private struct Host {
        /// Episodes that the host does not list, from the first on; it may do so for several rounds.
        var absent = 0
        var episodes: [Published] = []
        var next = 1
        var round = 0

        mutating func publish(_ count: Int) {
            for _ in 0..<count {
                episodes.append(Published(number: next, guid: "g\(next)"))
                next += 1
            }
        }

        /// Does one thing to all or one.
        mutating func play(_ trick: Int, at index: Int) {
            round += 1
            func all(_ change: (inout Published) -> Void) { for place in episodes.indices { change(&episodes[place]) } }
            switch trick {
            case 0: publish(1)
            case 1: all { $0.guid = "r\(round)-\($0.number)" }
            case 2: all { $0.token = "t\(round)" }
            case 3: all { $0.query = "?token=\(round)" }
            case 4: all { $0.prefix = $0.prefix.isEmpty ? "track.example/e/" : "" }
            case 5: all { ($0.guid, $0.token) = ("r\(round)-\($0.number)", "t\(round)") }
            case 6: episodes[index].correction += 1
            case 7: all { $0.hours = $0.hours == 0 ? 6 : 0 }
            case 8: episodes[index].guid = "one-\(round)"
            case 9: all { $0.guid = $0.guid.uppercased() }
            case 10:
                publish(1)
                episodes[episodes.count - 1].guid = episodes[index].guid
            default: break
            }
        }

        /// What the host presents now, in one document or two. Whatever changed of an episode in its absence, it is the
        /// same when it comes back.
        mutating func documents(using generator: inout SeededNumbers) -> [[Item]] {
            if Int.random(in: 0..<3, using: &generator) == 0 { absent = Int.random(in: 0..<3, using: &generator) }
            let items = episodes.dropFirst(absent).map { $0.item() }
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: return [items.shuffled(using: &generator)]
            case 1: return [items + [items[Int.random(in: items.indices, using: &generator)]]]
            case 2: return [items, Array(items.dropFirst(2))]
            default: return [items]
            }
        }
    }

    @Test(arguments: 1...40)
    func noTrickLosesOrDuplicates(seed: Int) throws {
        var generator = SeededNumbers(state: UInt64(seed))
        var host = Host()
        host.publish(8)
        let feed = try MergedFeed(host.episodes.map { $0.item() })
        let ids = try feed.ids()
        try feed.store.episodes.savePosition(MediaTime(seconds: 77), of: ids[1], at: day0, isDurable: true)
        try feed.store.episodes.setPlayed(true, [ids[2]], at: day0)
        try feed.store.episodes.setStarred(true, [ids[3]])
        try feed.store.episodes.setNote("mine", of: ids[4])
        _ = try feed.store.queue.insertEntries([ids[5], ids[0]], at: 0)
        for _ in 0..<12 {
            host.play(Int.random(in: 0..<11, using: &generator), at: Int.random(in: 0..<8, using: &generator))
            for items in host.documents(using: &generator) { _ = try feed.merge(items) }
            let titles = try feed.titles()
            expectEqual(Set(titles).count, titles.count, "shown twice in \(titles)")
            #expect(titles.count <= host.episodes.count)
        }
        try expectEqual(feed.store.episodes.episode(ids[1]).state.position, MediaTime(seconds: 77))
        #expect(try feed.store.episodes.episode(ids[2]).state.isPlayed)
        #expect(try feed.store.episodes.episode(ids[3]).state.isStarred)
        try expectEqual(feed.store.episodes.episode(ids[4]).state.note, "mine")
        try expectEqual(feed.store.queue.queue().entries.map(\.episode), [ids[5], ids[0]])
        host.absent = 0
        _ = try feed.merge(host.episodes.map { $0.item() })
        for (place, id) in ids.enumerated() {
            try expectEqual(feed.store.episodes.episode(id).title, "Episode \(place + 1)")
        }
    }
}
