/// Finds the stored episode of each item, in several rounds over unmatched items: from the strongest criterion to the
/// weakest.
struct EpisodeMatcher {
    struct Match {
        /// In the list of stored ones.
        let place: Int
        /// The evidence of a doubtful match; nil for a match by GUID, or by URL without a GUID.
        let kind: IdentityDecision.Kind?
        /// True if this match is justified only by the document's other matches (a bulk change by the host).
        let needsOthers: Bool
    }

    private let items: [MergeItem]
    private let document: DocumentItems
    private let stored: [StoredEpisode]
    /// The dates for which the document is complete.
    private let span: ListedSpan
    private let mayBeRenewed: Bool
    /// By index of the item.
    private(set) var matches: [Int: Match] = [:]
    /// By place of the stored episode.
    private(set) var isTaken: [Bool]
    private var owners: [Int64: Owners] = [:]
    /// Pairs of an item and an episode that were compared: the work, which tests count.
    private(set) var comparisons = 0
    private var host = HostChanges()

    /// If at least this many episodes changed in the same way, the host changed its addresses.
    private static let crowd = 3

    /// - Parameter mayBeRenewed: whether a document without any known GUID may be one whose host has renewed them all.
    init(
        items: [MergeItem], document: DocumentItems, stored: [StoredEpisode], span: ListedSpan, mayBeRenewed: Bool
    ) {
        self.items = items
        self.document = document
        self.stored = stored
        self.span = span
        self.mayBeRenewed = mayBeRenewed
        isTaken = Array(repeating: false, count: stored.count)
        owners.reserveCapacity(stored.count)
        for (place, episode) in stored.enumerated() {
            if let guid = episode.keys.guid { owners[guid, default: Owners(place: place)].add(episode) }
        }
    }

    /// The stored episodes of one GUID.
    private struct Owners {
        let place: Int
        var count = 0
        var latest: Int64 = .min

        mutating func add(_ episode: StoredEpisode) {
            count += 1
            latest = max(latest, episode.id)
        }
    }

    mutating func run() {
        matchGUIDs()
        if matches.count == document.distinct.count { return }
        host.isRenewed = matches.isEmpty && mayBeRenewed
        host.isRestamped = host.isRenewed && looksRestamped()
        match(.matchedByURL, by: \.url, exactlyBy: [\.url, \.urlAndTitle]) { host, item, episode in
            item.guid == nil || episode.guid == nil || host.agree(item, episode)
        }
        match(.matchedByFile, by: \.media, exactlyBy: [\.mediaAndTitle]) { host, item, episode in
            host.agree(item, episode)
        }
        match(.matchedByTitle, by: \.title, exactlyBy: [\.titleAndDuration]) { host, item, episode in
            host.agreeInTitle(item, episode)
        }
        matchGUIDsAlone()
        matchReturned()
    }

    /// The stored episode that has a GUID; the last one of several.
    func owner(ofGUID guid: Int64) -> Int64? { owners[guid]?.latest }

    private mutating func take(
        _ place: Int, for index: Int, _ kind: IdentityDecision.Kind?, needsOthers: Bool = false
    ) {
        matches[index] = Match(place: place, kind: kind, needsOthers: needsOthers)
        isTaken[place] = true
    }

    // MARK: GUIDs

    private mutating func matchGUIDs() {
        var several: SharedGUIDs?
        for index in document.distinct {
            let keys = items[index].keys
            guard let guid = keys.guid, let owners = owners[guid] else { continue }
            let isShared = document.sharedGUIDs.contains(guid) || owners.count > 1
            let places: [Int]
            if owners.count == 1 {
                places = isTaken[owners.place] ? [] : [owners.place]
            } else {
                if several == nil { several = sharedGUIDs() }
                places = several?.places(for: keys, guid, isTaken) ?? []
            }
            comparisons += places.count
            var best: (place: Int, score: Int)?
            for place in places {
                let score = agreement(keys, stored[place].keys, isShared)
                if score > 0, (score, -place) > (best?.score ?? 0, -(best?.place ?? .max)) { best = (place, score) }
            }
            if let best { take(best.place, for: index, nil) }
        }
    }

    /// Episodes whose GUID others have too, by each of what may agree besides.
    private struct SharedGUIDs {
        var byURL: EpisodeCandidates
        var byMedia: EpisodeCandidates
        var byTitle: EpisodeCandidates

        mutating func places(for keys: ItemKeys, _ guid: Int64, _ isTaken: [Bool]) -> [Int] {
            var places =
                byURL.first(ItemKeys.joined(guid, keys.url), isTaken, limit: 1)
                + byMedia.first(ItemKeys.joined(guid, keys.media), isTaken, limit: 1)
            if places.isEmpty, keys.isTitled, let published = keys.published {
                places = byTitle.nearest(ItemKeys.joined(guid, keys.title), to: published, isTaken)
            }
            return places
        }
    }

