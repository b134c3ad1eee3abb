internal import CommandLineTool
internal import FeedRefresh
internal import HTTP
internal import LibraryModel
internal import PodcastModel
internal import Reporting

/// Imports records in batches. Each batch is one commit, so that an interrupted import keeps what it has imported and a second
/// import continues from there.
final class Importer {
    /// The results of a document.
    struct Totals {
        /// Feeds that are subscribed to now.
        var added = 0
        /// URLs of feeds that were already subscribed.
        var duplicates: [String] = []
        /// Those of them that are subscribed at another URL, for people.
        var joined: [String] = []
        var refused: [String] = []
        /// Number of feeds beyond the limit.
        var leftOut = 0
        /// Episodes that got state that they did not have.
        var found = 0
        /// Episodes that already had all of it.
        var unchanged = 0
        /// Episodes whose state waits for them.
        var waiting = 0
        /// Rules, retention and playlists.
        var decisions = PolicyImportCounts()
        /// Settings of the document, which only the daemon changes.
        var settings: [ClientSetting] = []
        /// Of a feed's file: what was subscribed to, and at which URL, for people.
        var note: String?
    }

    /// Feeds imported from one document at most; further ones are skipped, with a message.
    static let maximumFeeds = 20_000
    private static let feedsPerCommit = 100
    private static let episodesPerBatch = 1_000

    private let session: LibrarySession
    private let clock: any RefreshClock
    private let watchers: Watchers
    private let activity: ActivityHandle
    private var totals = Totals()
    private var failure: ToolFailure?
    private var queueStart: Int64?
    private var feeds: [PortableFeed] = []
    private var known: [String: FeedID] = [:]
    private var episodes: [PortableEpisode] = []
    private var episodesFeed: String?
    /// Taken in at the end, since their feeds may follow them.
    private var decisions = PortablePolicies()
    private var records = 0

    init(_ session: LibrarySession, _ clock: any RefreshClock, _ watchers: Watchers, _ activity: ActivityHandle) {
        self.session = session
        self.clock = clock
        self.watchers = watchers
        self.activity = activity
    }

