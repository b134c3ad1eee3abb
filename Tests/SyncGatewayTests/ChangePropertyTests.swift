@testable import SyncGateway
import ControlLanguage
import ControlProtocol
import Foundation
import Library
import PodcastModel
import TestSupport
import Testing

/// Random histories of three podcastds of a user: a server and two others whose clocks are wrong, which are offline at times, whose
/// exchanges are lost at any place or come twice, and which learn of new GUIDs and addresses of episodes at different times.
@Suite(.ownThread)
struct ChangePropertyTests {
    fileprivate static let episodes = 4

    /// Enough for some seconds; HISTORIES in the environment is another number.
    private static let histories = ProcessInfo.processInfo.environment["HISTORIES"].flatMap(UInt64.init) ?? 300

    @Test func afterAnyHistoryAllHaveTheSameAndAreSilent() throws {
        // Each library has a name of its own.
        let templates = try (0...2).map { _ in try SyncedLibrary.template(episodes: Self.episodes) }
        defer { for template in templates { try? FileManager.default.removeItem(atPath: template) } }
        for seed in 1...Self.histories {
            let house = try House(seed, templates)
            for _ in 0..<Int.random(in: 5...40, using: &house.random) { try house.step() }
            if let fault = try house.fault() {
                Issue.record(
                    "seed \(seed), clocks \(house.places.map(\.offset)): \(fault)\n\(house.steps.joined(separator: "\n"))"
                )
                return
            }
        }
    }
}

/// Three libraries; the first one is the server's.
private final class House {
    /// One podcastd.
    final class Place: SyncedLibrary {
        /// Commands that are carried out before an exchange is cut; nil for no cut.
        var remaining: Int?
        /// Whether the answer of the last command is lost, too.
        var losesAnswer = false
        var sent = 0

        private func cut<Reply>(_ answer: () throws(SyncFailure) -> Reply) throws(SyncFailure) -> Reply {
            guard let left = remaining else { return try answer() }
            remaining = left - 1
            if left > 0 { return try answer() }
            if losesAnswer { _ = try answer() }
            throw SyncFailure(message: "no network")
        }

        override func list(_ command: ListChanges) throws(SyncFailure) -> ChangePage {
            try cut { () throws(SyncFailure) in try super.list(command) }
        }

        override func apply(_ command: ApplyChanges) throws(SyncFailure) -> AppliedChanges {
            let applied = try cut { () throws(SyncFailure) in try super.apply(command) }
            sent += applied.changed + applied.unchanged
            return applied
        }

        var contents: [String] {
            get throws {
                try store.changes.page(since: 0, limit: 1_000).changes.map(\.content).filter { !$0.isRemoval }.map {
                    content in
                    // Names of episodes may differ.
                    let owner = content.episode.map { $0.identity.title } ?? content.subject.feed
                    let subject = "\(content.kind) \(owner ?? "") \(content.subject.name)"
                    return "\(subject) \(String(describing: content.value))"
                }.sorted()
            }
        }

        /// The entries of each playlist by hand.
        var lists: [String: [EpisodeID]] {
            get throws {
                var lists: [String: [EpisodeID]] = [:]
                for playlist in try store.playlists.all() where playlist.content.isByHand {
                    lists[playlist.name] = try store.playlists.list(playlist.name).queue().entries.map(\.episode)
                }
                return lists
            }
        }

        var queue: [EpisodeID] { get throws { try store.queue.queue().entries.map(\.episode) } }
    }

    var random: SeededNumbers
    var time = Timestamp(year: 2026, month: 1, day: 1)
    private(set) var places: [Place] = []
    private(set) var steps: [String] = []

    init(_ seed: UInt64, _ templates: [String]) throws {
        random = SeededNumbers(state: seed)
        for index in 0...2 {
            let offset = index == 0 ? 0 : [0, 0, 3 * 3600, -5 * 3600, 86_400].randomElement(using: &random)!
            places.append(try Place(templates[index], offset: Int64(offset)) { [unowned self] in time })
        }
    }

    private func refresh(_ place: Place, edition: Int) throws {
        try place.at {
            try Place.refresh(place.store, episodes: ChangePropertyTests.episodes, edition: edition, at: place.now)
        }
    }

    func step() throws {
        time = time.adding(milliseconds: Int64.random(in: 1...5_000, using: &random))
        let index = Int.random(in: 0...2, using: &random)
        let place = places[index]
        switch Int.random(in: 0..<14, using: &random) {
        case 0..<8: try act(place, index)
        case 8..<11: try synchronize(max(1, index), isCut: Bool.random(using: &random))
        case 11:
            let edition = Int.random(in: 0...2, using: &random)
            steps.append("refresh(\(index), edition: \(edition))")
            try refresh(place, edition: edition)
        case 12:
            steps.append("undo(\(index))")
            try place.undoLast()
        default: time = time.adding(seconds: Int64.random(in: 1...40 * 86_400, using: &random))
        }
    }

