/// A document's items without those that say the same episode again.
struct DocumentItems {
    /// Items that stand for themselves, by index.
    private(set) var distinct: [Int] = []
    /// Items that say again what an earlier one says.
    private(set) var repeated: [(item: Int, earlier: Int)] = []
    /// GUIDs that several distinct items have.
    private(set) var sharedGUIDs: Set<Int64> = []

    private var byGUID: [Int64: [Int]] = [:]
    private var byURL: [Int64: [Int]] = [:]

    init(_ items: [MergeItem]) {
        byGUID.reserveCapacity(items.count)
        byURL.reserveCapacity(items.count)
        for (index, item) in items.enumerated() {
            if let earlier = earlier(item.keys, in: items) {
                repeated.append((index, earlier))
                continue
            }
            if let guid = item.keys.guid {
                if byGUID[guid] != nil { sharedGUIDs.insert(guid) }
                byGUID[guid, default: []].append(index)
            }
            byURL[item.keys.url, default: []].append(index)
            distinct.append(index)
        }
    }

    /// The item before that says the same episode.
    private func earlier(_ keys: ItemKeys, in items: [MergeItem]) -> Int? {
        if let guid = keys.guid,
            let same = byGUID[guid]?.first(where: {
                items[$0].keys.media == keys.media || Self.isSameInWords(items[$0].keys, keys)
            })
        {
            return same
        }
        return byURL[keys.url]?.first { place in
            let other = items[place].keys
            return (keys.guid == nil && other.guid == nil) || Self.isSameInWords(other, keys)
        }
    }

    private static func isSameInWords(_ left: ItemKeys, _ right: ItemKeys) -> Bool {
        left.isTitled && left.title == right.title && left.published != nil && left.published == right.published
    }
}
