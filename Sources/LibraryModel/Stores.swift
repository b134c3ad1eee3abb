public import PodcastModel

// The library's store protocols. Stores are synchronous and belong to one thread: podcast-refresh calls them on its
// only thread, the daemon on the thread that owns the connection. Every method throws `LibraryError`.

/// The errors of the library.
public enum LibraryError: Error, Equatable, Sendable {
    /// No object matches: the query, and its kind if the query does not show the kind.
    case notFound(String, of: NamedKind? = nil)
    /// Several objects match; the first ones, at most `TitleResolver.maximumShown`.
    case ambiguous(String, of: NamedKind, candidates: [NamedCandidate])
    case otherKind(String, needed: NamedKind)
    /// A range of ids whose end is before its start.
    case reversedRange(String)
    /// Only part of a title was given where exact names are required; with the object of that title.
    case inexact(String, NamedCandidate)
    case alreadySubscribed(FeedID)
    /// The change conflicts with the library; the reason in one sentence.
    case refused(String)
    /// A newer program upgraded the file: its schema version and ours.
    case newerSchema(found: Int, known: Int)
    case diskFull
    /// The file or its directory cannot be written.
    case readOnly(String)
    /// Another process locked the library for too long.
    case busy
    /// The file is damaged; SQLite's message.
    case damaged(String)
    /// Any other error; SQLite's message.
    case storage(String)
}

extension LibraryError: CustomStringConvertible {
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

/// Looks up names that users type.
public protocol NameStore {
    /// All objects that a name means; of a range of ids the existing ones. Playlists and filters are not supported.
    /// - Parameters:
    ///   - word: the name as typed, for messages.
    ///   - isExact: true to throw `LibraryError.inexact` if only part of a title matches.
    func resolve(
        _ name: Name, word: String, _ kind: NamedKind, isExact: Bool
    ) throws(LibraryError) -> [NamedCandidate.Object]

