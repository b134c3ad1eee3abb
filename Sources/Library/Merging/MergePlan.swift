/// An episode as a merge sees it: what it is recognized by, and whether its row would change.
struct StoredEpisode {
    let id: Int64
    let keys: ItemKeys
    let digest: Int64
    let notesDigest: Int64
    let isGone: Bool
}

/// Which item of a document is which stored episode, decided without touching the library.
///
/// An item is recognized by its GUID, then by its enclosure's URL (as it stands, then without query and tracking
/// prefix), then by title, date and duration; each stored episode is taken once. Publishers reuse GUIDs and URLs, so
/// a match must not contradict the rest: taking a new episode for an old one hides it for good, while the opposite
/// mistake shows one twice.
struct MergePlan {
    /// What becomes of a stored episode.
    struct Update: Equatable {
        let id: Int64
        /// The item in the list given.
        let item: Int
        let changesEpisode: Bool
        let changesNotes: Bool
        /// Whether its place in the views by date changes.
        let movesDate: Bool
    }

    /// Items to store, by their index in the list given.
    private(set) var inserts: [Int] = []
    /// Rows to rewrite.
    private(set) var updates: [Update] = []
    /// Episodes that the document lacks and that were not flagged so yet.
    private(set) var gone: [Int64] = []
    /// Items that repeat an earlier one of the document.
    private(set) var repeated = 0

    /// Rows it rewrites, flags included.
    var rewritten: Int { updates.count + gone.count }

    /// Compares a document's items with a feed's episodes.
    init(items: [MergeItem], stored: [StoredEpisode]) {
        let document = DocumentItems(items)
        repeated = document.repeated
        guard !stored.isEmpty else {
            inserts = document.distinct
            return
        }
        var matcher = EpisodeMatcher(items: items, document: document, stored: stored)
        matcher.matchGUIDs()
        matcher.matchAddresses()
        matcher.matchTitles()
        for index in document.distinct {
            guard let place = matcher.matches[index] else {
                inserts.append(index)
                continue
            }
            let (item, episode) = (items[index], stored[place])
            let changesEpisode = item.digest != episode.digest || episode.isGone
            let changesNotes = item.notesDigest != episode.notesDigest
            guard changesEpisode || changesNotes else { continue }
            let movesDate = item.keys.published != nil && item.keys.published != episode.keys.published
            updates.append(
                Update(
                    id: episode.id, item: index, changesEpisode: changesEpisode, changesNotes: changesNotes,
                    movesDate: movesDate))
        }
        for (place, episode) in stored.enumerated() where !matcher.isTaken[place] && !episode.isGone {
            gone.append(episode.id)
        }
    }
}

extension MergePlan {
    /// Which stored episode each of some items is, by the item's index: for items that come from elsewhere than the
    /// feed's own document, and change nothing.
    static func matches(_ items: [MergeItem], in stored: [StoredEpisode]) -> [Int: Int64] {
        var matcher = EpisodeMatcher(items: items, document: DocumentItems(items), stored: stored)
        matcher.matchGUIDs()
        matcher.matchAddresses()
        matcher.matchTitles()
        return matcher.matches.mapValues { stored[$0].id }
    }
}

/// A document's items without those that say the same episode again.
private struct DocumentItems {
    private(set) var distinct: [Int] = []
    private(set) var repeated = 0
    /// GUIDs that several distinct items have.
    private(set) var sharedGUIDs: Set<Int64> = []

    init(_ items: [MergeItem]) {
        var byGUID: [Int64: [Int]] = [:]
        var withoutGUID: Set<Int64> = []
        byGUID.reserveCapacity(items.count)
        for (index, item) in items.enumerated() {
            if let guid = item.keys.guid {
                if let earlier = byGUID[guid] {
                    if earlier.contains(where: { items[$0].keys.media == item.keys.media }) {
                        repeated += 1
                        continue
                    }
                    sharedGUIDs.insert(guid)
                }
                byGUID[guid, default: []].append(index)
            } else if !withoutGUID.insert(item.keys.url).inserted {
                repeated += 1
                continue
            }
            distinct.append(index)
        }
    }
}

/// Finds the stored episode of each item, in three passes over what is not taken yet.
private struct EpisodeMatcher {
    let items: [MergeItem]
    let document: DocumentItems
    let stored: [StoredEpisode]
    /// Places in `stored` by index of the item.
    private(set) var matches: [Int: Int] = [:]
    /// By place in `stored`.
    private(set) var isTaken: [Bool]
    /// No GUID of the document is known: the host has renewed them all, so differing ones say nothing.
    private var isRenewed = false

