public import PodcastModel

// The library's ports. They are synchronous and belong to one thread: podcast-refresh calls them on its only
// thread, the daemon on the thread that owns its connection. Every method throws `LibraryError`.

/// An error of the library.
public enum LibraryError: Error, Equatable, Sendable {
    /// No object matches: what was looked for, and its kind if that is not part of the text.
    case notFound(String, of: NamedKind? = nil)
    /// Several objects match; the first ones, at most `TitleResolver.maximumShown`.
    case ambiguous(String, of: NamedKind, candidates: [NamedCandidate])
    /// It names an object of another kind than the one that is needed.
    case otherKind(String, needed: NamedKind)
    /// A range of ids whose end comes before its beginning.
    case reversedRange(String)
    /// Only a part of a title was given where exact names are needed; the object that has the title.
    case inexact(String, NamedCandidate)
    /// Already there: the feed that is.
    case alreadySubscribed(FeedID)
    /// It conflicts with the library; the reason, in one sentence.
    case refused(String)
    /// The file was upgraded by a newer program: its schema version and ours.
    case newerSchema(found: Int, known: Int)
    /// The disk is full.
    case diskFull
    /// The file or its folder cannot be written.
    case readOnly(String)
    /// Another process locks the library for too long.
    case busy
    /// The file is damaged; SQLite's message.
    case damaged(String)
    /// Any other error; SQLite's message.
    case storage(String)
}

extension LibraryError: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .notFound(let what, nil): "not found: \(what)"
        case .notFound(let what, let kind?): "no \(kind.rawValue) matches '\(what)'"
        case .ambiguous(let what, let kind, let candidates):
            "'\(what)' matches several \(kind.plural): "
                + candidates.map { "\($0.label) \($0.shortTitle)" }.joined(separator: "; ")
        case .otherKind(let what, let kind): "'\(what)' does not name \(kind == .episode ? "an" : "a") \(kind.rawValue)"
        case .reversedRange(let what): "'\(what)' is not a range: its end comes before its beginning"
        case .inexact(let what, let candidate):
            "'\(what)' is only a part of the title '\(candidate.shortTitle)' (\(candidate.label))"
        case .alreadySubscribed(let feed): "already subscribed, as feed \(feed.label)"
        case .refused(let why): why
        case .newerSchema(let found, let known):
            "the library has schema version \(found); this program supports versions up to \(known)"
        case .diskFull: "the disk is full"
        case .readOnly(let path): "cannot write \(path)"
        case .busy: "another process has locked the library"
        case .damaged(let words): "the library is damaged: \(words)"
        case .storage(let words): words
        }
    }
}

/// Finds what users name.
public protocol NameStore {
    /// All that a name means: of a range of ids those that exist. A playlist and conditions are not understood here.
    ///
    /// - Parameters:
    ///   - word: the name as it was typed, for messages.
    ///   - kind: what it may name: a feed, an episode or both. An entry of the queue is its episode.
    ///   - isExact: whether a part of a title is refused, as `LibraryError.inexact`.
    func resolve(
        _ name: Name, word: String, _ kind: NamedKind, isExact: Bool
    ) throws(LibraryError) -> [NamedCandidate.Object]

    /// The titles that a text may be the beginning of: feeds by title, then the latest episodes, of each first the titles that begin
    /// with the text, then those that have its words. Folded as `TitleResolver` does; an empty text is the beginning of all.
    func beginning(with text: String, _ kind: NamedKind, limit: Int) throws(LibraryError) -> [NamedCandidate]
}

extension NameStore {
    /// The words of a list; as one word if together they are the exact title of a feed or an episode.
    ///
    /// - Throws: what reading the library throws; that no title matches is not a failure.
    public func joiningTitle(_ words: [String], _ kind: NamedKind) throws(LibraryError) -> [String] {
        guard let title = Name.joinedTitle(words) else { return words }
        do throws(LibraryError) {
            _ = try resolve(.text(title), word: title, kind, isExact: true)
            return [title]
        } catch {
            switch error {
            case .ambiguous(_, _, let candidates):
                // Several have exactly this title: the user has to choose one.
                let folded = FoldedText.folded(title)
                return candidates.allSatisfy { FoldedText.folded($0.title) == folded } ? [title] : words
            case .notFound, .inexact: return words
            case .otherKind, .reversedRange, .alreadySubscribed, .refused, .newerSchema, .diskFull, .readOnly, .busy,
                .damaged, .storage:
                throw error
            }
        }
    }
}

