internal import PodcastModel

/// Stored episodes in groups of one key, each group in an order. Episodes that are taken are skipped at a constant cost
/// on average, however many of them a group has.
struct EpisodeCandidates {
    /// Maximum episodes of a group that an item is compared with, more than an honest feed has of one key within the
    /// dates of a match. Without a bound, items that share a key would cost the product of items and episodes.
    static let compared = 32

    /// The sort key of a group's episodes.
    enum Order {
        /// Episodes that the feed still listed come before dropped episodes; then later episodes before earlier episodes.
        case rank
        /// As they are stored.
        case place
        /// The publisher's date; episodes without one are left out.
        case date
    }

    private var entries: [(key: Int64, sort: Int64, place: Int)] = []
    private var groups: [Int64: Range<Int>] = [:]
    /// For each entry, links to an entry after it and to an entry before it; all entries between are taken.
    private var following: [Int]
    private var preceding: [Int]

    /// - Parameters:
    ///   - keys: the keys that items have; episodes of other keys are left out.
    ///   - key: the key of an episode; nil leaves the episode out.
    init(
        _ stored: [StoredEpisode], isTaken: [Bool], in order: Order, of keys: Set<Int64>, by key: (ItemKeys) -> Int64?
    ) {
        for (place, episode) in stored.enumerated() where !isTaken[place] {
            guard let key = key(episode.keys), keys.contains(key) else { continue }
            switch order {
            case .rank: entries.append((key, episode.isGone ? 1 : 0, place))
            case .place: entries.append((key, 0, place))
            case .date:
                if let published = episode.keys.published { entries.append((key, published, place)) }
            }
        }
        if order == .rank {
            entries.sort { ($0.key, $0.sort, stored[$1.place].id) < ($1.key, $1.sort, stored[$0.place].id) }
        } else {
            entries.sort { ($0.key, $0.sort, $0.place) < ($1.key, $1.sort, $1.place) }
        }
        var start = 0
        for index in entries.indices where index + 1 == entries.count || entries[index + 1].key != entries[index].key {
            groups[entries[index].key] = start..<index + 1
            start = index + 1
        }
        following = Array(entries.indices.map { $0 + 1 })
        preceding = Array(entries.indices.map { $0 - 1 })
    }

    /// The places of the first free episodes of a group.
    mutating func first(_ key: Int64, _ isTaken: [Bool], limit: Int = compared) -> [Int] {
        guard let group = groups[key] else { return [] }
        return free(from: group.lowerBound, 1, in: group, isTaken, limit)
    }

    /// The places of the free episodes of a group whose dates are nearest to one, on either side of it.
    mutating func nearest(_ key: Int64, to published: Int64, _ isTaken: [Bool]) -> [Int] {
        guard let group = groups[key] else { return [] }
        var low = group.lowerBound
        var high = group.upperBound
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sort < published { low = middle + 1 } else { high = middle }
        }
        return free(from: low, 1, in: group, isTaken, Self.compared / 2)
            + free(from: low - 1, -1, in: group, isTaken, Self.compared / 2)
    }

    /// The free places of a group from an entry on, in one direction.
    private mutating func free(
        from start: Int, _ step: Int, in group: Range<Int>, _ isTaken: [Bool], _ limit: Int
    ) -> [Int] {
        var places: [Int] = []
        var index = start
        func isSkipped(_ index: Int) -> Bool { group.contains(index) && isTaken[entries[index].place] }
        while places.count < limit {
            index =
                step > 0
                ? Self.skip(from: index, along: &following, while: isSkipped)
                : Self.skip(from: index, along: &preceding, while: isSkipped)
            guard group.contains(index) else { break }
            places.append(entries[index].place)
            index += step
        }
        return places
    }

    /// Follows links over what is taken and shortens them, so that later walks are short.
    private static func skip(from start: Int, along links: inout [Int], while isSkipped: (Int) -> Bool) -> Int {
        var index = start
        while isSkipped(index) {
            let next = links[index]
            if isSkipped(next) { links[index] = links[next] }
            index = next
        }
        return index
    }
}

extension ItemKeys {
    /// A key made of two keys. A collision costs one more comparison.
    static func joined(_ left: Int64, _ right: Int64) -> Int64 {
        var hash = StableHash()
        hash.add(left)
        hash.add(right)
        return hash.value
    }
}
