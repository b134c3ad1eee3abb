public import ControlLanguage
public import LibraryModel
public import Playlist
internal import PodcastModel

// Which page of a list a client asks for: by the key of a row, as an earlier page gave it.

/// How far a list that nobody keeps a counter for is counted before `countIsExact` says no.
public let countingBound = 1_000

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
            throw ControlError(.invalidArgument, "a page stands after one row, before one or at the end")
        }
    }
}

extension PageAnchor {
    /// The anchor of a list ordered by date.
    public init(_ page: PageRequest) throws(ControlError) {
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
    public init(_ page: PageRequest) throws(ControlError) {
        switch try AskedPage(page) {
        case .first: self = .first
        case .last: self = .last
        case .after(let key): self = .after(try PlaylistKey(wireText: key))
        case .before(let key): self = .before(try PlaylistKey(wireText: key))
        }
    }
}

extension EpisodeKey {
    /// The key as clients hand it back; opaque to them.
    public var wireText: String { "\(published.milliseconds).\(id.rawValue)" }

    /// Reads a key that a client hands back.
    fileprivate init(wireText: String) throws(ControlError) {
        let parts = wireText.split(separator: ".")
        guard parts.count == 2, let published = Int64(parts[0]), let id = Int64(parts[1]) else {
            throw ControlError(.invalidArgument, "that is no key of a row", hint: "hand back a key as a list gave it")
        }
        self.init(published: Timestamp(milliseconds: published), id: EpisodeID(id))
    }
}

extension PlaylistKey {
    /// The key as clients hand it back; opaque to them.
    public var wireText: String {
        switch self {
        case .entry(let id): "e\(id)"
        case .episode(let key): key.wireText
        }
    }

    /// Reads a key that a client hands back.
    fileprivate init(wireText: String) throws(ControlError) {
        if wireText.hasPrefix("e"), let id = Int64(wireText.dropFirst()) {
            self = .entry(EntryID(id))
        } else {
            self = .episode(try EpisodeKey(wireText: wireText))
        }
    }
}