/// Feeds and their settings.
public protocol FeedStore {
    /// All subscribed feeds by title.
    func feeds() throws(LibraryError) -> [Feed]
    /// The built-in feed of single files; nil if it has none.
    func singleFiles() throws(LibraryError) -> Feed?
    /// One feed, subscribed or built in.
    func feed(_ id: FeedID) throws(LibraryError) -> Feed
    /// The feed with that URL, if it is subscribed to.
    func feed(url: String) throws(LibraryError) -> Feed?
    /// The feed that `what` names, see `Name` and `TitleResolver`; a number is its id.
    func resolveFeed(_ what: String) throws(LibraryError) -> Feed
    /// Subscribes; the title is the URL until the first refresh. A feed that was unsubscribed from and is still kept comes
    /// back with its episodes, positions, settings and queue entries.
    func addFeed(url: String, title: String?, at now: Timestamp) throws(LibraryError) -> FeedID
    /// Unsubscribes: episodes, positions and queue entries go out of sight with it, and are kept until
    /// `deleteRemoved`. The feed of single files is cleared for good.
    func removeFeed(_ id: FeedID, at now: Timestamp) throws(LibraryError)
    /// Whether subscribing to a URL would bring back a feed that was unsubscribed from.
    func isKeptAside(url: String) throws(LibraryError) -> Bool
    /// Deletes the feeds that were unsubscribed from before a time, and episodes that were added by URL before it if that was undone
    /// and cannot be done again. Rows of feeds are deleted later, in maintenance.
    /// - Returns: the feeds' URLs.
    func deleteRemoved(before time: Timestamp) throws(LibraryError) -> [String]
    /// Fetches a feed from another URL from now on; episodes, positions and stars stay, the old URL still finds it, and
    /// the next fetch is unconditional. Committed before it returns.
    func moveFeed(_ id: FeedID, to url: String) throws(LibraryError)
    /// Makes two subscriptions of one show one: positions, stars, notes, queue entries, tags and addresses of `other` go to
    /// `kept`, and `other` is unsubscribed from. Committed before it returns.
    /// - Throws: `refused` if both have episodes and none in common.
    /// - Returns: what became of the episodes that the user had touched.
    @discardableResult
    func mergeFeed(_ other: FeedID, into kept: FeedID, at now: Timestamp) throws(LibraryError) -> EpisodeImportCounts
    /// Gives a feed the user's own title; nil gives the publisher's back. Committed before it returns.
    func renameFeed(_ id: FeedID, to title: String?) throws(LibraryError)
    /// Sets how often a feed is refreshed automatically; nil lets the schedule decide. Committed before it returns.
    func setRefreshInterval(_ interval: RefreshInterval?, of id: FeedID) throws(LibraryError)
    /// What the publisher says of a feed beyond what lists show; nothing of one that is not subscribed to.
    func details(of id: FeedID) throws(LibraryError) -> FeedDetails
    /// A feed's own settings, by name.
    func settings(of id: FeedID) throws(LibraryError) -> [String: String]
    /// Sets one; nil takes it away.
    func setSetting(_ name: String, to value: String?, of id: FeedID) throws(LibraryError)
}

/// Episodes and what the listener did with them.
public protocol EpisodeStore {
    func episode(_ id: EpisodeID) throws(LibraryError) -> Episode
    /// Several, in the order asked; missing ones are left out.
    func episodes(_ ids: [EpisodeID]) throws(LibraryError) -> [Episode]
    /// Summary and content as stored, for a detail view.
    func notes(of id: EpisodeID) throws(LibraryError) -> EpisodeNotes
    /// What the publisher says of an episode beyond what lists show.
    func details(of id: EpisodeID) throws(LibraryError) -> EpisodeDetails
    /// One page of a view; `limit` is 1 to 1000.
    func page(
        _ filter: EpisodeFilter, order: EpisodeOrder, at anchor: PageAnchor, limit: Int
    ) throws(LibraryError) -> EpisodePage
    /// The visible episodes of a serial show (`itunes:type`) by season, number and date; nil for other feeds.
    func serialOrder(of feed: FeedID) throws(LibraryError) -> [(id: EpisodeID, isPlayed: Bool)]?
    /// Rows of a view, counted up to a bound.
    func count(_ filter: EpisodeFilter, upTo bound: Int) throws(LibraryError) -> RowCount
    /// Those of the given episodes that fit a filter, in the order asked.
    func matching(_ filter: EpisodeFilter, among ids: [EpisodeID]) throws(LibraryError) -> [EpisodeID]
    /// The episode that `what` names, see `Name` and `TitleResolver`; a number is its id. Feeds are not looked at.
    /// `isExact`: a part of a title is refused.
    func resolveEpisode(_ what: String, isExact: Bool) throws(LibraryError) -> Episode
    /// Marks played or not; played ones lose their position. Committed before it returns.
    func setPlayed(_ played: Bool, _ ids: [EpisodeID], at now: Timestamp) throws(LibraryError)
    /// Stars or not. Committed before it returns.
    func setStarred(_ starred: Bool, _ ids: [EpisodeID]) throws(LibraryError)
    /// Writes the listener's note; nil takes it away. Committed before it returns.
    func setNote(_ note: String?, of id: EpisodeID) throws(LibraryError)
    /// Remembers where listening stopped. `isDurable` waits for the disk: pause, stop and seek do, the
    /// second-by-second record does not. `isHeard` adds a line to the history.
    func savePosition(
        _ position: MediaTime, of id: EpisodeID, at now: Timestamp, isDurable: Bool, isHeard: Bool
    ) throws(LibraryError)
    /// The loudness of an episode's recording in hundredths of LUFS; nil if it was not measured.
    func loudness(of id: EpisodeID) throws(LibraryError) -> Int?
    /// Remembers the measured loudness of an episode's recording.
    func setLoudness(_ hundredths: Int, of id: EpisodeID) throws(LibraryError)
    /// Remembers a duration measured from the file.
    func setMeasuredDuration(_ duration: MediaTime, of id: EpisodeID) throws(LibraryError)
    /// Forgets duration and loudness that were measured from a file that its host has replaced.
    func forgetMeasurements(of id: EpisodeID) throws(LibraryError)
    /// An episode for a URL that belongs to no feed (`play URL`), or for a file that was handed over: found or made.
    ///
    /// - Parameters:
    ///   - link: the feed that named the file, if the user did not; becomes the episode's link.
    ///   - length: bytes of the file, if known; a file whose length has changed starts at its beginning.
    func looseEpisode(
        url: String, title: String?, link: String?, length: Int64?, at now: Timestamp
    ) throws(LibraryError) -> EpisodeID
    /// Removes a single file that was never heard and that the user has not starred, noted or downloaded, with its entries
    /// in the queue. Committed before it returns.
    /// - Returns: whether it was removed.
    func removeUnheard(_ id: EpisodeID) throws(LibraryError) -> Bool
}

