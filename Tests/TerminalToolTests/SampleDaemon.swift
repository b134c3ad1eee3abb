import ControlClient
import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel

@testable import TerminalTool

/// A daemon with a small library that answers at once, or when the test lets it.
final class SampleDaemon: CommandSender {
    var episodes: [EpisodeReply] = []
    var feeds: [FeedReply] = []
    var queue: [EntryReply] = []
    var queueRevision: UInt64 = 1
    var settings: [SettingReply] = []
    /// What directories find.
    var found: [FoundShow] = []
    /// What subscribing and refreshing bring.
    var subscriptions = SubscriptionsReply()
    var refreshed = RefreshReply()
    /// The URL of a feed that requires a login.
    var needsLogin: String?
    /// What was asked, such as `queue.move {"from":"#1","to":2}`.
    var asked: [String] = []
    /// Whether answers wait for `answer`.
    var isSlow = false
    /// Episodes that queueing adds.
    var added = 1
    /// Width and height of every cover; nil for none.
    var cover: (width: Int, height: Int)?
    var transcript: [JSONValue] = []
    var downloads: [JSONValue] = []
    var bookmarks: [JSONValue] = []
    var notes = "Notes about this.\n\nSecond paragraph."
    /// Whether every command fails.
    var isGone = false
    private var waiting: [() -> Void] = []

    init(episodes count: Int = 300) {
        for index in 0..<count { episodes.append(Self.episode(Int64(count - index), feed: Int64(index % 3 + 1))) }
        feeds = (1...3).map(Self.feed)
        queue = episodes.prefix(4).enumerated().map { index, episode in
            EntryReply(id: EntryID(Int64(index) + 40), index: index + 1, isCurrent: index == 0, episode: episode)
        }
    }

    static let names = ["Café Talk", "Science 日本語 Hour", "The Morning Show"]

    static func episode(_ id: Int64, feed: Int64) -> EpisodeReply {
        let state = EpisodeState(
            position: id % 7 == 1 ? MediaTime(seconds: 600) : .zero, isPlayed: id % 5 == 0, isStarred: id % 4 == 0,
            isDownloaded: id % 6 == 0)
        return EpisodeReply(
            Episode(
                id: EpisodeID(id), feed: FeedID(feed), feedTitle: names[Int(feed) - 1],
                title: "Episode \(id): of things",
                enclosure: Enclosure(url: "https://media.example.test/\(id).mp3", type: "audio/mpeg"),
                published: Timestamp(year: 2026, month: 11, day: Int(id % 28) + 1),
                announcedDuration: MediaTime(seconds: 3_600), state: state), key: "k\(id)")
    }

    static func feed(_ id: Int64) -> FeedReply {
        var feed = Feed(
            id: FeedID(id), url: "https://example.test/\(id)", title: names[Int(id) - 1],
            subscribed: Timestamp(seconds: 0))
        feed.health.lastSuccess = Timestamp(year: 2026, month: 11, day: 19)
        feed.health.error = id == 3 ? "host example.test: name not known" : nil
        (feed.episodeCount, feed.unplayedCount, feed.newCount) = (100, 80, Int(id) - 1)
        return FeedReply(feed, key: "\(id)")
    }

    func send<Called: Command>(
        _ command: Called, handler: @escaping (Result<Called.Reply, ClientFailure>) -> Void
    ) {
        asked.append(Called.name + (command.params.map { " \($0.text)" } ?? ""))
        let deliver = { [self] in
            if isGone { return handler(.failure(.closed)) }
            guard let json = reply(to: Called.name, command.params), let reply = Called.Reply(json: json) else {
                var error = ControlError(
                    .notFound, needsLogin == nil ? "nothing is there" : "login required (HTTP 401)")
                if let needsLogin { (error.hint, error.loginURL) = ("podcastctl subscribe --user NAME", needsLogin) }
                return handler(.failure(.refused(error)))
            }
            handler(.success(reply))
        }
        if isSlow { waiting.append(deliver) } else { deliver() }
    }

    /// Gives the answers that wait.
    func answer() {
        let given = waiting
        waiting = []
        for deliver in given { deliver() }
    }