    /// Completions of a text: feeds by title, then the newest episodes; in both first the titles that begin with the
    /// text, then titles with its words. Folded like in `TitleResolver`; an empty text matches all titles.
    func beginning(with text: String, _ kind: NamedKind, limit: Int) throws(LibraryError) -> [NamedCandidate]
}

extension NameStore {
    /// The words of a list, joined to one word if together they are the exact title of a feed or an episode.
    /// - Throws: errors of reading the library; a title without match is not an error.
    public func joiningTitle(_ words: [String], _ kind: NamedKind) throws(LibraryError) -> [String] {
        guard let title = Name.joinedTitle(words) else { return words }
        do throws(LibraryError) {
            _ = try resolve(.text(title), word: title, kind, isExact: true)
            return [title]
        } catch {
            switch error {
            case .ambiguous(_, _, let candidates):
                // Several objects have exactly this title: the user must choose.
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
    /// All subscribed feeds, ordered by title.
    func feeds() throws(LibraryError) -> [Feed]
    /// The built-in feed of single files; nil if it is empty.
    func singleFiles() throws(LibraryError) -> Feed?
    /// A feed, subscribed or built in.
    func feed(_ id: FeedID) throws(LibraryError) -> Feed
    func feed(url: String) throws(LibraryError) -> Feed?
    /// The feed named by `what` (see `Name` and `TitleResolver`); a number is an id.
    func resolveFeed(_ what: String) throws(LibraryError) -> Feed
    /// Subscribes to a feed; its title is the URL until the first refresh. A feed that was unsubscribed and is not
    /// deleted yet returns with its episodes, positions, settings and queue entries.
    func addFeed(url: String, title: String?, at now: Timestamp) throws(LibraryError) -> FeedID
    /// Unsubscribes from a feed. Hides its episodes, positions and queue entries, which are kept until `deleteRemoved`.
    /// The feed of single files is cleared permanently.
    func removeFeed(_ id: FeedID, at now: Timestamp) throws(LibraryError)
    /// True if subscribing to a URL would restore an unsubscribed feed.
    func isKeptAside(url: String) throws(LibraryError) -> Bool
    /// Deletes feeds that were unsubscribed before a time, and episodes added by URL before that time whose addition
    /// was undone and cannot be redone. Maintenance deletes the feeds' rows later.
    /// - Returns: the feeds' URLs.
    func deleteRemoved(before time: Timestamp) throws(LibraryError) -> [String]
    /// Changes the URL of a feed. Episodes, positions and stars stay, the old URL still finds the feed, and the next
    /// fetch is unconditional. Committed before it returns.
    func moveFeed(_ id: FeedID, to url: String) throws(LibraryError)
    /// Merges two subscriptions of one show: moves positions, stars, notes, queue entries, tags and URLs of `other` to
    /// `kept`, and unsubscribes from `other`. Committed before it returns.
    /// - Throws: `refused` if both have episodes and none in common.
    /// - Returns: counts of the episodes with user data.
    @discardableResult
    func mergeFeed(_ other: FeedID, into kept: FeedID, at now: Timestamp) throws(LibraryError) -> EpisodeImportCounts
    /// Sets the user's own title; nil restores the publisher's title. Committed before it returns.
    func renameFeed(_ id: FeedID, to title: String?) throws(LibraryError)
    /// Sets the interval of automatic refreshes; nil leaves the interval to the scheduler. Committed before it returns.
    func setRefreshInterval(_ interval: RefreshInterval?, of id: FeedID) throws(LibraryError)
    /// The publisher's data about a feed that lists do not show; empty for a feed that is not subscribed.
    func details(of id: FeedID) throws(LibraryError) -> FeedDetails
    /// A feed's own settings by name.
    func settings(of id: FeedID) throws(LibraryError) -> [String: String]
    /// Sets a setting; nil removes it.
    func setSetting(_ name: String, to value: String?, of id: FeedID) throws(LibraryError)
}

/// Episodes with the user's data.
public protocol EpisodeStore {
    func episode(_ id: EpisodeID) throws(LibraryError) -> Episode
    /// Episodes in the order of `ids`; missing episodes are omitted.
    func episodes(_ ids: [EpisodeID]) throws(LibraryError) -> [Episode]
    /// Summary and content, for a detail view.
    func notes(of id: EpisodeID) throws(LibraryError) -> EpisodeNotes
    /// The publisher's data about an episode that lists do not show.
    func details(of id: EpisodeID) throws(LibraryError) -> EpisodeDetails
    /// A page of a view; `limit` is 1 to 1000.
    func page(
        _ filter: EpisodeFilter, order: EpisodeOrder, at anchor: PageAnchor, limit: Int
    ) throws(LibraryError) -> EpisodePage
    /// The visible episodes of a serial show (`itunes:type`) by season, number and date; nil for other feeds.
    func serialOrder(of feed: FeedID) throws(LibraryError) -> [(id: EpisodeID, isPlayed: Bool)]?
    /// Number of rows of a view, counted up to a bound.
    func count(_ filter: EpisodeFilter, upTo bound: Int) throws(LibraryError) -> RowCount
    /// The given episodes that match a filter, in the given order.
    func matching(_ filter: EpisodeFilter, among ids: [EpisodeID]) throws(LibraryError) -> [EpisodeID]
    /// The episode that `what` names (see `Name`, `TitleResolver`); a number is an id. `isExact` refuses part of a
    /// title.
    func resolveEpisode(_ what: String, isExact: Bool) throws(LibraryError) -> Episode
    /// Marks episodes as played or unplayed; played episodes lose their position. Committed before it returns.
    func setPlayed(_ played: Bool, _ ids: [EpisodeID], at now: Timestamp) throws(LibraryError)
    /// Stars or unstars episodes. Committed before it returns.
    func setStarred(_ starred: Bool, _ ids: [EpisodeID]) throws(LibraryError)
    /// Sets the user's note; nil removes it. Committed before it returns.
    func setNote(_ note: String?, of id: EpisodeID) throws(LibraryError)
    /// Saves the playback position. `isDurable` waits for the disk, as pause, stop and seek require; the record that is
    /// written every second does not wait. `isHeard` adds a line to the history.
    func savePosition(
        _ position: MediaTime, of id: EpisodeID, at now: Timestamp, isDurable: Bool, isHeard: Bool
    ) throws(LibraryError)
    /// Loudness of an episode's recording in hundredths of LUFS; nil if not measured.
    func loudness(of id: EpisodeID) throws(LibraryError) -> Int?
    func setLoudness(_ hundredths: Int, of id: EpisodeID) throws(LibraryError)
    func setMeasuredDuration(_ duration: MediaTime, of id: EpisodeID) throws(LibraryError)
    /// Removes duration and loudness that were measured from a file which its host has replaced.
    func forgetMeasurements(of id: EpisodeID) throws(LibraryError)
    /// The episode of a URL without feed (`play URL`) or of a local file; created if missing.
    /// - Parameters:
    ///   - link: the feed that named the file, if the user did not; becomes the episode's link.
    ///   - length: bytes of the file, if known; a file whose length changed starts at its beginning.
    func looseEpisode(
        url: String, title: String?, link: String?, length: Int64?, at now: Timestamp
    ) throws(LibraryError) -> EpisodeID
    /// Removes a single file that was never played and that the user has not starred, noted or downloaded, with its
    /// queue entries. Committed before it returns.
    /// - Returns: true if removed.
    func removeUnheard(_ id: EpisodeID) throws(LibraryError) -> Bool
}

extension EpisodeStore {
    public func looseEpisode(url: String, title: String?, at now: Timestamp) throws(LibraryError) -> EpisodeID {
        try looseEpisode(url: url, title: title, link: nil, length: nil, at: now)
    }

    /// Checks the episodes one by one and searches for words in titles only. For stores that have no faster way.
    public func matching(_ filter: EpisodeFilter, among ids: [EpisodeID]) throws(LibraryError) -> [EpisodeID] {
        try episodes(ids).filter(filter.accepts).map(\.id)
    }
}

/// An episode's longer texts.
public struct EpisodeNotes: Equatable, Sendable {
    /// The publisher's summary; nil if the content begins with the summary.
    public var summary: MarkedText?
    public var content: MarkedText?
    /// Chapters from the feed, or else from the chapters document.
    public var chapters: [Chapter]
    public init(
        summary: MarkedText? = nil, content: MarkedText? = nil, chapters: [Chapter] = []
    ) {
        self.summary = summary
        self.content = content
        self.chapters = chapters
    }
}

/// The stored queue. Every change is one transaction, on disk before the method returns.
public protocol QueueStore {
    /// All entries in order, with the current entry.
    func queue() throws(LibraryError) -> StoredQueue
    /// Inserts episodes at an index (0 is the front, the length is the end); each gets a new entry id.
    func insertEntries(_ episodes: [EpisodeID], at index: Int) throws(LibraryError) -> [QueueEntry]
    /// Removes entries; unknown ids are ignored.
    func removeEntries(_ ids: [EntryID]) throws(LibraryError)
    func clearEntries() throws(LibraryError)
    /// Restores an entry that was played to its end, before an index. Not an undo step.
    func restoreEntry(_ entry: QueueEntry, at index: Int) throws(LibraryError)
    /// Marks an entry's episode as played; together with the entry this is one undo step.
    /// - Parameters:
    ///   - heard: the position that undo restores; nil for the saved position.
    ///   - keepsEntry: true if the entry stays in the queue.
    func finishEntry(
        _ entry: QueueEntry, heard: MediaTime?, keepsEntry: Bool, at now: Timestamp
    ) throws(LibraryError)
    func moveEntry(_ id: EntryID, to index: Int) throws(LibraryError)
    /// Reorders all entries; `ids` must contain each entry exactly once.
    func reorderEntries(_ ids: [EntryID]) throws(LibraryError)
    /// Stores the current entry; nil if there is none.
    func setCurrentEntry(_ id: EntryID?) throws(LibraryError)
}

/// The queue as stored.
public struct StoredQueue: Equatable, Sendable {
    public var entries: [QueueEntry]
    /// The entry that plays or played last.
    public var current: EntryID?
    public init(entries: [QueueEntry] = [], current: EntryID? = nil) {
        self.entries = entries
        self.current = current
    }
}

extension EpisodeStore {
    /// The episode named by `what`; a part of its title suffices.
    public func resolveEpisode(_ what: String) throws(LibraryError) -> Episode {
        try resolveEpisode(what, isExact: false)
    }

    /// Saves a position. A durable position marks a place where playback stopped, and adds a line to the history.
    public func savePosition(
        _ position: MediaTime, of id: EpisodeID, at now: Timestamp, isDurable: Bool
    ) throws(LibraryError) {
        try savePosition(position, of: id, at: now, isDurable: isDurable, isHeard: isDurable)
    }
}
