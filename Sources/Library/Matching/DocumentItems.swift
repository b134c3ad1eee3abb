/// A document's items without those that say the same episode again.
struct DocumentItems {
    /// Items that stand for themselves, by index.
    private(set) var distinct: [Int] = []
    /// Items that say again what an earlier one says.
    private(set) var repeated: [(item: Int, earlier: Int)] = []
    /// GUIDs that several distinct items have.
    private(set) var sharedGUIDs: Set<Int64> = []
    /// Pairs of items that were compared.
    private(set) var comparisons = 0

    /// The first item of each GUID and of each URL.
    private var firstByGUID: [Int64: Int] = [:]
    private var firstByURL: [Int64: Int] = [:]
    /// Further items of a GUID or URL, by what else an item must have in common with them. Hashing instead of comparing
    /// keeps a document linear whose items all have one GUID or one URL.
    private var others: [Likeness: Int] = [:]

    private enum Likeness: Hashable {
        case file(guid: Int64, media: Int64)
        case wordsOfGUID(Int64, title: Int64, published: Int64)
        case noGUID(url: Int64)
        case wordsOfURL(Int64, title: Int64, published: Int64)
    }

    init(_ items: [MergeItem]) {
        firstByGUID.reserveCapacity(items.count)
        firstByURL.reserveCapacity(items.count)
        for (index, item) in items.enumerated() {
            if let earlier = earlier(item.keys, in: items) {
                repeated.append((index, earlier))
                continue
            }
            enter(item.keys, index)
            distinct.append(index)
        }
    }

    private mutating func enter(_ keys: ItemKeys, _ index: Int) {
        if let guid = keys.guid {
            if firstByGUID[guid] == nil {
                firstByGUID[guid] = index
            } else {
                sharedGUIDs.insert(guid)
                enter(Self.likenesses(keys, guid: guid), index)
            }
        }
        if firstByURL[keys.url] == nil {
            firstByURL[keys.url] = index
        } else {
            enter(Self.likenesses(ofURL: keys), index)
        }
    }

    private mutating func enter(_ likenesses: [Likeness], _ index: Int) {
        for likeness in likenesses where others[likeness] == nil { others[likeness] = index }
    }

    /// The item before that says the same episode.
    private mutating func earlier(_ keys: ItemKeys, in items: [MergeItem]) -> Int? {
        if let guid = keys.guid, let first = firstByGUID[guid] {
            let other = items[first].keys
            comparisons += 1
            if other.media == keys.media || Self.isSameInWords(other, keys) { return first }
            if let same = earliest(Self.likenesses(keys, guid: guid)) { return same }
        }
        guard let first = firstByURL[keys.url] else { return nil }
        let other = items[first].keys
        comparisons += 1
        if (keys.guid == nil && other.guid == nil) || Self.isSameInWords(other, keys) { return first }
        return earliest(Self.likenesses(ofURL: keys))
    }

    private func earliest(_ likenesses: [Likeness]) -> Int? { likenesses.compactMap { others[$0] }.min() }

    private static func likenesses(_ keys: ItemKeys, guid: Int64) -> [Likeness] {
        var likenesses = [Likeness.file(guid: guid, media: keys.media)]
        if keys.isTitled, let published = keys.published {
            likenesses.append(.wordsOfGUID(guid, title: keys.title, published: published))
        }
        return likenesses
    }

    private static func likenesses(ofURL keys: ItemKeys) -> [Likeness] {
        var likenesses: [Likeness] = []
        if keys.guid == nil { likenesses.append(.noGUID(url: keys.url)) }
        if keys.isTitled, let published = keys.published {
            likenesses.append(.wordsOfURL(keys.url, title: keys.title, published: published))
        }
        return likenesses
    }

    private static func isSameInWords(_ left: ItemKeys, _ right: ItemKeys) -> Bool {
        left.isTitled && left.title == right.title && left.published != nil && left.published == right.published
    }
}