    private func act(_ place: Place, _ index: Int) throws {
        let store = place.store
        let episode = EpisodeID(Int64.random(in: 1...Int64(ChangePropertyTests.episodes), using: &random))
        let feed = try #require(try store.feeds.feed(url: Place.feed)).id
        let kind = Int.random(in: 0..<21, using: &random)
        let number = Int.random(in: 0...3, using: &random)
        steps.append("act(\(index), \(kind), \(episode), \(number))")
        let now = place.now
        try place.at {
            let entries = try store.queue.queue().entries
            switch kind {
            case 0: try store.episodes.setStarred(number > 1, [episode])
            case 1: try store.episodes.setNote(number == 0 ? nil : "note \(number) \(index)", of: episode)
            case 2:
                _ = try store.bookmarks.addBookmark(
                    PortableBookmark(position: MediaTime(seconds: Double(number)), text: "\(index)", created: now),
                    to: episode)
            case 3:
                let ids = try store.bookmarks.bookmarks(after: nil, limit: 1).map(\.id)
                try store.bookmarks.removeBookmarks(ids)
            case 4, 5: _ = try store.queue.insertEntries([episode], at: number)
            case 6: try store.queue.removeEntries(entries.dropFirst(number).prefix(1).map(\.id))
            case 7: try store.queue.moveEntries(entries.dropFirst(number).prefix(2).map(\.id), to: 0)
            case 8: try store.imports.setTags(number == 0 ? [] : ["tag \(number)", "tag \(index)"], of: feed)
            case 9: try store.feeds.setSetting("speed", to: number == 0 ? nil : "1.\(number)", of: feed)
            case 10:
                let rules = try store.rules.rules(for: nil)
                if number == 0, let rule = rules.last {
                    try store.rules.removeRule(rule.id)
                } else if number == 1, let rule = rules.last {
                    try store.rules.moveRule(rule.id, to: 0)
                } else {
                    let text = try RuleText(parsing: "longer:\(number)\(index)m then queue")
                    _ = try? store.rules.addRule(text, feed: number == 2 ? feed : nil)
                }
            case 11, 12: try place.setPosition(number * 100 + index, of: episode)
            case 13: try store.episodes.setPlayed(number > 1, [episode], at: now)
            case 14:
                let other = "https://feeds.example/other"
                if let feed = try store.feeds.feed(url: other) {
                    try store.feeds.removeFeed(feed.id, at: now)
                } else {
                    _ = try store.feeds.addFeed(url: other, title: nil, at: now)
                }
            case 15:
                _ = try store.rules.applyToStoredEpisodes(EpisodeFilter(), after: nil, nextIndex: nil, at: now)
            case 17, 18:
                if try store.playlists.playlist(named: "By hand") == nil {
                    try store.playlists.savePlaylist(Playlist(name: "By hand", .byHand))
                }
                let list = store.playlists.list("By hand")
                let own = try list.queue().entries
                switch number {
                case 0: try list.removeEntries(own.prefix(1).map(\.id))
                case 1: try list.moveEntries(own.suffix(1).map(\.id), to: 0)
                default: _ = try list.insertEntries([episode], at: number - 2)
                }
            case 19:
                let names = number > 1 ? ["By hand", "Other hand"] : ["Other hand", "By hand"]
                try? store.playlists.rename(names[0], to: names[1])
            case 20 where number < 2: try? store.playlists.removePlaylist(named: number == 0 ? "By hand" : "Other hand")
            default:
                if number == 0 {
                    try? store.playlists.removePlaylist(named: "Mine")
                } else {
                    let filter = try EpisodeExpression(parsing: "longer:\(number)m")
                    try store.playlists.savePlaylist(Playlist(name: "Mine", filter: filter))
                }
            }
        }
    }

    private func synchronize(_ index: Int, isCut: Bool) throws {
        let (place, server) = (places[index], places[0])
        let cut = isCut ? Int.random(in: 0...6, using: &random) : nil
        server.losesAnswer = Bool.random(using: &random)
        server.remaining = cut
        steps.append("synchronize(\(index), cut: \(cut.map(String.init) ?? "-"), \(server.losesAnswer))")
        let peer = LogPeer(server, name: "server", device: "place \(index)")
        var pass = ChangePass(place.account, place, peer, isDryRun: false)
        do {
            #expect(try !pass.run(isAgreed: true))
            place.account = pass.account
        } catch {
            #expect(cut != nil, "\(error)")
            // Sometimes podcast-sync could still report how far it was.
            if server.losesAnswer { place.account = pass.account }
        }
        server.remaining = nil
    }

    /// The difference between the libraries after exchanges without faults; nil if there is none.
    func fault() throws -> String? {
        for place in places { try refresh(place, edition: 0) }
        for _ in 0..<2 {
            for index in 1...2 { try synchronize(index, isCut: false) }
        }
        for place in places { place.sent = 0 }
        for index in 1...2 { try synchronize(index, isCut: false) }
        let (contents, queue) = (try places[0].contents, try places[0].queue)
        for (index, place) in places.enumerated() {
            if place.sent > 0 { return "place \(index) was sent \(place.sent) changes although all was told" }
            if try place.contents != contents {
                let difference = try place.contents.difference(from: contents)
                return "place \(index) differs from the server: \(difference)"
            }
            let rules = try place.store.rules.rules(for: nil).map(\.text)
            if try rules != places[0].store.rules.rules(for: nil).map(\.text) {
                return "the rules of place \(index) are \(rules)"
            }
            if try place.lists != places[0].lists {
                return try "the playlists of place \(index) are \(place.lists), not \(places[0].lists)"
            }
            if try place.queue != queue { return try "the queue of place \(index) is \(place.queue), not \(queue)" }
        }
        return nil
    }
}
