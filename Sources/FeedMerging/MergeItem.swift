public import LibraryModel
public import PodcastModel

/// An item of a document as it would be stored, with the keys it is recognized by.
public struct MergeItem {
    public let item: Item
    /// The media file that is played.
    public let media: Enclosure
    /// The title as a plain line, or the file's name.
    public let title: String
    /// What the item is recognized by.
    public let keys: ItemKeys
    /// What else the publisher says of it.
    public var details: EpisodeDetails { EpisodeDetails(item) }
    /// Digest of everything stored but the notes.
    public let digest: Int64
    public let notesDigest: Int64

    /// An item with the media file chosen from its enclosures.
    public init(_ item: Item, media: Enclosure) {
        self.item = item
        self.media = media
        let named = item.title.flatMap { SafeText.title($0) }
        title = named ?? MediaAddress.fileName(of: media.url).flatMap { SafeText.title($0) } ?? media.url
        keys = ItemKeys(item, media: media, title: named)
        var hash = StableHash()
        hash.add(title)
        hash.add(item.guid)
        hash.add(item.published?.milliseconds)
        hash.add(item.duration?.milliseconds)
        hash.add(item.link)
        hash.add(item.author)
        hash.add(item.image)
        hash.add(item.season.map(Int64.init))
        hash.add(item.episode.map(Int64.init))
        hash.add(item.explicit.map { $0 ? 1 : 0 })
        hash.add(item.episodeType)
        hash.add(item.chaptersURL)
        hash.add(media.url)
        for enclosure in item.enclosures {
            hash.add(enclosure.url)
            hash.add(enclosure.type)
            hash.add(enclosure.length)
        }
        for chapter in item.chapters {
            hash.add(chapter.start.milliseconds)
            hash.add(chapter.end?.milliseconds)
            hash.add(chapter.title)
            hash.add(chapter.link)
            hash.add(chapter.image)
            hash.add(chapter.isListed ? 1 : 0)
        }
        for transcript in item.transcripts {
            hash.add(transcript.url)
            hash.add(transcript.type)
            hash.add(transcript.language)
            hash.add(transcript.rel)
        }
        for person in item.persons {
            hash.add(person.name)
            hash.add(person.role)
            hash.add(person.href)
            hash.add(person.image)
        }
        EpisodeDetails(item).add(to: &hash)
        digest = hash.value
        var notes = StableHash()
        notes.add(item.summary)
        notes.add(item.content)
        notesDigest = notes.value
    }

    /// An item of a document.
    /// - Throws: why it becomes no episode.
    public init(_ item: Item) throws(SkipReason) { self.init(item, media: try Self.media(of: item)) }

    /// The first enclosure that may be fetched and is not plainly a picture or a paper.
    private static func media(of item: Item) throws(SkipReason) -> Enclosure {
        if item.enclosures.isEmpty { throw .noEnclosure }
        var isFetchable = false
        for enclosure in item.enclosures where WebAddress.isFetchable(enclosure.url) {
            isFetchable = true
            let type = enclosure.type?.lowercased() ?? ""
            if !type.hasPrefix("image/") && type != "application/pdf" { return enclosure }
        }
        throw isFetchable ? .notPlayable : .notFetchable
    }
}

/// What an item is recognized by, in the document and in the library.
public struct ItemKeys: Equatable {
    /// Hash of the publisher's GUID.
    public var guid: Int64?
    /// Hash of the title's letters and digits; of nothing when it has none.
    public var title: Int64
    /// Whether there is a title to compare.
    var isTitled: Bool { title != Self.untitled }
    /// Hash of the enclosure's URL as it stands.
    public var url: Int64
    /// Hash of that URL without what hosts change at will.
    public var media: Int64
    /// Milliseconds; nil when the feed does not say.
    public var published: Int64?
    /// Milliseconds; nil when the feed does not say.
    public var duration: Int64?

    /// The keys of an item; `title` is its cleaned one.
    init(_ item: Item, media: Enclosure, title: String?) {
        guid = item.guid.flatMap { $0.isEmpty ? nil : Self.hash($0) }
        self.title = Self.titleKey(title ?? "")
        url = Self.hash(media.url)
        self.media = MediaAddress.key(of: media.url)
        published = item.published?.milliseconds
        duration = item.duration?.milliseconds
    }

    public init(guid: Int64?, title: Int64, url: Int64, media: Int64, published: Int64?, duration: Int64?) {
        self.guid = guid
        self.title = title
        self.url = url
        self.media = media
        self.published = published
        self.duration = duration
    }

    private static let untitled = titleKey("")

    private static func hash(_ text: String) -> Int64 {
        var hash = StableHash()
        hash.add(text)
        return hash.value
    }

    /// Letters, digits and everything beyond ASCII, without regard to the case of ASCII letters: a publisher who adds
    /// a full stop means the same title.
    private static func titleKey(_ title: String) -> Int64 {
        var hash = StableHash()
        var word: UInt64 = 0
        var count = 0
        for byte in title.utf8 {
            let kept: UInt8
            switch byte {
            case 0x41...0x5A: kept = byte | 0x20
            case 0x30...0x39, 0x61...0x7A, 0x80...: kept = byte
            case _: continue
            }
            word = word << 8 | UInt64(kept)
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
