internal import PodcastModel

/// An item of a document as it would be stored, with the keys it is recognized by.
struct MergeItem {
    /// The item as stored: within the limits, and always with a title.
    let item: Item
    /// The media file that is played.
    let media: Enclosure
    /// The title as a plain line, or the file's name.
    let title: String
    let keys: ItemKeys
    /// Digest of everything stored but the notes.
    let digest: Int64
    let notesDigest: Int64
    /// About how many bytes of the library the episode takes, with its texts, lists and entries in indexes.
    let storedBytes: Int64

    init(_ item: Item, media: Enclosure) {
        var leftOut = LeftOut()
        self.init(bounded: item.bounded(&leftOut), media: media)
    }

    private init(bounded: Item, media: Enclosure) {
        var item = bounded
        self.media = media
        let named = item.title
        title = named ?? MediaAddress.fileName(of: media.url).flatMap { SafeText.title($0) } ?? media.url
        keys = ItemKeys(item, media: media, title: named)
        item.title = title
        var digest = MemberDigest()
        digest.hash.add(media.url)
        item.declareMembers(&digest)
        self.item = item
        self.digest = digest.hash.value
        notesDigest = digest.notes.value
        storedBytes = Int64(8 * MemberDigest.rowBytes + media.url.utf8.count + digest.bytes)
    }

    /// Adds the omitted contents to `leftOut`.
    /// - Throws: the reason why the item does not become an episode.
    init(_ item: Item, _ leftOut: inout LeftOut) throws(SkipReason) {
        let item = item.bounded(&leftOut)
        self.init(bounded: item, media: try Self.media(of: item))
    }

    private static func media(of item: Item) throws(SkipReason) -> Enclosure {
        if let media = item.media { return media }
        if item.enclosures.isEmpty { throw .noEnclosure }
        throw item.enclosures.contains { WebAddress.isFetchable($0.url) } ? .notPlayable : .notFetchable
    }
}

/// Digests of what an object's columns, tables and documents store, and their size.
struct MemberDigest: MemberVisitor {
    /// Bytes of a row, roughly.
    static let rowBytes = 64

    var hash = StableHash()
    var notes = StableHash()
    private(set) var bytes = 0
    var isIncomplete = false

    mutating func visit(_ member: PublishedMember, _ text: inout String?) {
        guard member.isStored else { return }
        bytes += text?.utf8.count ?? 0
        if member.bound == .notes { notes.add(text) } else { hash.add(text) }
    }

    mutating func visit(_ member: PublishedMember, _ number: inout Int64?) { if member.isStored { hash.add(number) } }

    mutating func visit(_ member: PublishedMember, _ flag: inout Bool?) {
        if member.isStored { hash.add(flag.map { $0 ? 1 : 0 }) }
    }

    mutating func visit(_ member: PublishedMember, _ time: inout MediaTime?) { hash.add(time?.milliseconds) }
    mutating func visit(_ member: PublishedMember, _ date: inout Timestamp?) { hash.add(date?.milliseconds) }

    mutating func visit<Object: PublishedObject>(_ list: PublishedList, _ objects: inout [Object]) {
        hash.add(Int64(objects.count))
        bytes += objects.count * Self.rowBytes
        for object in objects {
            var object = object
            object.declareMembers(&self)
        }
    }
}

extension StableHash {
    init(_ text: String?) {
        self.init()
        add(text)
    }
}

/// Hashes and times by which an item or episode is recognized.
struct ItemKeys: Equatable {
    /// Hash of the publisher's GUID.
    var guid: Int64?
    /// Hash of the title's letters and digits; of nothing when it has none.
    var title: Int64
    var isTitled: Bool { title != Self.untitled }
    /// Hash of the enclosure's URL.
    var url: Int64
    /// Hash of the URL without parts that hosts change at will: `MediaAddress`.
    var media: Int64
    /// Milliseconds of whole seconds, like `duration`; nil when the feed does not say.
    var published: Int64?
    var duration: Int64?
}

extension ItemKeys {
    /// - Parameter title: the item's title as a plain line.
    init(_ item: Item, media: Enclosure, title: String?) {
        guid = item.guid.flatMap { $0.isEmpty ? nil : StableHash($0).value }
        self.title = Self.titleKey(title ?? "")
        url = StableHash(media.url).value
        self.media = MediaAddress.key(of: media.url)
        published = item.published?.milliseconds
        duration = item.duration?.milliseconds
    }

    private static let untitled = titleKey("")

    /// Hashes letters, digits and everything beyond ASCII, without the case of ASCII letters.
    private static func titleKey(_ title: String) -> Int64 {
        var hash = StableHash()
        var word: UInt64 = 0
        var count = 0
        for byte in title.utf8 where byte.isLetter || byte.isDigit || byte >= 0x80 {
            word = word << 8 | UInt64(byte.lowercased)
            count += 1
            if count % 8 == 0 {
                hash.add(Int64(bitPattern: word))
                word = 0
            }
        }
        hash.add(Int64(bitPattern: word))
        hash.add(Int64(count))
        return hash.value
    }
}
