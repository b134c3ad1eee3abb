internal import PodcastModel

/// A field that several elements may fill; the best of them does, the first among equals.
struct Ranked<Value> {
    private(set) var value: Value?
    private var rank: UInt8 = 0

    /// Whether an offer of that rank would be taken.
    func isOpen(to rank: UInt8) -> Bool { rank > self.rank }

    /// Takes a value unless there is one of that rank or a higher one; nil is no offer.
    mutating func offer(_ rank: UInt8, _ value: @autoclosure () -> Value?) {
        guard rank > self.rank, let value = value() else { return }
        self.value = value
        self.rank = rank
    }

    /// Takes a value unless there is one of a higher rank: the last among equals.
    mutating func replace(_ rank: UInt8, _ value: Value?) {
        guard rank >= self.rank, let value else { return }
        self.value = value
        self.rank = rank
    }
}

/// Ranks of offers. What belongs to the feed's own format beats a module, and a module that was made for podcasts
/// beats one that was not.
enum Rank {
    static let fallback: UInt8 = 1
    static let other: UInt8 = 2
    static let secondary: UInt8 = 3
    static let primary: UInt8 = 4
    static let own: UInt8 = 5
    static let best: UInt8 = 6
}

/// The feed as far as it has been read.
struct FeedDraft {
    var channel = ChannelDraft()
    var item = ItemDraft()
    private(set) var items: [Item] = []
    /// Takes the items instead of `items`.
    private let itemHandler: ((Item) -> Void)?
    /// Items read, kept or handed on.
    private(set) var itemCount = 0
    /// An item had an enclosure that may be audio or video.
    private(set) var hasMedia = false
    /// Items beyond the cap.
    private(set) var droppedItems = 0
    /// The item that another one began in; none or one.
    private var outerItems: [ItemDraft] = []
    /// Whether an item has begun and not ended.
    private(set) var isInItem = false
    let limits: FeedLimits
    var base: FeedURL
    var format = "RSS"
    /// What an element's attributes said, until its text has come.
    var person = PersonDraft()
    var openPerson: Person?
    var guidIsPermalink: Bool?
    var isLabelled = false

    init(baseURL: String, limits: FeedLimits, itemHandler: ((Item) -> Void)?) {
        self.itemHandler = itemHandler
        base = FeedURL(baseURL)
        self.limits = limits
    }

    /// Begins an item. One that is still open ends, unless this one turns out to be empty.
    mutating func beginItem() {
        if isInItem {
            commitOuterItem()
            outerItems = [item]
            item = ItemDraft()
        }
        isInItem = true
    }

    /// Ends the item that is open, if one is.
    mutating func endItem() {
        guard isInItem else { return }
        if !outerItems.isEmpty, item.isEmpty {
            item = outerItems.removeLast()
            return
        }
        commitOuterItem()
        isInItem = false
        append(item)
        item = ItemDraft()
    }

    private mutating func commitOuterItem() {
        if !outerItems.isEmpty { append(outerItems.removeLast()) }
    }

    private mutating func append(_ draft: ItemDraft) {
        guard itemCount < limits.items else {
            droppedItems += 1
            return
        }
        itemCount += 1
        let item = draft.build()
        hasMedia = hasMedia || item.enclosures.contains { $0.mayBeMedia }
        if let itemHandler { itemHandler(item) } else { items.append(item) }
    }

    /// Forgets an item that the document broke off in, unless it can be played already.
    mutating func abandonItem() -> Bool {
        guard isInItem, item.enclosures.isEmpty else { return false }
        commitOuterItem()
        isInItem = false
        item = ItemDraft()
        return true
    }

    func build() -> FeedContents {
        var contents = FeedContents()
        contents.channel = channel.build()
        contents.items = items
        return contents
    }
}

/// The channel as far as it has been read.
struct ChannelDraft {
    var title = Ranked<String>()
    var link = Ranked<String>()
    var summary = Ranked<String>()
    var language = Ranked<String>()
    var author = Ranked<String>()
    var image = Ranked<String>()
    var explicit = Ranked<Bool>()
    var newFeedURL = Ranked<String>()
    /// The fields that only one element fills.
    var plain = Channel()

    func build() -> Channel {
        var channel = plain
        channel.title = title.value
        channel.link = link.value
        channel.summary = summary.value
        channel.language = language.value
        channel.author = author.value
        channel.image = image.value
        channel.explicit = explicit.value
        channel.newFeedURL = newFeedURL.value
        return channel
    }
}

/// An item as far as it has been read.
struct ItemDraft {
    var guid = Ranked<String>()
    var title = Ranked<String>()
    var link = Ranked<String>()
    var published = Ranked<Timestamp>()
    var duration = Ranked<MediaTime>()
    var summary = Ranked<String>()
    var content = Ranked<String>()
    var author = Ranked<String>()
    var image = Ranked<String>()
    var season = Ranked<Int>()
    var episode = Ranked<Int>()
    var explicit = Ranked<Bool>()
    var chaptersURL = Ranked<String>()
    var episodeType: String?
    var enclosures: [Enclosure] = []
    /// Media RSS says what the enclosures say already, or stands alone.
    var media: [Enclosure] = []
    var chapters: [Chapter] = []
    var transcripts: [TranscriptReference] = []
    var persons: [Person] = []

    /// Nothing has been said of it.
    var isEmpty: Bool {
        guid.value == nil && title.value == nil && link.value == nil && summary.value == nil && content.value == nil
            && published.value == nil && enclosures.isEmpty && media.isEmpty
    }

    func build() -> Item {
        var item = Item()
        item.guid = guid.value
        item.title = title.value
        item.link = link.value
        item.published = published.value
        item.duration = duration.value
        item.summary = summary.value
        item.content = content.value
        item.author = author.value
        item.image = image.value
        item.season = season.value
        item.episode = episode.value
        item.explicit = explicit.value
        item.chaptersURL = chaptersURL.value
        item.episodeType = episodeType
        item.enclosures = enclosures.isEmpty ? media : enclosures
        item.chapters = chapters
        item.transcripts = transcripts
        item.persons = persons
        return item
    }
}

/// Somebody named by an element with children.
struct PersonDraft {
    var name: String?
    var email: String?
}

extension Array {
    /// Appends unless there are so many already.
    mutating func append(_ member: Element, upTo limit: Int) {
        if count < limit { append(member) }
    }
}
