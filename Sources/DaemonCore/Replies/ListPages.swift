internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import PodcastModel

// The page that a client asks for by the key of a row of an earlier page. Keys are opaque to clients.

/// How far a list without a counter is counted before `countIsExact` is false.
let countingBound = 1_000

extension PageRequest {
    /// The page that the given parameter (`after`, `before` or `last`) selects.
    fileprivate func choose<Page>(
        first: Page, last: Page, after: (String) throws -> Page, before: (String) throws -> Page
    ) throws -> Page {
        switch (self.after, self.before, isLast) {
        case (let key?, nil, false): try after(key)
        case (nil, let key?, false): try before(key)
        case (nil, nil, false): first
        case (nil, nil, true): last
        case (_, _, _): throw ControlError(.invalidArgument, "give only one of after, before and last")
        }
    }
}

extension PageAnchor {
    init(_ page: PageRequest) throws {
        self = try page.choose(
            first: .first, last: .last, after: { .after(try EpisodeKey(wireText: $0)) },
            before: { .before(try EpisodeKey(wireText: $0)) })
    }
}

extension EpisodeListReply {
    init(_ filter: EpisodeFilter, _ order: EpisodeOrder, _ page: PageRequest, in store: LibraryStore) throws {
        let anchor = try PageAnchor(page)
        let found = try store.episodes.page(filter, order: order, at: anchor, limit: page.limit)
        var count = try store.episodes.count(filter, upTo: countingBound)
        if order == .lastHeardFirst, filter.isInProgress != true {
            let isAll = !found.hasBefore && !found.hasAfter
            count = isAll ? .exactly(found.episodes.count) : .atLeast(found.episodes.count)
        }
        self.init(found, order, at: anchor, count: count)
    }

    init(_ page: EpisodePage, _ order: EpisodeOrder = .newestFirst, at anchor: PageAnchor, count: RowCount) {
        let isBackward =
            switch anchor {
            case .first, .after: false
            case .last, .before: true
            }
        let end = isBackward ? page.episodes.first : page.episodes.last
        let hasNext = isBackward ? page.hasBefore : page.hasAfter
        self.init(
            page.episodes.map { episode in
                var reply = EpisodeReply(episode, key: EpisodeKey(of: episode, order).wireText)
                reply.excerpt = page.excerpts[episode.id]?.pieces ?? []
                return reply
            }, hasBefore: page.hasBefore, hasAfter: page.hasAfter,
            next: hasNext ? (page.resumption ?? end.map { EpisodeKey(of: $0, order) })?.wireText : nil, count: count)
        self.isBackward = isBackward
    }

    /// A page of the queue; an unknown key gives an empty page. Keys are those of entries, because an episode may occur twice.
    init(_ entries: [QueueEntry], _ page: PageRequest, in store: LibraryStore) throws {
        func index(_ key: String) throws(ControlError) -> Int? {
            let id = try rowNumbers(of: key, prefix: "q", count: 1)[0]
            return entries.firstIndex { $0.id.rawValue == id }
        }
        let range: Range<Int>? = try page.choose(
            first: 0..<min(page.limit, entries.count), last: max(0, entries.count - page.limit)..<entries.count,
            after: { try index($0).map { ($0 + 1)..<min($0 + 1 + page.limit, entries.count) } },
            before: { try index($0).map { max(0, $0 - page.limit)..<$0 } })
        let shown = range.map { entries[$0] } ?? []
        let episodes = try store.episodes.byID(shown.map(\.episode))
        self.init(
            shown.compactMap { entry in episodes[entry.episode].map { EpisodeReply($0, key: "q\(entry.id)") } },
            hasBefore: shown.startIndex > 0, hasAfter: range != nil && shown.endIndex < entries.count,
            count: .exactly(entries.count))
        isBackward = page.isLast || page.before != nil
        if isBackward ? hasBefore : hasAfter { next = (isBackward ? self.episodes.first : self.episodes.last)?.key }
    }
}

extension EpisodeStore {
    /// Episodes by their ids; those that do not exist are missing.
    func byID(_ ids: [EpisodeID]) throws(LibraryError) -> [EpisodeID: Episode] {
        Dictionary(try episodes(ids).map { ($0.id, $0) }) { first, _ in first }
    }
}

// MARK: keys

/// The numbers of which a client's key of a row consists.
func rowNumbers(of key: String, prefix: String = "", count: Int) throws(ControlError) -> [Int64] {
    let numbers = key.dropFirst(prefix.count).fields(separatedBy: ".").map { Int64($0) }
    guard key.hasPrefix(prefix), numbers.count == count, !numbers.contains(nil) else {
        throw ControlError(.invalidArgument, "invalid key of a row", hint: "use a key of an earlier page")
    }
    return numbers.compactMap(\.self)
}

extension EpisodeKey {
    var wireText: String { "\(published.milliseconds).\(id.rawValue)" }

    init(wireText: String) throws(ControlError) {
        let key = try rowNumbers(of: wireText, count: 2)
        self.init(published: Timestamp(milliseconds: key[0]), id: EpisodeID(key[1]))
    }
}

extension HistoryKey {
    var wireText: String { "\(time.milliseconds).\(number)" }

    init(wireText: String) throws(ControlError) {
        let key = try rowNumbers(of: wireText, count: 2)
        self.init(time: Timestamp(milliseconds: key[0]), number: key[1])
    }
}

/// A row of the list of downloads: requests come before files, and these before what is only in the cache.
enum DownloadKey: Equatable {
    case request(DownloadRequest)
    case file(EpisodeKey)
    case cached(EpisodeKey)

    /// Whether an episode that is only in the cache follows this row.
    func isBefore(_ other: EpisodeKey) -> Bool {
        guard case .cached(let key) = self else { return true }
        return (other.published.milliseconds, other.id.rawValue) < (key.published.milliseconds, key.id.rawValue)
    }

    var wireText: String {
        switch self {
        case .request(let request): "r\(request.time.milliseconds).\(request.episode.rawValue)"
        case .file(let key): key.wireText
        case .cached(let key): "c" + key.wireText
        }
    }

    init(wireText: String) throws(ControlError) {
        let key = try EpisodeKey(wireText: String(wireText.drop { "rc".contains($0) }))
        switch wireText.first {
        case "r": self = .request(DownloadRequest(episode: key.id, time: key.published))
        case "c": self = .cached(key)
        case _: self = .file(key)
        }
    }
}

extension TranscriptKey {
    var wireText: String { "\(episode.rawValue).\(passage).\(cue)" }

    init(wireText: String) throws(ControlError) {
        let key = try rowNumbers(of: wireText, count: 3)
        self.init(episode: EpisodeID(key[0]), passage: key[1], cue: Int(key[2]))
    }
}