    private func sharedGUIDs() -> SharedGUIDs {
        func candidates(_ order: EpisodeCandidates.Order, _ key: KeyPath<ItemKeys, Int64>) -> EpisodeCandidates {
            func joined(_ keys: ItemKeys) -> Int64? {
                guard let guid = keys.guid, owners[guid, default: Owners(place: 0)].count > 1 else { return nil }
                return ItemKeys.joined(guid, keys[keyPath: key])
            }
            let wanted = Set(document.distinct.compactMap { joined(items[$0].keys) })
            return EpisodeCandidates(stored, isTaken: isTaken, in: order, of: wanted, by: joined)
        }
        return SharedGUIDs(
            byURL: candidates(.place, \.url), byMedia: candidates(.place, \.media), byTitle: candidates(.date, \.title))
    }

    /// How well an item and an episode of one GUID agree besides; 0 if only their dates may agree. If several have the GUID, a
    /// title alone proves little, because the title may be the show's.
    private func agreement(_ item: ItemKeys, _ episode: ItemKeys, _ isShared: Bool) -> Int {
        if item.url == episode.url { return 3 }
        if item.media == episode.media { return 2 }
        guard item.isTitled && item.title == episode.title else { return 0 }
        if !isShared { return 1 }
        guard let date = item.published, let known = episode.published else { return 0 }
        return HostChanges.distance(date, known) <= HostChanges.minute ? 1 : 0
    }

    /// Trusts a GUID despite another title and address, unless dates or lengths contradict: publishers correct both, but
    /// some give each new episode the GUID of the last one, or number their items from the top.
    private mutating func matchGUIDsAlone() {
        var pairs: [(index: Int, place: Int)] = []
        for index in document.distinct where matches[index] == nil {
            guard let guid = items[index].keys.guid, !document.sharedGUIDs.contains(guid),
                let owners = owners[guid], owners.count == 1, !isTaken[owners.place]
            else { continue }
            pairs.append((index, owners.place))
        }
        let isCrowd = pairs.count >= Self.crowd && pairs.count * 2 > document.distinct.count
        for (index, place) in pairs {
            let item = items[index].keys
            let episode = stored[place].keys
            guard HostChanges.isCompatible(item.duration, episode.duration) else { continue }
            var isNear = true
            if let date = item.published, let known = episode.published {
                let distance = HostChanges.distance(date, known)
                isNear = distance <= 30 * HostChanges.minute
                guard isNear || isCrowd && distance <= HostChanges.halfDay else { continue }
            }
            take(place, for: index, .matchedByGUIDAlone, needsOthers: !isNear)
        }
    }

    // MARK: Addresses and titles

    /// Gives each item that is left the best of the free episodes that are the same by a rule.
    /// - Parameters:
    ///   - key: what both have in common; of these the nearest in date are compared.
    ///   - exactKeys: what both have in common where the rule disregards dates; of these the best in rank are compared.
    private mutating func match(
        _ kind: IdentityDecision.Kind, by key: KeyPath<ItemKeys, Int64>,
        exactlyBy exactKeys: [KeyPath<ItemKeys, Int64>],
        accepting isSame: (HostChanges, ItemKeys, ItemKeys) -> Bool
    ) {
        let open = document.distinct.filter { matches[$0] == nil }
        if open.isEmpty { return }
        var byDate = candidates(for: open, in: .date, by: key)
        var byRank = exactKeys.map { candidates(for: open, in: .rank, by: $0) }
        for index in open {
            let keys = items[index].keys
            var places: [Int] = []
            for (place, key) in exactKeys.enumerated() { places += byRank[place].first(keys[keyPath: key], isTaken) }
            if let published = keys.published {
                places += byDate.nearest(keys[keyPath: key], to: published, isTaken)
            }
            comparisons += places.count
            // As in `EpisodeCandidates.Order.rank`.
            let found = places.filter { isSame(host, keys, stored[$0].keys) }
                .max { (stored[$0].isGone ? 0 : 1, stored[$0].id) < (stored[$1].isGone ? 0 : 1, stored[$1].id) }
            guard let found else { continue }
            let episode = stored[found].keys
            let isPlain = kind == .matchedByURL && keys.guid == nil && episode.guid == nil
            take(
                found, for: index, isPlain ? nil : kind,
                needsOthers: host != HostChanges() && !isSame(HostChanges(), keys, episode))
        }
    }

    private func candidates(
        for open: [Int], in order: EpisodeCandidates.Order, by key: KeyPath<ItemKeys, Int64>
    ) -> EpisodeCandidates {
        let wanted = Set(open.map { items[$0].keys[keyPath: key] })
        return EpisodeCandidates(stored, isTaken: isTaken, in: order, of: wanted) { $0[keyPath: key] }
    }