    private func reply(to name: String, _ params: JSONValue?) -> JSONValue? {
        switch name {
        case "queue.list": return queueList(params).json
        case "feeds.list": return FeedListReply(feeds, hasAfter: false).json
        case "feeds.show":
            guard let feed = feeds.first(where: { $0.feed.id.label == params?["feed"]?.stringValue }) else {
                return nil
            }
            return FeedDetailReply(feed.feed, FeedDetails()).json
        case "episodes.list":
            // Conditions that it does not know are refused.
            if let filter = params?["filter"]?.stringValue, !filter.hasPrefix("is:") { return nil }
            return page(params).json
        case "episodes.show":
            let what = params?["episode"]?.stringValue
            guard let episode = episodes.first(where: { $0.episode.id.label == what }) else { return nil }
            return EpisodeDetailReply {
                ($0.episode, $0.summary, $0.content, $0.html, $0.chapters) = (episode, nil, notes, "<p></p>", chapters)
            }.json
        case "episodes.picture":
            guard let cover else { return nil }
            let pixels = [UInt8](repeating: 200, count: 3 * cover.width * cover.height)
            return PictureReply(Array("P6\n\(cover.width) \(cover.height)\n255\n".utf8) + pixels, .ppm, of: "").json
        case "episodes.chapters": return ["episode": 1, "title": "", "chapters": .array(chapters.map(\.json))]
        case "episodes.downloads": return ["hasAfter": false, "downloads": .array(downloads)]
        case "episodes.transcript":
            return ["episode": 300, "cues": .array(transcript)]
        case "feeds.find": return FoundShowsReply { ($0.shows, $0.failed) = (found, []) }.json
        case "settings.list": return SettingListReply(settings).json
        case "playlists.list":
            let count = RowCount.exactly(7)
            var long = PlaylistReply {
                ($0.name, $0.title, $0.filter, $0.count) = ("long", "Long ones", "longer:1h", count)
            }
            long.order = .oldestFirst
            return [
                "playlists": [
                    PlaylistReply { ($0.name, $0.title, $0.count) = ("new", "New", count) }.json,
                    long.json,
                ]
            ]
        case "rules.list":
            return [
                "rules": [["id": 1, "rule": "type:trailer then skip"], ["id": 2, "rule": "longer:1h then queue"]]
            ]
        case "bookmarks.list":
            return ["bookmarks": .array(bookmarks)]
        case "settings.set": return SettingReply().json
        case "feeds.subscribe":
            return needsLogin == nil ? subscriptions.json : nil
        case "feeds.refresh": return refreshed.json
        case "queue.remove": return QueueEditReply { ($0.count, $0.length) = (1, queue.count - 1) }.json
        case "queue.add":
            return QueueAdditionReply {
                ($0.entries, $0.length) = ((0..<added).map { EntryID(Int64(99 + $0)) }, queue.count + added)
            }.json
        case AddOutput.name: return ["name": params?["name"] ?? .null, "specification": "null"]
        case "playback.seek": return ["position": params?["time"] ?? .null, "state": "playing"]
        case "playback.volume": return ["volume": 85]
        case "playback.undo": return UndoneReply { ($0.act, $0.count, $0.title) = (.starred, 3, "Episode 300") }.json
        case "playback.redo": return UndoneReply { ($0.act, $0.count, $0.title) = (.removed, 1, "Episode 300") }.json
        case "episodes.star", "episodes.unstar", "episodes.mark": return ["episodes": [1]]
        default: return .object([])
        }
    }

    private let chapters = ["Opening", "The talk", "Questions"].enumerated().map { index, title in
        ChapterReply(Chapter(start: MediaTime(seconds: Double(index) * 1_000), title: title))
    }

    private func queueList(_ params: JSONValue?) -> QueueListReply {
        let rest = queue.dropFirst(params?["after"]?.integerValue.map { Int($0) } ?? 0)
        let rows = Array(rest.prefix(params?["limit"]?.integerValue.map { Int($0) } ?? queue.count))
        return QueueListReply(
            rows, extent: QueueExtent(length: queue.count, index: 1, revision: queueRevision), hasAfter: false)
    }

    /// Pages by key, as the daemon has them.
    private func page(_ params: JSONValue?) -> EpisodeListReply {
        let limit = params?["limit"]?.integerValue.map { Int($0) } ?? 50
        let feed = params?["feed"]?.stringValue
        let search = params?["search"]?.stringValue?.lowercased()
        var all = episodes.filter { reply in
            (feed == nil || reply.episode.feed.label == feed)
                && (search == nil || reply.episode.title.lowercased().contains(search ?? ""))
        }
        if params?["order"]?.stringValue == "oldest" { all.reverse() }
        func place(_ key: JSONValue?) -> Int? { key?.stringValue.flatMap { key in all.firstIndex { $0.key == key } } }
        var range = 0..<min(limit, all.count)
        var isBackward = false
        if params?["last"] == .bool(true) {
            range = max(0, all.count - limit)..<all.count
            isBackward = true
        } else if let before = place(params?["before"]) {
            range = max(0, before - limit)..<before
            isBackward = true
        } else if let after = place(params?["after"]) {
            range = after + 1..<min(all.count, after + 1 + limit)
        }
        let rows = Array(all[range])
        let next =
            isBackward
            ? range.lowerBound > 0 ? rows.first?.key : nil : range.upperBound < all.count ? rows.last?.key : nil
        return EpisodeListReply(
            rows, hasBefore: range.lowerBound > 0, hasAfter: range.upperBound < all.count, next: next,
            count: RowCount.exactly(all.count))
    }
}
