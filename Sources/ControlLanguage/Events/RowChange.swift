public import JSON
public import PodcastModel

/// One change of a list that clients keep a copy of.
public struct RowChange: ReplyObject {
    public enum Kind: String, Sendable, CaseIterable, WireScalar {
        case insert
        case delete
        /// Only in the queue, whose order is the user's.
        case move
        case update
    }

    /// An update of more rows than this omits the rows' contents.
    public static let mostRows = 20

    public var kind = Kind.update
    public var id: Int64?
    var name: String?
    var episode: EpisodeID?
    public var index: Int?
    public var from: Int?
    public var aspects: [EpisodeAspect] = []
    public var row: JSONValue?

    public init() {}

    /// A change of an unordered list.
    public init(_ kind: Kind, _ id: Int64, _ aspects: [EpisodeAspect] = []) {
        self.kind = kind
        self.id = id
        self.aspects = aspects
    }

    public init(_ kind: Kind, named name: String) {
        self.kind = kind
        self.name = name
    }

    /// A change of the queue; indexes from 1.
    public init(_ kind: Kind, _ id: Int64, episode: EpisodeID? = nil, index: Int, from: Int? = nil) {
        self.kind = kind
        self.id = id
        self.episode = episode
        self.index = index
        self.from = from
    }

    public static let objectName = "Change"

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("kind", &kind, "insert, delete, move or update.")
        members.declareIfAny("id", &id, "The row: id of a queue entry, feed, rule or episode.")
        members.declareIfAny("name", &name, "The row, if its list has names instead of ids.")
        members.declareIfAny("episode", &episode, "Queue: the id of an inserted entry's episode.")
        members.declareIfAny("index", &index, "Queue: its index after the change, or before a delete; from 1.")
        members.declareIfAny("from", &from, "Queue: its index before a move.")
        members.declareIfAny(
            "what", &aspects, "Episodes: what an update changed, a list of content, mark, position and download.")
        members.declareIfAny(
            "row", &row,
            "Episodes, feeds: the `Episode` or `Feed` as it is now; left out in events of more than 20 changes.")
    }
}

extension [RowChange] {
    /// At most one change per row of an unordered list, with the same result as all changes.
    public var folded: [RowChange] {
        var folded: [RowChange?] = []
        var places: [RowKey: Int] = [:]
        for change in self {
            let key = RowKey(id: change.id, name: change.name)
            guard let place = places[key], let earlier = folded[place] else {
                places[key] = folded.count
                folded.append(change)
                continue
            }
            switch (earlier.kind, change.kind) {
            case (.insert, .delete): folded[place] = nil
            case (.insert, _): break
            case (.delete, .insert): folded[place]?.kind = .update
            case (_, let kind): folded[place]?.kind = kind
            }
            let known = earlier.aspects
            folded[place]?.aspects += change.aspects.filter { !known.contains($0) }
        }
        return folded.compactMap { $0 }
    }
}

private struct RowKey: Hashable {
    let id: Int64?
    let name: String?
}

extension EpisodeAspect: WireScalar {}