extension EpisodeStore {
    /// An episode for a URL that the user named.
    public func looseEpisode(url: String, title: String?, at now: Timestamp) throws(LibraryError) -> EpisodeID {
        try looseEpisode(url: url, title: title, link: nil, length: nil, at: now)
    }

    /// Looks at each episode by itself; words are looked for in titles only. For stores without a better way.
    public func matching(_ filter: EpisodeFilter, among ids: [EpisodeID]) throws(LibraryError) -> [EpisodeID] {
        try episodes(ids).filter(filter.accepts).map(\.id)
    }
}

/// An episode's longer texts.
public struct EpisodeNotes: Equatable, Sendable {
    /// The publisher's summary; nil when the content begins with it.
    public var summary: MarkedText?
    /// The publisher's full text.
    public var content: MarkedText?
    /// Chapters of the feed, else those that its document of chapters has.
    public var chapters: [Chapter]
    public init(
        summary: MarkedText? = nil, content: MarkedText? = nil, chapters: [Chapter] = []
    ) {
        self.summary = summary
        self.content = content
        self.chapters = chapters
    }
}

/// The queue on disk. Every change is one transaction, on disk before it returns.
public protocol QueueStore {
    /// All entries in order, with the playing one.
    func queue() throws(LibraryError) -> StoredQueue
    /// Inserts before a position (0 is the front, the length the end); new entries get new numbers.
    func insertEntries(_ episodes: [EpisodeID], at index: Int) throws(LibraryError) -> [QueueEntry]
    /// Removes entries; unknown ids are ignored.
    func removeEntries(_ ids: [EntryID]) throws(LibraryError)
    func clearEntries() throws(LibraryError)
    /// Brings an entry that was heard to its end back before an index; not a step that can be undone.
    func restoreEntry(_ entry: QueueEntry, at index: Int) throws(LibraryError)
    /// Marks an entry's episode as heard to its end, with the entry one step that can be undone.
    ///
    /// - Parameters:
    ///   - heard: the position that undo brings back; nil for the saved one.
    ///   - keepsEntry: whether it stays in the queue.
    func finishEntry(
        _ entry: QueueEntry, heard: MediaTime?, keepsEntry: Bool, at now: Timestamp
    ) throws(LibraryError)
    /// Moves an entry to `index`.
    func moveEntry(_ id: EntryID, to index: Int) throws(LibraryError)
    /// Puts all entries into the order given; it must name each exactly once.
    func reorderEntries(_ ids: [EntryID]) throws(LibraryError)
    /// Remembers which entry plays; nil when none does.
    func setCurrentEntry(_ id: EntryID?) throws(LibraryError)
}

/// The queue as stored.
public struct StoredQueue: Equatable, Sendable {
    public var entries: [QueueEntry]
    /// The one that plays or played last.
    public var current: EntryID?
    /// Entries with the playing one.
    public init(entries: [QueueEntry] = [], current: EntryID? = nil) {
        self.entries = entries
        self.current = current
    }
}

extension EpisodeStore {
    /// The episode that `what` names; a part of its title is enough.
    public func resolveEpisode(_ what: String) throws(LibraryError) -> Episode {
        try resolveEpisode(what, isExact: false)
    }

    /// Saves a position; a durable position is a place where listening stopped, and adds a line to the history.
    public func savePosition(
        _ position: MediaTime, of id: EpisodeID, at now: Timestamp, isDurable: Bool
    ) throws(LibraryError) {
        try savePosition(position, of: id, at: now, isDurable: isDurable, isHeard: isDurable)
    }
}
