internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import FeedDocuments
internal import HTTP
internal import Library
internal import PodcastModel
internal import Reporting

/// Imports records in batches. Each batch is one commit, so that an interrupted import keeps what it has imported and a second
/// import continues from there. Of a trial each batch is rolled back, so that it holds up the daemon no longer than an import.
final class Importer {
    struct Totals {
        /// The counts, and messages for people.
        var reply = ImportReply()
        /// URLs of feeds that were already subscribed.
        var duplicates: [String] = []
        var refused: [FailureReply] = []
        /// Number of feeds beyond the limit.
        var leftOut = 0
        /// Rules, retention and playlists.
        var policies = PolicyImportCounts()
        /// Settings and outputs of the document, which only the daemon changes.
        var settings: [ClientSetting] = []
        var outputs: [OutputSetup] = []
        var days = 0
        var episodes = EpisodeImportCounts.none
    }

    /// Feeds imported from one document at most; further ones are skipped, with a message.
    static let maximumFeeds = 20_000
    private static let feedsPerCommit = 100
    private static let episodesPerBatch = 1_000
    /// Episodes or days in one transaction of a trial.
    private static let rowsPerTrial = 200

    private let session: LibrarySession
    private let clock: any RefreshClock
    private let progress: Progress
    private let activity: ActivityHandle
    private var totals = Totals()
    private var failure: ToolFailure?
    private var queueStart: Int64?
    private var feeds: [PortableFeed] = []
    private var known: [String: FeedID] = [:]
    private var episodes: [PortableEpisode] = []
    private var episodesFeed: String?
    /// Imported at the end, because their feeds may follow them.
    private var policies: [PortablePolicy] = []
    private var days: [HeardDay] = []
    /// Hosts that may be private, for feeds that the user did not choose and whose logins are left out; nil for the user's feeds.
    var privateHosts: PrivateHosts?
    /// Whether the import must change nothing.
    var isTrial = false
    /// Feeds that a trial would add.
    private var newFeeds: [PortableFeed] = []
    private var records = 0

    init(_ session: LibrarySession, _ clock: any RefreshClock, _ progress: Progress, _ activity: ActivityHandle) {
        self.session = session
        self.clock = clock
        self.progress = progress
        self.activity = activity
    }