    private static let minute: Int64 = 60_000
    private static let halfDay: Int64 = 12 * 60 * minute
    private static let day: Int64 = 24 * 60 * minute

    init(items: [MergeItem], document: DocumentItems, stored: [StoredEpisode]) {
        self.items = items
        self.document = document
        self.stored = stored
        isTaken = Array(repeating: false, count: stored.count)
    }

    private mutating func take(_ place: Int, for index: Int) {
        matches[index] = place
        isTaken[place] = true
    }

    mutating func matchGUIDs() {
        var places: [Int64: [Int]] = [:]
        places.reserveCapacity(stored.count)
        for (place, episode) in stored.enumerated() {
            if let guid = episode.keys.guid { places[guid, default: []].append(place) }
        }
        for index in document.distinct {
            let keys = items[index].keys
            guard let guid = keys.guid, let candidates = places[guid] else { continue }
            let isShared = document.sharedGUIDs.contains(guid) || candidates.count > 1
            var best: (place: Int, score: Int)?
            for place in candidates where !isTaken[place] {
                let score = Self.agreement(keys, stored[place].keys)
                if score > (isShared ? 1 : 0), score > best?.score ?? 0 { best = (place, score) }
            }
            if let best { take(best.place, for: index) }
        }
        isRenewed = matches.isEmpty
    }

    /// How much two with the same GUID agree otherwise; 0 when everything known differs, so that the GUID is reused.
    private static func agreement(_ item: ItemKeys, _ episode: ItemKeys) -> Int {
        if item.url == episode.url { return 5 }
        if item.media == episode.media { return 4 }
        if item.isTitled && item.title == episode.title { return 3 }
        guard let published = item.published, let known = episode.published else { return 1 }
        return distance(published, known) <= day ? 1 : 0
    }

    mutating func matchAddresses() {
        match(by: \.url) { matcher, item, episode in
            item.guid == nil || episode.guid == nil || matcher.agree(item, episode)
        }
        match(by: \.media) { matcher, item, episode in matcher.agree(item, episode) }
    }

    mutating func matchTitles() {
        match(by: \.title) { matcher, item, episode in
            guard item.isTitled, Self.isCompatible(item.duration, episode.duration) else { return false }
            guard let published = item.published, let known = episode.published else {
                // Without dates only an equal length makes a title more than a coincidence.
                return item.duration != nil && item.duration == episode.duration
            }
            return Self.distance(published, known) <= matcher.window(item, episode)
        }
    }

    private mutating func match(
        by key: KeyPath<ItemKeys, Int64>, accepting isSame: (EpisodeMatcher, ItemKeys, ItemKeys) -> Bool
    ) {
        let open = document.distinct.filter { matches[$0] == nil }
        if open.isEmpty { return }
        var places: [Int64: [Int]] = [:]
        for (place, episode) in stored.enumerated() where !isTaken[place] {
            places[episode.keys[keyPath: key], default: []].append(place)
        }
        for index in open {
            let keys = items[index].keys
            let found = places[keys[keyPath: key]]?.first { !isTaken[$0] && isSame(self, keys, stored[$0].keys) }
            if let found { take(found, for: index) }
        }
    }

    /// Whether title and date let two with one address be the same: a bulletin that appears each hour at the same
    /// address under the same title is not.
    private func agree(_ item: ItemKeys, _ episode: ItemKeys) -> Bool {
        let isSameTitle = item.isTitled && item.title == episode.title
        guard let published = item.published, let known = episode.published else { return isSameTitle }
        let distance = Self.distance(published, known)
        return distance <= Self.minute || (isSameTitle && distance <= window(item, episode))
    }

    /// How far apart two dates of one episode may be: hosts that move round them or change their zone.
    private func window(_ item: ItemKeys, _ episode: ItemKeys) -> Int64 {
        isRenewed || item.guid == nil || episode.guid == nil ? Self.halfDay : 10 * Self.minute
    }

    private static func distance(_ left: Int64, _ right: Int64) -> UInt64.Magnitude {
        let (difference, overflow) = left.subtractingReportingOverflow(right)
        return overflow ? .max : difference.magnitude
    }

    /// Announced durations are rounded and cut by advertisements: ten minutes are nothing.
    private static func isCompatible(_ left: Int64?, _ right: Int64?) -> Bool {
        guard let left, let right else { return true }
        return distance(left, right) <= 10 * minute
    }
}
