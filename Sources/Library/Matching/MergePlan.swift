/// An episode as a merge sees it: what it is recognized by, and whether its row would change.
struct StoredEpisode {
    let id: Int64
    let keys: ItemKeys
    let digest: Int64
    let notesDigest: Int64
    let isGone: Bool
    /// Bytes of the episode with its texts.
    var bytes: Int64 = 0
    /// The stored date in milliseconds, which orders episodes also where the feed has none.
    var time: Int64 = 0
    var firstSeen: Int64 = 0
}

/// The stored episode of each item of a document, decided without the library.
///
/// `docs/IDENTITY.md` has the rules as a table with their reasons. Taking a new episode for an old one hides it for
/// good, while the opposite mistake shows one twice; so a match must not contradict what else is known.
struct MergePlan {
    struct Update: Equatable {
        let id: Int64
        let item: Int
        let changesEpisode: Bool
        let changesNotes: Bool
        /// The evidence of the match, if doubtful.
        let kind: IdentityDecision.Kind?
    }

    /// Items to store, by their index in the list given.
    private(set) var inserts: [Int] = []
    private(set) var updates: [Update] = []
    /// Episodes that the document lacks and that were not flagged so yet.
    private(set) var gone: [Int64] = []
    private(set) var repeated: [(item: Int, earlier: Int)] = []
    /// Items that match stored episodes.
    private(set) var found: [(item: Int, episode: Int64)] = []
    /// New episodes with the GUID of a stored episode.
    private(set) var reusedGUIDs: [(item: Int, episode: Int64)] = []
    /// True if the document has episodes, but none of the stored ones.
    private(set) var isForeign = false
    /// True if the updates must be written together: some matches follow from what the host did to all episodes, which
    /// would be invisible after a part of the updates.
    private(set) var isIndivisible = false
    /// Pairs of items and episodes that were compared: the work, which tests count.
    private(set) var comparisons = 0
    /// Episodes that are deleted to make room for new ones.
    private(set) var removed: [Int64] = []

    /// Number of stored episodes that the plan changes, including their flags.
    var rewritten: Int { updates.count + gone.count }

    /// - Parameter namesOtherFeed: whether the document has another `podcast:guid` than the one before.
    init(items: [MergeItem], stored: [StoredEpisode], extent: DocumentExtent = .whole, namesOtherFeed: Bool = false) {
        let document = DocumentItems(items)
        repeated = document.repeated
        guard !stored.isEmpty else {
            inserts = document.distinct
            return
        }
        let span = ListedSpan(extent, of: items)
        var matcher = EpisodeMatcher(
            items: items, document: document, stored: stored, span: span,
            mayBeRenewed: !namesOtherFeed && !extent.isOlder)
        matcher.run()
        comparisons = matcher.comparisons
        isForeign = matcher.matches.isEmpty && !document.distinct.isEmpty
        isIndivisible = matcher.matches.values.contains { $0.needsOthers }
        var isHere = matcher.isTaken
        for index in document.distinct {
            guard let match = matcher.matches[index] else {
                inserts.append(index)
                if let guid = items[index].keys.guid, let owner = matcher.owner(ofGUID: guid) {
                    reusedGUIDs.append((index, owner))
                }
                continue
            }
            isHere[match.place] = true
            found.append((index, stored[match.place].id))
            compare(items[index], index, stored[match.place], match.kind)
        }
        for (place, episode) in stored.enumerated()
        where !isHere[place] && !episode.isGone && span.covers(episode.keys.published) {
            gone.append(episode.id)
        }
    }

    /// Keeps a feed within its limits. Unused episodes that the feed no longer lists make room, the oldest first; listed
    /// episodes and episodes with user data never do. If that is not enough, the oldest new items are left out.
    ///
    /// - Parameter unused: the unused episodes, oldest first.
    /// - Returns: the number of items that are left out.
    mutating func limit(
        to limit: (episodes: Int, bytes: Int64), stored: [StoredEpisode], items: [MergeItem],
        unused: () throws -> [(id: Int64, bytes: Int64)]
    ) rethrows -> Int {
        let sizes = stored.map(\.bytes) + inserts.map { items[$0].storedBytes }
        var episodes = sizes.count
        var bytes = sizes.reduce(0, +)
        func isExceeded() -> Bool { episodes > limit.episodes || bytes > limit.bytes }
        func subtract(_ size: Int64) {
            episodes = episodes - 1
            bytes = bytes - size
        }
        guard isExceeded() else { return 0 }
        let listed = Set(found.map(\.episode))
        for episode in try unused() where isExceeded() && !listed.contains(episode.id) {
            subtract(episode.bytes)
            removed.append(episode.id)
        }
        let count = inserts.count
        var newestFirst = inserts.sorted {
            (items[$0].keys.published ?? .max, -$0) > (items[$1].keys.published ?? .max, -$1)
        }
        while isExceeded(), let oldest = newestFirst.popLast() { subtract(items[oldest].storedBytes) }
        inserts = newestFirst.sorted()
        let isKept = Set(inserts)
        let isRemoved = Set(removed)
        gone.removeAll { isRemoved.contains($0) }
        reusedGUIDs.removeAll { !isKept.contains($0.item) || isRemoved.contains($0.episode) }
        return count - inserts.count
    }

    private mutating func compare(
        _ item: MergeItem, _ index: Int, _ episode: StoredEpisode, _ kind: IdentityDecision.Kind?
    ) {
        let changesEpisode = item.digest != episode.digest || episode.isGone
        let changesNotes = item.notesDigest != episode.notesDigest
        guard changesEpisode || changesNotes else { return }
        updates.append(
            Update(
                id: episode.id, item: index, changesEpisode: changesEpisode, changesNotes: changesNotes,
                kind: kind))
    }

    /// The stored episodes of items that do not come from the feed's document, by the item's index.
    static func matches(_ items: [MergeItem], in stored: [StoredEpisode]) -> [Int: Int64] {
        var matcher = EpisodeMatcher(
            items: items, document: DocumentItems(items), stored: stored, span: .none, mayBeRenewed: true)
        matcher.run()
        return matcher.matches.mapValues { stored[$0.place].id }
    }
}