    /// Takes a record.
    ///
    /// - Parameter fraction: the fraction of the document that is read, 0 to 1; nil if unknown.
    /// - Returns: whether more are wanted; not after a failure, which `finish` throws.
    func take(_ record: PortableRecord, _ fraction: Double? = nil) -> Bool {
        do throws(ToolFailure) {
            switch record {
            case .feed(let feed): try take(feed)
            case .episode(let episode, let feed): try take(episode, of: feed)
            case .rule(let rule): Self.add(rule, to: &decisions.rules)
            case .retention(let retention): Self.add(retention, to: &decisions.retention)
            case .playlist(let playlist): Self.add(playlist, to: &decisions.playlists)
            case .setting(let setting): Self.add(setting, to: &totals.settings)
            }
            records += 1
            if records % 50 == 0 {
                activity.update(
                    subject:
                        "\(counted(totals.added + totals.duplicates.count, "feed")), \(counted(totals.found + totals.unchanged + totals.waiting, "episode"))",
                    progress: fraction)
                watchers.tick()
            }
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Takes in what is left.
    func finish() throws(ToolFailure) -> Totals {
        if let failure { throw failure }
        try flushEpisodes()
        try flushFeeds()
        if !decisions.isEmpty {
            totals.decisions = try session.perform { (store) throws(LibraryError) in
                try store.imports.importPolicies(decisions)
            }
        }
        return totals
    }

    /// Keeps a decision; more than a library can have are not a listener's.
    private static func add<Decision>(_ decision: Decision, to kept: inout [Decision]) {
        if kept.count < maximumFeeds { kept.append(decision) }
    }

    private func take(_ given: PortableFeed) throws(ToolFailure) {
        var feed = given
        let address = GivenAddress(given.url)
        feed.url = address.url
        feed.formerURLs = feed.formerURLs.map(HTTPURL.withoutCredentials)
        if let login = address.login { try session.keepFirst(login) }
        guard WebAddress.isStorable(feed.url) else { return totals.refused.append(Self.shown(feed.url)) }
        guard totals.added + totals.duplicates.count + feeds.count < Self.maximumFeeds else {
            totals.leftOut += 1
            return
        }
        feeds.append(feed)
        if feeds.count >= Self.feedsPerCommit { try flushFeeds() }
    }

    private func take(_ episode: PortableEpisode, of given: String?) throws(ToolFailure) {
        guard let feed = given.map(HTTPURL.withoutCredentials) else {
            let start = try startOfQueue()
            let isChanged = try session.perform { (store) throws(LibraryError) in
                try store.imports.importLooseEpisode(episode, queueStart: start, at: clock.wallTime)
            }
            if isChanged { totals.found += 1 } else { totals.unchanged += 1 }
            return
        }
        if feed != episodesFeed || episodes.count >= Self.episodesPerBatch { try flushEpisodes() }
        episodesFeed = feed
        episodes.append(episode)
    }

    private func flushFeeds() throws(ToolFailure) {
        if feeds.isEmpty { return }
        let taken = try session.perform { (store) throws(LibraryError) in
            try store.imports.importFeeds(feeds, at: clock.wallTime)
        }
        for (feed, outcome) in zip(feeds, taken) {
            known[feed.url] = outcome.id
            if outcome.isNew {
                totals.added += 1
                watchers.note(.added(outcome.id))
            } else {
                totals.duplicates.append(feed.url)
                try noteJoining(feed.url, outcome.id)
                watchers.note(.changed(outcome.id))
            }
        }
        feeds.removeAll(keepingCapacity: true)
    }

    private func noteJoining(_ url: String, _ id: FeedID) throws(ToolFailure) {
        let feed = try session.perform { (store) throws(LibraryError) in try store.feeds.feed(id) }
        if feed.url == url { return }
        let (old, new) = (Self.shown(HTTPURL.redacted(url)), HTTPURL.redacted(feed.url))
        totals.joined.append("\(old) moved to \(new), which is \(feed.title) (\(feed.id.label)): subscribed once")
    }

    private func flushEpisodes() throws(ToolFailure) {
        guard let url = episodesFeed, !episodes.isEmpty else { return }
        defer { episodes.removeAll(keepingCapacity: true) }
        guard let feed = try feedID(url) else { return }
        let (batch, start) = (episodes, try startOfQueue())
        let taken = try session.perform { (store) throws(LibraryError) in
            try store.imports.importEpisodes(batch, of: feed, queueStart: start, at: clock.wallTime)
        }
        totals.found += taken.found
        totals.unchanged += taken.unchanged
        totals.waiting += taken.waiting
        if taken.found > 0 { watchers.note(.changed(feed)) }
    }

    /// The feed with that address; an episode's feed that the document does not list is subscribed to all the same,
    /// because its state would be lost otherwise.
    private func feedID(_ url: String) throws(ToolFailure) -> FeedID? {
        try flushFeeds()
        if let id = known[url] { return id }
        guard WebAddress.isStorable(url) else { return nil }
        if let feed = try session.perform({ (store) throws(LibraryError) in try store.feeds.feed(url: url) }) {
            known[url] = feed.id
            return feed.id
        }
        try take(PortableFeed(url: url))
        try flushFeeds()
        return known[url]
    }

    /// All of one document is queued behind what was queued before it.
    private func startOfQueue() throws(ToolFailure) -> Int64 {
        if let queueStart { return queueStart }
        let start = try session.perform { (store) throws(LibraryError) in try store.imports.queueEnd() }
        queueStart = start
        return start
    }

    /// An address for messages: one line of a bearable length.
    private static func shown(_ url: String) -> String { SafeText.title(url, atMostBytes: 200) ?? "(empty)" }
}