    /// Imports a record, possibly with later ones.
    ///
    /// - Parameter fraction: the fraction of the document that is read, 0 to 1; nil if unknown.
    /// - Returns: whether more are wanted; not after a failure, which `finish` throws.
    func add(_ record: PortableRecord, _ fraction: Double? = nil) -> Bool {
        do throws(ToolFailure) {
            switch record {
            case .feed(let feed): try add(feed)
            case .episode(let episode): try add(episode)
            case .policy(let policy): append(policy, to: &policies)
            case .setting(let setting): append(setting, to: &totals.settings)
            case .output(let value):
                if let output = OutputSetup(json: value) { append(output, to: &totals.outputs) }
            case .listening(let day): days.append(day)
            }
            records += 1
            if records % 50 == 0 {
                let episodes = totals.episodes.found + totals.episodes.unchanged + totals.episodes.waiting
                let feeds = counted(totals.reply.added + totals.duplicates.count, "feed")
                activity.update(subject: "\(feeds), \(counted(episodes, "episode"))", progress: fraction)
                progress.tick()
            }
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Imports the records that are still held.
    func finish() throws(ToolFailure) -> Totals {
        if let failure { throw failure }
        try flushEpisodes()
        try flushFeeds()
        for start in stride(from: 0, to: days.count, by: Self.rowsPerTrial) {
            totals.days += try perform { try $0.listening.importDays(days[start...].prefix(Self.rowsPerTrial)) }
        }
        if !policies.isEmpty {
            // A trial adds their feeds once more.
            let text = "\(policies)"
            let feeds = newFeeds.filter { text.contains($0.url) }
            totals.policies = try perform { store in
                _ = try store.imports.importFeeds(feeds, at: clock.wallTime)
                return try store.imports.importPolicies(policies)
            }
        }
        return totals
    }

    private func perform<Result>(_ body: (LibraryStore) throws -> Result) throws(ToolFailure) -> Result {
        try session.perform { store in try isTrial ? store.trying { try body(store) } : body(store) }
    }

    private func report(_ changes: ReportChanges) { if !isTrial { progress.add(changes) } }

    /// Appends a value, up to a limit that no user's list reaches.
    private func append<Value>(_ value: Value, to list: inout [Value]) {
        if list.count < Self.maximumFeeds { list.append(value) }
    }

    private func add(_ given: PortableFeed) throws(ToolFailure) {
        var feed = given
        let address = GivenAddress(SpokenAddress.listed(given.url))
        feed.url = address.url
        feed.formerURLs = feed.formerURLs.map(HTTPURL.withoutCredentials)
        guard WebAddress.isStorable(feed.url), let host = HTTPURL.host(of: feed.url) else { return refuse(feed.url) }
        if let privateHosts, !privateHosts.allows(host) {
            return refuse(
                feed.url, "has a private address; to allow this, name the host in the setting network.private_hosts")
        }
        if let login = address.login, !isTrial, privateHosts == nil { try session.saveFirstLogin(login) }
        guard totals.reply.added + totals.duplicates.count + feeds.count < Self.maximumFeeds else {
            totals.leftOut += 1
            return
        }
        feeds.append(feed)
        if feeds.count >= Self.feedsPerCommit { try flushFeeds() }
    }

    private func refuse(_ url: String, _ reason: String = "not a valid http or https URL") {
        totals.refused.append(FailureReply(reason, url: shown(url)))
    }

    private func add(_ episode: PortableEpisode) throws(ToolFailure) {
        guard let feed = episode.feed.map(HTTPURL.withoutCredentials) else {
            let url = episode.identity.url
            guard WebAddress.isFetchable(url) else { return refuse(url) }
            let start = try startOfQueue()
            totals.episodes += try perform {
                try $0.imports.importLooseEpisode(episode, queueStart: start, at: clock.wallTime)
            }
            return
        }
        if feed != episodesFeed || episodes.count >= (isTrial ? Self.rowsPerTrial : Self.episodesPerBatch) {
            try flushEpisodes()
        }
        episodesFeed = feed
        episodes.append(episode)
    }

    private func flushFeeds() throws(ToolFailure) {
        if feeds.isEmpty { return }
        let outcomes = try perform { try $0.imports.importFeeds(feeds, at: clock.wallTime) }
        for (feed, outcome) in zip(feeds, outcomes) {
            let isListed = known.updateValue(outcome.id, forKey: feed.url) != nil
            if outcome.isNew, !isListed {
                totals.reply.added += 1
                if isTrial { newFeeds.append(feed) }
                report(.added(outcome.id))
            } else {
                totals.duplicates.append(feed.url)
                reportJoining(feed.url, outcome.id)
                report(.changed(outcome.id))
            }
        }
        feeds.removeAll(keepingCapacity: true)
    }

    private func reportJoining(_ url: String, _ id: FeedID) {
        // A new feed of a trial is gone again.
        guard let feed = try? session.store.feeds.feed(id),
            HTTPURL.normalForm(feed.url) != HTTPURL.normalForm(url)
        else { return }
        let old = shown(redactingAddresses(in: url))
        let new = redactingAddresses(in: feed.url)
        totals.reply.joined.append("\(old) moved to \(new), which is \(feed.title) (\(feed.id.label)): subscribed once")
    }

    private func flushEpisodes() throws(ToolFailure) {
        guard let url = episodesFeed, !episodes.isEmpty else { return }
        defer { episodes.removeAll(keepingCapacity: true) }
        guard let feed = try feedID(url) else { return }
        let start = try startOfQueue()
        let counts = try perform { store in
            let listed =
                isTrial ? try store.imports.importFeeds([PortableFeed(url: url)], at: clock.wallTime).first : nil
            return try store.imports.importEpisodes(episodes, of: listed?.id ?? feed, queueStart: start)
        }
        totals.episodes += counts
        if counts.found > 0 { report(.changed(feed)) }
    }

    /// The feed with a URL; subscribes to an episode's feed that the document does not list, because the episode's state
    /// would be lost otherwise.
    private func feedID(_ url: String) throws(ToolFailure) -> FeedID? {
        try flushFeeds()
        if let id = known[url] { return id }
        guard WebAddress.isStorable(url) else { return nil }
        if let feed = try session.feed(at: url) {
            known[url] = feed.id
            return feed.id
        }
        try add(PortableFeed(url: url))
        try flushFeeds()
        return known[url]
    }

    /// The first queue index for the document's entries, after all present entries.
    private func startOfQueue() throws(ToolFailure) -> Int64 {
        if let queueStart { return queueStart }
        let start = try session.result(of: session.store.imports.queueEnd())
        queueStart = start
        return start
    }

    /// An address for messages: one line of limited length.
    private func shown(_ url: String) -> String { SafeText.title(url, atMostBytes: 200) ?? "(empty)" }
}
