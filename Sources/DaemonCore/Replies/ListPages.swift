internal import ControlLanguage
internal import Library
internal import PodcastModel
internal import Queueing

// The page that a client asks for by the key of a row of an earlier page.

/// How far a list without a counter is counted before `countIsExact` is false.
let countingBound = 1_000

/// The one of the parameters `after`, `before` and `last` that was given.
private enum AskedPage {
    case first
    case last
    case after(String)
    case before(String)

    init(_ page: PageRequest) throws(ControlError) {
        switch (page.after, page.before, page.isLast) {
        case (let key?, nil, false): self = .after(key)
        case (nil, let key?, false): self = .before(key)
        case (nil, nil, false): self = .first
        case (nil, nil, true): self = .last
        case (_, _, _):
            throw ControlError(.invalidArgument, "give only one of after, before and last")
        }
    }
}

extension PageAnchor {
    /// The anchor of a list ordered by date.
    init(_ page: PageRequest) throws(ControlError) {
        switch try AskedPage(page) {
        case .first: self = .first
        case .last: self = .last
        case .after(let key): self = .after(try EpisodeKey(wireText: key))
        case .before(let key): self = .before(try EpisodeKey(wireText: key))
        }
    }
}

extension PlaylistAnchor {
    /// The anchor of a playlist.
    init(_ page: PageRequest) throws(ControlError) {
        switch try AskedPage(page) {
        case .first: self = .first
        case .last: self = .last
        case .after(let key): self = .after(try PlaylistKey(wireText: key))
        case .before(let key): self = .before(try PlaylistKey(wireText: key))
        }
    }
}

extension EpisodeKey {
    /// The key on the wire; opaque to clients.
    var wireText: String { "\(published.milliseconds).\(id.rawValue)" }

    init(wireText: String) throws(ControlError) {
        let parts = wireText.split(separator: ".")
        guard parts.count == 2, let published = Int64(parts[0]), let id = Int64(parts[1]) else {
            throw ControlError(.invalidArgument, "invalid key of a row", hint: "use a key of an earlier page")
        }
        self.init(published: Timestamp(milliseconds: published), id: EpisodeID(id))
    }
}

extension PlaylistKey {
    /// The key on the wire; opaque to clients.
    var wireText: String {
        switch self {
        case .entry(let id): "q\(id)"
        case .episode(let key): key.wireText
        }
    }

    fileprivate init(wireText: String) throws(ControlError) {
        if wireText.hasPrefix("q"), let id = Int64(wireText.dropFirst()) {
            self = .entry(EntryID(id))
        } else {
            self = .episode(try EpisodeKey(wireText: wireText))
        }
    }
}

extension HistoryKey {
    /// The key on the wire; opaque to clients.
    var wireText: String { "\(time.milliseconds).\(isOfRule ? "r" : "u")\(id)" }

    init(wireText: String) throws(ControlError) {
        let parts = wireText.split(separator: ".")
        guard parts.count == 2, let time = Int64(parts[0]), let letter = parts[1].first, "ru".contains(letter),
            let id = Int64(parts[1].dropFirst())
        else { throw ControlError(.invalidArgument, "invalid key of a row", hint: "use a key of an earlier page") }
        self.init(time: Timestamp(milliseconds: time), isOfRule: letter == "r", id: id)
    }
}

/// A row of the list of downloads: requests come before files, and these before what is only in the cache.
enum DownloadKey: Equatable, Sendable {
    case request(DownloadRequest)
    case file(EpisodeKey)
    case cached(EpisodeKey)

    /// Whether an episode that is only in the cache follows this row.
    func isBefore(_ other: EpisodeKey) -> Bool {
        guard case .cached(let key) = self else { return true }
        return (other.published.milliseconds, other.id.rawValue) < (key.published.milliseconds, key.id.rawValue)
    }

    /// The key on the wire; opaque to clients.
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

extension SpokenKey {
    /// The key on the wire; opaque to clients.
    var wireText: String { "\(episode.rawValue).\(passage).\(cue)" }

    init(wireText: String) throws(ControlError) {
        let parts = wireText.split(separator: ".")
        guard parts.count == 3, let episode = Int64(parts[0]), let passage = Int64(parts[1]), let cue = Int(parts[2])
        else { throw ControlError(.invalidArgument, "invalid key of a row", hint: "use a key of an earlier page") }
        self.init(episode: EpisodeID(episode), passage: passage, cue: cue)
    }
}
