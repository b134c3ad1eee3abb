internal import PodcastModel

/// The stored dates of a document's episodes. They contain the whole order, because lists, queue and policies sort only by date.
///
/// Feeds date episodes by the second. The milliseconds order the episodes of one second: by season and number where both
/// have them, else as in the document. `docs/FEEDS.md` has the rules.
struct ListedOrder {
    /// Dates of new episodes in milliseconds, by the item's index.
    private(set) var times: [Int: Int64] = [:]
    /// Dates of stored episodes whose date changes, by id.
    private(set) var moves: [Int64: (time: Int64, isDated: Bool)] = [:]
    private let items: [MergeItem]
    private let stored: [StoredEpisode]
    private let isOlderPage: Bool
    /// Later dates are mistakes or announcements; the time of arrival replaces them.
    private let latest: Int64

    /// A listed episode; `known` is its place in `stored`.
    private struct Member {
        let item: Int
        let known: Int?
        var time: Int64 = 0
    }

    /// - Parameters:
    ///   - arrival: milliseconds for new episodes without a date.
    ///   - isCatalogue: whether new episodes are older than the subscription. One without a date is as old as its neighbor.
    init(
        _ plan: MergePlan, items: [MergeItem], stored: [StoredEpisode], isOlderPage: Bool, arrival: Int64,
        isCatalogue: Bool, now: Timestamp
    ) {
        self.items = items
        self.stored = stored
        self.isOlderPage = isOlderPage
        // If all dates are in the future, the clock of this machine is wrong.
        let oldest = items.compactMap(\.keys.published).min() ?? .max
        latest = oldest >= now.milliseconds ? .max : now.adding(seconds: 86_400).milliseconds
        let places = Dictionary(uniqueKeysWithValues: stored.enumerated().map { ($1.id, $0) })
        var members = plan.inserts.map { Member(item: $0, known: nil) }
        members += plan.found.map { Member(item: $0.item, known: places[$0.episode]) }
        members.sort { $0.item < $1.item }
        if isDescending(members) { members.reverse() }
        var neighbor = isCatalogue ? members.lazy.compactMap(date).first : nil
        for index in members.indices {
            let date = date(members[index])
            let known = members[index].known
            if isCatalogue, let date { neighbor = date }
            members[index].time = date ?? known.map { time(of: stored[$0]) } ?? neighbor ?? arrival
        }
        let order = members.indices.sorted { (second(members[$0].time), $0) < (second(members[$1].time), $1) }
        var others = unlisted(besides: members)
        var start = 0
        while start < order.count {
            let time = second(members[order[start]].time)
            let end = order[start...].firstIndex { second(members[$0].time) != time } ?? order.count
            rank(order[start..<end].map { members[$0] }, others.removeValue(forKey: time) ?? [], from: time)
            start = end
        }
    }

    /// Stored episodes that the document lacks, by the second that they share with listed ones.
    private func unlisted(besides members: [Member]) -> [Int64: [StoredEpisode]] {
        let isListed = Set(members.compactMap(\.known))
        let seconds = Set(members.map { second($0.time) })
        var others: [Int64: [StoredEpisode]] = [:]
        for (place, episode) in stored.enumerated() where !isListed.contains(place) {
            let second = second(episode.time)
            if seconds.contains(second) { others[second, default: []].append(episode) }
        }
        return others
    }

    /// Stores the times of the episodes of one second.
    private mutating func rank(_ listed: [Member], _ others: [StoredEpisode], from start: Int64) {
        if listed.count == 1, others.isEmpty { return store(listed[0].time, listed[0]) }
        let listed = ordered(listed)
        var waiting = others.sorted { ($0.time, $0.id) < ($1.time, $1.id) }[...]
        // An episode that the document lacks is older than its new ones, but newer than an older page's.
        let last = isOlderPage ? listed.count : (listed.lastIndex { $0.known != nil } ?? -1) + 1
        var time = start
        for index in 0...listed.count {
            let known = index < last ? listed[index].known.map { stored[$0].time } : nil
            while let other = waiting.first, index == last || other.time < known ?? .min {
                store(time, other, isDated: false)
                waiting.removeFirst()
                time += 1
            }
            if index < listed.count { store(time, listed[index]) }
            time += 1
        }
    }

    private mutating func store(_ time: Int64, _ member: Member) {
        guard let known = member.known else { return times[member.item] = time }
        store(time, stored[known], isDated: date(member) != nil)
    }

    private mutating func store(_ time: Int64, _ episode: StoredEpisode, isDated: Bool) {
        let wasDated = episode.keys.published.map { $0 <= latest } ?? false
        if time != episode.time || isDated && !wasDated { moves[episode.id] = (time, isDated || wasDated) }
    }

    private func date(_ member: Member) -> Int64? {
        items[member.item].keys.published.flatMap { $0 > latest ? nil : $0 }
    }

    private func time(of episode: StoredEpisode) -> Int64 { episode.time > latest ? episode.firstSeen : episode.time }

    private func second(_ milliseconds: Int64) -> Int64 { Timestamp(milliseconds: milliseconds).seconds * 1000 }

    // MARK: Directions

    /// Feeds usually list the newest episode first, unless dates, arrivals or numbers show the opposite.
    private func isDescending(_ members: [Member]) -> Bool {
        let direction = trend(members) { first, second in
            switch (date(first), date(second)) {
            case (let first?, let second?): sign(first, second)
            case (nil, nil): sign(arrival(of: first), arrival(of: second))
            case (_, _): 0
            }
        }
        return (direction == 0 ? trend(members, numberOrder) : direction) <= 0
    }

    /// Oldest first; an unnumbered episode, such as a trailer, keeps its place.
    private func ordered(_ members: [Member]) -> [Member] {
        var members = trend(members, numberOrder) < 0 ? members.reversed() : members
        let slots = members.indices.filter { items[members[$0].item].item.facts.number != nil }
        let numbered = slots.map { ($0, members[$0]) }.sorted {
            (-numberOrder($0.1, $1.1), $0.0) < (0, $1.0)
        }
        for (slot, member) in zip(slots, numbered) { members[slot] = member.1 }
        return members
    }

    private func arrival(of member: Member) -> Int64 { member.known.map { stored[$0].firstSeen } ?? .max }

    /// Above 0 if more members are later than their predecessors than earlier.
    private func trend(_ members: [Member], _ order: (Member, Member) -> Int) -> Int {
        zip(members, members.dropFirst()).reduce(0) { $0 + order($1.0, $1.1) }
    }

    /// 1 if the second one has a higher season and number, or a higher number after the same beginning of the title.
    private func numberOrder(_ first: Member, _ second: Member) -> Int {
        let first = items[first.item]
        let second = items[second.item]
        if let one = first.item.facts.number, let other = second.item.facts.number {
            let season = sign(first.item.facts.season ?? 0, second.item.facts.season ?? 0)
            return season == 0 ? sign(one, other) : season
        }
        let one = Array(first.title.utf8)
        let other = Array(second.title.utf8)
        var place = zip(one, other).prefix { $0 == $1 }.count
        while place > 0, one[place - 1].isDigit { place -= 1 }
        func number(_ title: [UInt8]) -> Int? {
            Int(String(utf8: title[place...].prefix(while: \.isDigit)))
        }
        guard let one = number(one), let other = number(other) else { return 0 }
        return sign(one, other)
    }

    private func sign<Number: Comparable>(_ first: Number, _ second: Number) -> Int {
        first < second ? 1 : first == second ? 0 : -1
    }
}
