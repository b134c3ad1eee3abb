/// A document's items without those that repeat an earlier item's episode.
struct DocumentItems {
    /// Items that stand for themselves, by index.
    private(set) var distinct: [Int] = []
    private(set) var repeated: [(item: Int, earlier: Int)] = []
    /// GUIDs that several distinct items have.
    private(set) var sharedGUIDs: Set<Int64> = []
    private var guids: Set<Int64> = []
    /// The first item with each likeness. Hashing keeps a document linear whose items all have one GUID or URL.
    private var first: [Likeness: Int] = [:]

    /// What two items of one episode have in common.
    private enum Likeness: Hashable {
        case file(guid: Int64, media: Int64)
        case wordsOfGUID(Int64, title: Int64, published: Int64)
        case noGUID(url: Int64)
        case wordsOfURL(Int64, title: Int64, published: Int64)
    }

    init(_ items: [MergeItem]) {
        guids.reserveCapacity(items.count)
        first.reserveCapacity(3 * items.count)
        for (index, item) in items.enumerated() {
            let (ofGUID, ofURL) = Self.likenesses(item.keys)
            if let earlier = earliest(ofGUID) ?? earliest(ofURL) {
                repeated.append((index, earlier))
                continue
            }
            distinct.append(index)
            for likeness in ofGUID + ofURL where first[likeness] == nil { first[likeness] = index }
            if let guid = item.keys.guid, !guids.insert(guid).inserted { sharedGUIDs.insert(guid) }
        }
    }

    private func earliest(_ likenesses: [Likeness]) -> Int? { likenesses.compactMap { first[$0] }.min() }

    private static func likenesses(_ keys: ItemKeys) -> (ofGUID: [Likeness], ofURL: [Likeness]) {
        var (ofGUID, ofURL): ([Likeness], [Likeness]) = ([], [])
        if let guid = keys.guid { ofGUID.append(.file(guid: guid, media: keys.media)) }
        if keys.guid == nil { ofURL.append(.noGUID(url: keys.url)) }
        if keys.isTitled, let published = keys.published {
            if let guid = keys.guid { ofGUID.append(.wordsOfGUID(guid, title: keys.title, published: published)) }
            ofURL.append(.wordsOfURL(keys.url, title: keys.title, published: published))
        }
        return (ofGUID, ofURL)
    }
}
