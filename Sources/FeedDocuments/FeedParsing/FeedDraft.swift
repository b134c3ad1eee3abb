internal import PodcastModel

/// A field that several elements can set; the one with the highest rank wins, the first of equals.
struct Ranked<Value> {
    private(set) var value: Value?
    private var rank: UInt8 = 0

    /// Whether a value of this rank would be stored.
    func isOpen(to rank: UInt8) -> Bool { rank > self.rank }

    /// Stores a value unless there is one of the same or a higher rank; nil is ignored.
    mutating func offer(_ rank: UInt8, _ value: @autoclosure () -> Value?) {
        guard rank > self.rank, let value = value() else { return }
        self.value = value
        self.rank = rank
    }

    /// Stores a value unless there is one of a higher rank: the last of equals.
    mutating func replace(_ rank: UInt8, _ value: Value?) {
        guard rank >= self.rank, let value else { return }
        self.value = value
        self.rank = rank
    }

    /// Returns the value and resets the field.
    mutating func take() -> Value? {
        rank = 0
        return value.take()
    }
}

/// Ranks of values. The feed's own format has precedence over modules, and modules for podcasts over others.
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
    /// Receives the items, instead of `items`.
    private let itemHandler: ((Item) -> Void)?
    /// Items read, whether kept or passed on.
    private(set) var itemCount = 0
    /// An item had an enclosure that may be audio or video.
    private(set) var hasMedia = false
    /// Items beyond the limit.
    private(set) var droppedItems = 0
    /// The item that contains the current one, if any.
    private var outerItems: [ItemDraft] = []
    /// Whether an item has begun and not ended.
    private(set) var isInItem = false
    let limits: FeedLimits
    var base: FeedURL
    var format = "RSS"
    /// Values of an element's attributes, until its text follows.
    var person = PersonDraft()
    var openLink: LinkDraft?
    var openPerson: Person?
    var openLocation: Location?
    var openSoundbite: Soundbite?
    /// The live item that the item being read belongs to.
    private var live: LiveItem?
    var guidIsPermalink: Bool?
    var isLabelled = false

    init(baseURL: String, limits: FeedLimits, itemHandler: ((Item) -> Void)?) {
        self.itemHandler = itemHandler
        base = FeedURL(baseURL)
        self.limits = limits
    }

    /// Begins an item. One that is still open ends, unless this one turns out to be empty.
    mutating func beginItem() {
        endLiveItem()
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
        append(item.finish())
    }

    private mutating func commitOuterItem() {
        guard var outer = outerItems.popLast() else { return }
        append(outer.finish())
    }

    /// Begins a live item; its content is read like an item's.
    mutating func beginLiveItem(_ live: LiveItem) {
        endLiveItem()
        self.live = live
    }

    /// Ends the live item that is open, if one is.
    mutating func endLiveItem() {
        guard var live = live.take() else { return }
        live.item = item.finish()
        channel.plain.liveItems.append(live, upTo: limits.listMembers)
    }

    private mutating func append(_ item: Item) {
        guard itemCount < limits.items else {
            droppedItems += 1
            return
        }
        itemCount += 1
        hasMedia = hasMedia || item.enclosures.contains { $0.mayBeMedia }
        if let itemHandler { itemHandler(item) } else { items.append(item) }
    }

    /// Drops the item in which the document ends early, unless it can be played.
    mutating func abandonItem() -> Bool {
        if live.take() != nil { item = ItemDraft() }
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
    var rhythm = RhythmDraft()
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
        channel.rhythm = rhythm.build(isComplete: plain.complete ?? false)
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
    /// Media RSS repeats the enclosures, or replaces them.
    var media: [Enclosure] = []
    var chapters: [Chapter] = []
    var transcripts: [TranscriptReference] = []
    var persons: [Person] = []
    var seasonName: String?
    var episodeName: String?
    var soundbites: [Soundbite] = []
    var locations: [Location] = []

    /// Whether it has no content yet.
    var isEmpty: Bool {
        guid.value == nil && title.value == nil && link.value == nil && summary.value == nil && content.value == nil
            && published.value == nil && enclosures.isEmpty && media.isEmpty
    }

    /// Returns the item and resets the draft.
    ///
    /// Moves instead of copying: counting references to two dozen values twice for each item took a twelfth of the time.
    mutating func finish() -> Item {
        var item = Item()
        item.guid = guid.take()
        item.title = title.take()
        item.link = link.take()
        item.published = published.take()
        item.duration = duration.take()
        item.summary = summary.take()
        item.content = content.take()
        item.author = author.take()
        item.image = image.take()
        item.season = season.take()
        item.episode = episode.take()
        item.explicit = explicit.take()
        item.chaptersURL = chaptersURL.take()
        item.episodeType = episodeType.take()
        swap(&item.enclosures, &enclosures)
        if item.enclosures.isEmpty { swap(&item.enclosures, &media) } else { media = [] }
        swap(&item.chapters, &chapters)
        swap(&item.transcripts, &transcripts)
        swap(&item.persons, &persons)
        swap(&item.soundbites, &soundbites)
        swap(&item.locations, &locations)
        item.seasonName = seasonName.take()
        item.episodeName = episodeName.take()
        return item
    }
}

/// A person described by an element with children.
struct PersonDraft {
    var name: String?
    var email: String?
}

extension Array {
    /// Appends unless the limit is reached.
    mutating func append(_ member: Element, upTo limit: Int) {
        if count < limit { append(member) }
    }
}
