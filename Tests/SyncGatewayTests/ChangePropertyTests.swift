@testable import SyncGateway
import CRecordingVFS
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
    fileprivate static let feed = "https://feeds.example/show"
    fileprivate static let episodes = 4

    /// Enough for some seconds; HISTORIES in the environment is another number.
    private static let histories = ProcessInfo.processInfo.environment["HISTORIES"].flatMap(UInt64.init) ?? 300

    @Test func afterAnyHistoryAllHaveTheSameAndAreSilent() throws {
        // Each library has a name of its own.
        let templates = try (0...2).map { _ in try House.template() }
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
    final class Place: LogPeer {
        let store: LibraryStore
        let folder: String
        /// Milliseconds by which the clock is ahead of the true time.
        let offset: Int64
        unowned let house: House
        var account = SyncAccount()
        /// Commands that are carried out before an exchange is cut; nil for no cut.
        var remaining: Int?
        /// Whether the answer of the last command is lost, too.
        var losesAnswer = false
        var sent = 0
        /// Name of the client that exchanges changes with this server.
        var device = ""
        let serverName = "server"

        init(_ template: String, offset: Int64, _ house: House) throws {
            folder = "/dev/shm/podcastd-changes-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: template, toPath: folder + "/library.db")
            store = try LibraryStore(path: folder + "/library.db")
            self.offset = offset * 1000
            self.house = house
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        var now: Timestamp { house.time.adding(milliseconds: offset) }

        /// Runs with this place's clock.
        func at<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
            test_clock_set(now.milliseconds)
            defer { test_clock_set(0) }
            return try body()
        }

        /// - Returns: whether the answer is lost.
        private func cut() throws(SyncFailure) -> Bool {
            guard let left = remaining else { return false }
            remaining = left - 1
            if left > 0 { return false }
            if losesAnswer { return true }
            throw SyncFailure(message: "no network")
        }

        func list(_ command: ListChanges) throws(SyncFailure) -> ChangePage {
            let isLost = try cut()
            guard
                let page = at({
                    try? store.changes.page(
                        since: command.since, through: command.through,
                        kinds: command.kinds.isEmpty ? nil : command.kinds, limit: min(3, command.limit))
                }), !isLost
            else { throw SyncFailure(message: "no answer") }
            return ChangePage {
                $0.changes = page.changes
                $0.revision = page.revision
                $0.latest = page.latest
                $0.hasMore = page.hasMore
            }
        }

        func apply(_ command: ApplyChanges) throws(SyncFailure) -> AppliedChanges {
            let isLost = try cut()
            // As they are on the way.
            let changes = command.changes.compactMap { LibraryChange(json: $0.json) }
            guard changes == command.changes,
                let applied = at({
                    try? store.changes.apply(
                        changes, of: command.device, isFirst: command.isFirst, except: nil, at: now)
                }), !isLost
            else { throw SyncFailure(message: "no answer") }
            sent += applied.changed + applied.unchanged
            return AppliedChanges {
                $0.changed = applied.changed
                $0.refused = applied.refused
                $0.before = applied.before
                $0.revision = applied.revision
            }
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
    private var acts = 0

    init(_ seed: UInt64, _ templates: [String]) throws {
        random = SeededNumbers(state: seed)
        for index in 0...2 {
            let offset = index == 0 ? 0 : [0, 0, 3 * 3600, -5 * 3600, 86_400].randomElement(using: &random)!
            places.append(try Place(templates[index], offset: Int64(offset), self))
        }
    }

    static func template() throws -> String {
        try #require(test_clock_install() == 0)
        let path = FileManager.default.temporaryDirectory.path + "/changes-\(UUID().uuidString.prefix(8)).db"
        let start = Timestamp(year: 2025, month: 12, day: 1)
        test_clock_set(start.milliseconds)
        defer { test_clock_set(0) }
        let store = try LibraryStore(path: path)
        _ = try store.feeds.addFeed(url: ChangePropertyTests.feed, title: nil, at: start)
        try refresh(store, edition: 0, at: start)
        return path
    }

    /// Fetches the feed, in which each edition has other GUIDs or addresses.
    private static func refresh(_ store: LibraryStore, edition: Int, at now: Timestamp) throws {
        var contents = FeedContents()
        contents.channel.title = "A show"
        contents.items = (1...ChangePropertyTests.episodes).map { number in
            var item = Item()
            item.guid = edition == 1 ? "new-\(number)" : "guid-\(number)"
            item.title = "Episode \(number)"
            item.published = Timestamp(year: 2025, month: 11, day: number)
            item.duration = MediaTime(seconds: 1800)
            let host = edition == 2 ? "media.example/shows" : "cdn.example/show"
            item.enclosures = [Enclosure(url: "https://\(host)/\(number).mp3", type: "audio/mpeg", length: 1000)]
            return item
        }
        let fetch = FetchRecord(time: now, httpStatus: 200, nextDue: now.adding(seconds: 3600))
        let feed = try #require(try store.feeds.feed(url: ChangePropertyTests.feed)).id
        _ = try store.refreshes.merge([FetchedDocument(feed: feed, contents: contents, fetch: fetch)])
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
            try place.at { try Self.refresh(place.store, edition: edition, at: place.now) }
        case 12:
            steps.append("undo(\(index))")
            acts += 20
            try place.at {
                let step = try place.store.history.steps(.undo, at: place.now).first
                if let step, step.act != .subscribed {
                    _ = try place.store.history.turnLast(.undo, step: step.id, at: place.now)
                }
            }
        default: time = time.adding(seconds: Int64.random(in: 1...40 * 86_400, using: &random))
        }
    }

    private func act(_ place: Place, _ index: Int) throws {
        acts += 1
        let store = place.store
        let episode = EpisodeID(Int64.random(in: 1...Int64(ChangePropertyTests.episodes), using: &random))
        let feed = try #require(try store.feeds.feed(url: ChangePropertyTests.feed)).id
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
            case 11, 12:
                _ = try store.sync.setPosition(
                    MediaTime(seconds: Double(number * 100 + index)), isPlayed: false, of: episode, device: nil,
                    heard: nil,
                    at: now)
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
        server.device = "place \(index)"
        var pass = ChangePass(place.account, place, server, isDryRun: false)
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
        for edition in [0] {
            for place in places { try place.at { try Self.refresh(place.store, edition: edition, at: place.now) } }
        }
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
