internal import PodcastModel

/// A field that several elements can set: the value with the highest rank wins, the first of equals.
struct Ranked<Value> {
    private(set) var value: Value?
    private var rank = Rank.none

    /// Stores a value unless there is one of the same or a higher rank; nil is ignored.
    mutating func offer(_ rank: Rank, _ value: @autoclosure () -> Value?) {
        guard rank > self.rank, let value = value() else { return }
        self.value = value
        self.rank = rank
    }

    /// Stores a value unless there is one of a higher rank: the last of equals wins.
    mutating func replace(_ rank: Rank, _ value: Value?) {
        guard rank >= self.rank, let value else { return }
        self.value = value
        self.rank = rank
    }

    /// Returns the value and resets the field.
    mutating func take() -> Value? {
        rank = .none
        return value.take()
    }
}

/// Ranks of values. The feed's own format takes precedence over modules, and podcast modules over others.
enum Rank: Comparable {
    case none, fallback, other, secondary, primary, own, best
}

/// The texts of a channel or an item that several elements can set.
enum DraftText: Int {
    case title, summary, author, language, guid, content
    case link, image, newFeedURL, chaptersURL

    var isURL: Bool { rawValue >= Self.link.rawValue }
}

/// The part of the feed read so far.
struct FeedDraft {
    var channel = ChannelDraft()
    var item = ItemDraft()
    private var items: [Item] = []
    /// Number of items beyond the limit.
    private(set) var droppedItems = 0
    /// The item in which another one has begun, which may turn out to be empty.
    private var outerItem: ItemDraft?
    private(set) var isInItem = false
    let limits: FeedLimits
    var base: FeedURL
    var format = "RSS"
    /// The name of an author with child elements, or else the email address.
    var author = Ranked<String>()
    /// What the attributes of an element determined for the text that follows them.
    var whenTextEnds: ElementRule.End?
    var guidIsPermalink: Bool?
    private var live: LiveItem?

    init(baseURL: String, limits: FeedLimits) {
        base = FeedURL(baseURL)
        self.limits = limits
    }

    /// Begins an item. An open item ends, unless the new one turns out to be empty.
    mutating func beginItem() {
        endLiveItem()
        if isInItem {
            commitOuterItem()
            outerItem = item
            item = ItemDraft()
        }
        isInItem = true
    }

    mutating func endItem() {
        guard isInItem else { return }
        if item.isEmpty, let outer = outerItem.take() {
            item = outer
            return
        }
        commitOuterItem()
        isInItem = false
        append(item.finish())
    }

    private mutating func commitOuterItem() {
        guard var outer = outerItem.take() else { return }
        append(outer.finish())
    }

    /// Begins a live item; its content is read like an item's.
    mutating func beginLiveItem(_ live: LiveItem) {
        endLiveItem()
        self.live = live
    }

    mutating func endLiveItem() {
        guard var live = live.take() else { return }
        live.item = item.finish()
        channel.plain.details.liveItems.append(live, upTo: limits.listMembers)
    }

    private mutating func append(_ item: Item) {
        if items.count < limits.items { items.append(item) } else { droppedItems += 1 }
    }

    /// Discards the item in which the document ends early, unless the item can be played.
    mutating func abandonItem() -> Bool {
        if live.take() != nil { item = ItemDraft() }
        guard isInItem, item.plain.enclosures.isEmpty else { return false }
        commitOuterItem()
        isInItem = false
        item = ItemDraft()
        return true
    }

    mutating func addCategory(_ name: ElementText?) {
        if let name = name?.string { channel.plain.categories.append(name, upTo: limits.listMembers) }
    }

    func build() -> FeedContents {
        var contents = FeedContents()
        contents.channel = channel.build()
        contents.items = items
        return contents
    }
}

/// The part of the channel read so far.
struct ChannelDraft {
    private var texts = [10 of Ranked<String>](repeating: Ranked())
    var explicit = Ranked<Bool>()
    var rhythm = RhythmDraft()
    /// Fields that only one element sets.
    var plain = Channel()

    subscript(text: DraftText) -> Ranked<String> {
        get { texts[text.rawValue] }
        set { texts[text.rawValue] = newValue }
    }

    func build() -> Channel {
        var channel = plain
        channel.title = self[.title].value
        channel.link = self[.link].value
        channel.summary = self[.summary].value
        channel.language = self[.language].value
        channel.author = self[.author].value
        channel.image = self[.image].value
        channel.explicit = explicit.value
        channel.newFeedURL = self[.newFeedURL].value
        channel.rhythm = rhythm.build(isComplete: plain.complete ?? false)
        return channel
    }
}

/// The part of an item read so far.
struct ItemDraft {
    private var texts = [10 of Ranked<String>](repeating: Ranked())
    var published = Ranked<Timestamp>()
    var duration = Ranked<MediaTime>()
    var season = Ranked<Int>()
    var episode = Ranked<Int>()
    var explicit = Ranked<Bool>()
    /// Media RSS repeats the enclosures, or has the files if they are something else, such as torrents.
    var media: [Enclosure] = []
    /// The fields that only one element fills, or any number of elements.
    var plain = Item()

    subscript(text: DraftText) -> Ranked<String> {
        get { texts[text.rawValue] }
        set { texts[text.rawValue] = newValue }
    }

    var isEmpty: Bool {
        [.guid, .title, .link, .summary, .content].allSatisfy { self[$0].value == nil } && published.value == nil
            && plain.enclosures.isEmpty && media.isEmpty
    }

    /// Returns the item and resets the draft.
    ///
    /// Moves instead of copying: reference counting for two dozen values, twice per item, took a twelfth of the time.
    mutating func finish() -> Item {
        var item = Item()
        swap(&item, &plain)
        item.guid = self[.guid].take()
        item.title = self[.title].take()
        item.facts.link = self[.link].take()
        item.published = published.take()
        item.duration = duration.take()
        item.summary = self[.summary].take()
        item.content = self[.content].take()
        item.author = self[.author].take()
        item.image = self[.image].take()
        item.facts.season = season.take()
        item.facts.number = episode.take()
        item.explicit = explicit.take()
        item.chaptersURL = self[.chaptersURL].take()
        if !item.hasFile { item.enclosures += media }
        if !item.hasFile, let link = item.facts.link, MediaName.ending(ofURL: link) != nil {
            item.enclosures.append(Enclosure(url: link))
        }
        media = []
        return item
    }
}

extension Enclosure {
    /// True if the type or the name says that it is media.
    var isNamedMedia: Bool { rank.map { $0 != .unknown } ?? false }
}

extension Item {
    fileprivate var hasFile: Bool { enclosures.contains { $0.rank ?? .unplayable >= .unknown } }
}

extension Array {
    mutating func append(_ member: Element, upTo limit: Int) { if count < limit { append(member) } }
}