    /// Matches episodes that a feed had dropped, or replaces now, and lists again with another GUID and date, if title and
    /// length agree and no other stored episode could be meant. A bulletin may be the only item that is listed, so a
    /// document that replaces an episode must have several known ones as well.
    private mutating func matchReturned() {
        let open = document.distinct.filter { matches[$0] == nil && items[$0].keys.isTitled }
        if open.isEmpty { return }
        let isKnown = matches.count >= Self.crowd
        let gone = stored.indices.filter {
            !isTaken[$0] && (stored[$0].isGone || isKnown && span.covers(stored[$0].keys.published))
        }
        if gone.isEmpty { return }
        // A bulletin has one title each hour, and a title that two items have says nothing.
        let known = Dictionary(grouping: stored.indices) { stored[$0].keys.title }
        let listed = Dictionary(grouping: document.distinct) { items[$0].keys.title }
        for place in gone {
            let episode = stored[place].keys
            guard known[episode.title]?.count == 1, listed[episode.title]?.count == 1,
                let index = listed[episode.title]?.first, matches[index] == nil,
                HostChanges.isReturned(items[index].keys, episode, isReplaced: !stored[place].isGone)
            else { continue }
            take(place, for: index, items[index].keys.media == episode.media ? .matchedByFile : .matchedByTitle)
        }
    }

    /// True if most items have title and file of a stored episode, each of a different one. A single such item may be a bulletin,
    /// or an old episode that is published again.
    private func looksRestamped() -> Bool {
        var titles: [Int64: Int64] = [:]
        // An address that several share tells nothing.
        var shared: Set<Int64> = []
        for episode in stored where episode.keys.isTitled {
            if titles.updateValue(episode.keys.title, forKey: episode.keys.media) != nil {
                shared.insert(episode.keys.media)
            }
        }
        var pairs: Set<Int64> = []
        for index in document.distinct {
            let keys = items[index].keys
            if titles[keys.media] == keys.title && !shared.contains(keys.media) { pairs.insert(keys.media) }
        }
        return pairs.count >= Self.crowd && pairs.count * 2 > document.distinct.count
    }
}

/// Changes by the host to a whole document, and the differences of episodes that they explain.
private struct HostChanges: Equatable {
    /// No GUID of the document is known: the host has renewed them all, so differing ones say nothing.
    var isRenewed = false
    /// The host has renewed everything but titles and file names, so differing dates say nothing either.
    var isRestamped = false

    static let second: Int64 = 1_000
    static let minute: Int64 = 60_000
    static let halfDay: Int64 = 12 * 60 * minute
    static let month: Int64 = 31 * 2 * halfDay

    /// For one address: true if title and date tell the episode from an hourly bulletin with a constant address and title.
    func agree(_ item: ItemKeys, _ episode: ItemKeys) -> Bool {
        let isSameTitle = item.isTitled && item.title == episode.title
        if isSameTitle && isRestamped { return true }
        guard let published = item.published, let known = episode.published else { return isSameTitle }
        let distance = Self.distance(published, known)
        return distance <= Self.minute || (isSameTitle && distance <= window(item, episode))
    }

    func agreeInTitle(_ item: ItemKeys, _ episode: ItemKeys) -> Bool {
        guard item.isTitled, Self.isCompatible(item.duration, episode.duration) else { return false }
        guard let published = item.published, let known = episode.published else {
            // Without dates only an equal length makes a title more than a coincidence.
            return item.duration != nil && item.duration == episode.duration
        }
        return Self.distance(published, known) <= window(item, episode)
    }

    /// Largest difference between two dates of the same episode: a move may round dates or change the time zone.
    private func window(_ item: ItemKeys, _ episode: ItemKeys) -> Int64 {
        isRenewed || item.guid == nil || episode.guid == nil ? Self.halfDay : 10 * Self.minute
    }

    /// True if an item with the title of a dropped episode is that episode: a corrected file returns within a month, a
    /// rerun does not; for another file of the same length the dates may differ by a change of time zone at most, unless
    /// the item appears when the episode disappears, as after early access.
    static func isReturned(_ item: ItemKeys, _ episode: ItemKeys, isReplaced: Bool) -> Bool {
        guard let length = item.duration, let known = episode.duration, distance(length, known) <= second,
            let published = item.published, let before = episode.published
        else { return false }
        return distance(published, before) <= (isReplaced || item.media == episode.media ? month : halfDay)
    }

    static func distance(_ left: Int64, _ right: Int64) -> UInt64.Magnitude {
        let (difference, overflow) = left.subtractingReportingOverflow(right)
        return overflow ? .max : difference.magnitude
    }

    /// Announced durations are rounded and cut by advertisements: ten minutes are nothing.
    static func isCompatible(_ left: Int64?, _ right: Int64?) -> Bool {
        guard let left, let right else { return true }
        return distance(left, right) <= 10 * minute
    }
}

extension ItemKeys {
    fileprivate var urlAndTitle: Int64 { Self.joined(url, title) }
    fileprivate var mediaAndTitle: Int64 { Self.joined(media, title) }
    fileprivate var titleAndDuration: Int64 { Self.joined(title, duration ?? -1) }
}
