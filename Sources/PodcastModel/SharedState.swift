/// One thing that the listener has set or chosen, as another podcastd of the listener names it too.
public struct SharedRow: Equatable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        /// A subscribed feed: rows of other feeds mean nothing here.
        case feed
        /// `playback.speed`; the other settings belong to a machine.
        case setting
        case tag
        case feedSetting = "feed-setting"
        /// In their order.
        case rule
        case retention
        case playlist
        case star
        case note
        case bookmark
        /// Entries of the queue in their order.
        case queue

        public var isOrdered: Bool { self == .rule || self == .queue }
    }

    public struct Key: Hashable, Sendable {
        public var kind: Kind
        public var feed: String
        var episode: String
        var name: String

        /// The key of the first entry in the queue of the same episode.
        public var entry: Key { Key(kind: .queue, feed: feed, episode: episode, name: "") }
    }

    public var kind = Kind.feed
    /// URL of the feed; empty for what belongs to no feed.
    public var feed = ""
    public var guid: String?
    /// URL of the episode's media file; empty for what belongs to no episode.
    public var url = ""
    public var title: String?
    /// The tag, the setting, the rule, the playlist, place and text of a bookmark, the number of an episode's further entry in the queue.
    public var name = ""
    public var value = ""

    public init() {}

    public init(_ kind: Kind, feed: String? = nil, _ name: String = "", _ value: String = "") {
        (self.kind, self.feed, self.name, self.value) = (kind, feed ?? "", name, value)
    }

    public var key: Key {
        let episode = url.isEmpty ? "" : guid ?? WebAddress.essence(url)
        return Key(kind: kind, feed: feed.isEmpty ? "" : WebAddress.essence(feed), episode: episode, name: name)
    }
}

/// Merges the state that two podcastds of a listener share besides subscriptions and positions. Pure.
public enum SharedState {
    /// The rows that both sides are to have.
    ///
    /// A change of one side counts. If both have changed the same: a change counts more than a removal, notes are joined, and else
    /// theirs counts.
    /// - Parameter base: what both had when they were the same.
    public static func merged(base: [SharedRow], ours: [SharedRow], theirs: [SharedRow]) -> [SharedRow] {
        let (old, mine, other) = (base.byKey, ours.byKey, theirs.byKey)
        var result: [SharedRow.Key: SharedRow] = [:]
        for key in Set(mine.keys).union(other.keys) {
            let (before, here, there) = (old[key], mine[key], other[key])
            result[key] =
                if here?.value == before?.value, (here == nil) == (before == nil) {
                    there
                } else if there?.value == before?.value, (there == nil) == (before == nil) {
                    here
                } else if let here, let there, key.kind == .note { joined(here, there) } else { there ?? here }
        }
        return order(base: base, ours: ours, theirs: theirs).compactMap { result[$0] }
    }

    /// The merged rows that both sides have after a synchronization: the base of the next merge. A row that a side could not take is
    /// left out. A row that was changed during the synchronization stays, so that the next merge sees the change.
    public static func agreed(
        _ merged: [SharedRow], from before: (ours: [SharedRow], theirs: [SharedRow]),
        now after: (ours: [SharedRow], theirs: [SharedRow])
    ) -> [SharedRow] {
        let sides = [(before.ours.byKey, after.ours.byKey), (before.theirs.byKey, after.theirs.byKey)]
        return merged.filter { row in
            sides.allSatisfy { old, new in
                let (old, new) = (old[row.key]?.value, new[row.key]?.value)
                return new != old || old == row.value
            }
        }
    }

    private static func joined(_ here: SharedRow, _ there: SharedRow) -> SharedRow {
        if there.value.contains(here.value) { return there }
        var row = here
        if !here.value.contains(there.value) { row.value = there.value + "\n" + here.value }
        return row
    }

    /// All keys of both sides, without those of the other side that follow nothing: the order of the side that has moved rows, theirs if
    /// both have, with the other side's rows before the row that follows them there.
    private static func order(base: [SharedRow], ours: [SharedRow], theirs: [SharedRow]) -> [SharedRow.Key] {
        var (main, further) = (theirs.map(\.key), ours.map(\.key))
        if hasMoved(ours, since: base), !hasMoved(theirs, since: base) { (main, further) = (further, main) }
        var known = Set<SharedRow.Key>()
        main = main.filter { known.insert($0).inserted }
        var following: [SharedRow.Key: [SharedRow.Key]] = [:]
        var (waiting, end) = ([SharedRow.Key](), [SharedRow.Key]())
        for key in further {
            if !known.contains(key) {
                waiting.append(key)
                known.insert(key)
            } else if !waiting.isEmpty {
                following[key, default: []] += exchange(&waiting, with: [])
            }
        }
        end = waiting
        return main.flatMap { (following[$0] ?? []) + [$0] } + end
    }

    private static func hasMoved(_ rows: [SharedRow], since base: [SharedRow]) -> Bool {
        let (now, before) = (ordered(rows), ordered(base))
        let common = Set(now).intersection(before)
        return now.filter(common.contains) != before.filter(common.contains)
    }

    private static func ordered(_ rows: [SharedRow]) -> [SharedRow.Key] { rows.filter(\.kind.isOrdered).map(\.key) }
}

extension [SharedRow] {
    /// The first row of each key.
    public var byKey: [SharedRow.Key: SharedRow] {
        Dictionary(map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
