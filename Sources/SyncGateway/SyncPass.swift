internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import PodcastModel

/// Acts that were received or sent, so that they are not sent back, and which feeds the server has. Forgetting them costs only traffic.
struct KnownChanges {
    private static let most = 200_000
    private var acts: Set<Int> = []
    private var subscriptions: [String: Bool] = [:]

    mutating func insert(_ act: DeviceAct) { insert(Self.hash(act.url, act.time, act.isEnd ? nil : act.position)) }
    mutating func insert(_ change: EpisodeChange) { insert(Self.hash(change)) }
    mutating func insert(_ change: SubscriptionChange) { subscriptions[change.url] = change.isSubscribed }
    func contains(_ change: EpisodeChange) -> Bool { acts.contains(Self.hash(change)) }
    func contains(_ change: SubscriptionChange) -> Bool { subscriptions[change.url] == change.isSubscribed }

    private mutating func insert(_ hash: Int) {
        if acts.count >= Self.most { acts = [] }
        acts.insert(hash)
    }

    /// Servers keep whole seconds.
    private static func hash(_ url: String, _ time: Timestamp, _ position: MediaTime?, isUndone: Bool = false) -> Int {
        var hasher = Hasher()
        hasher.combine(url)
        hasher.combine(time.seconds)
        hasher.combine(isUndone)
        hasher.combine(position.map { Int64($0.seconds) } ?? -1)
        return hasher.finalize()
    }

    private static func hash(_ change: EpisodeChange) -> Int {
        let isEnd = change.isPlayed && !change.isHeardAgain
        return hash(change.url, change.time, isEnd ? nil : change.position, isUndone: change.isUndone)
    }
}

/// The library here. The functions wait.
protocol SyncLibrary: AnyObject {
    func changes(since: Int64, after: String?, limit: Int) throws(SyncFailure) -> LibraryChanges
    func subscriptions(since: Int64) throws(SyncFailure) -> [SubscriptionChange]
    func record(_ command: RecordActs) throws(SyncFailure) -> ActsRecordedReply
    /// - Parameter account: from which they come.
    /// - Returns: the number of feeds that were not subscribed.
    func subscribe(_ urls: [String], from account: String) throws(SyncFailure) -> Int
    /// - Returns: false if the feed was not subscribed.
    func unsubscribe(_ url: String) throws(SyncFailure) -> Bool
}

/// The account there. The functions wait.
protocol SyncPeer: AnyObject {
    /// How far the server's clock is ahead of the one here, in milliseconds; 0 if they differ by little.
    var clockOffset: Int64 { get }
    /// Whether the server is another podcastd, whose revision falls only if an older library replaces the server's.
    var isExact: Bool { get }

    /// Introduces this machine to a server that lists devices.
    func introduce() throws(SyncFailure)
    /// - Parameter since: the server's revision; 0 for all subscriptions of the account, also those of other devices.
    func subscriptions(since: Int64) throws(SyncFailure) -> (changes: [SubscriptionChange], revision: Int64)
    func change(_ subscriptions: [SubscriptionChange]) throws(SyncFailure)
    /// - Parameter take: receives acts with the name of their device, in pieces, with the times of the clock here.
    /// - Returns: the server's revision.
    func acts(
        since: Int64, take: ([(device: String, act: DeviceAct)]) throws(SyncFailure) -> Void
    ) throws(SyncFailure) -> Int64
    func send(_ acts: [EpisodeChange]) throws(SyncFailure)
}

extension ControlConnection: SyncLibrary {
    func answer<Called: Command>(_ command: Called) throws(SyncFailure) -> Called.Reply {
        try mapError(of: call(command)) { (failure: ClientFailure) in SyncFailure(failure) }
    }

    func changes(since: Int64, after: String?, limit: Int) throws(SyncFailure) -> LibraryChanges {
        try answer(ListLibraryChanges { ($0.since, $0.after, $0.limit) = (since, after, limit) })
    }

    func subscriptions(since: Int64) throws(SyncFailure) -> [SubscriptionChange] {
        var rows: [SubscriptionChange] = []
        while true {
            let page = try answer(ListSubscriptionChanges { ($0.since, $0.after) = (since, rows.last?.url) })
            rows += page.rows
            if !page.hasAfter { return rows }
        }
    }

    func record(_ command: RecordActs) throws(SyncFailure) -> ActsRecordedReply { try answer(command) }

    func subscribe(_ urls: [String], from account: String) throws(SyncFailure) -> Int {
        let added = try answer(
            ImportDocument { ($0.document, $0.origin, $0.source) = (GPodderText.opml(urls), .device, account) }
        ).added
        // What is known of their episodes waits for them.
        if added > 0 { send(RefreshFeeds()) { _ in } }
        return added
    }

    func unsubscribe(_ url: String) throws(SyncFailure) -> Bool {
        do throws(ClientFailure) { _ = try call(Unsubscribe { $0.feeds = [url] }) } catch {
            if case .refused(let refusal) = error, refusal.code == .notFound { return false }
            throw SyncFailure(error)
        }
        return true
    }
}

/// One synchronization of an account. What the server has comes first, so that of each episode only a state that is later than the
/// server's is sent. One thread, which waits.
struct SyncPass {
    /// Servers list acts by the time of the act, so that those of a device that was offline come late: once a day the
    /// acts of 30 days are read again.
    static let overlap: Int64 = 30 * 86_400
    /// Bytes of addresses in one list of subscriptions for the daemon.
    private static let listBytes = 300_000
    private static let pageRows = 500
    /// Revisions are times in seconds: another server whose revision has fallen by more was restored from a backup.
    private static let setBack: Int64 = 60

    private let daemon: any SyncLibrary
    private let server: any SyncPeer
    private let isTrial: Bool
    private(set) var account: SyncAccount
    private(set) var known: KnownChanges
    /// Whether the server was restored from a backup.
    private(set) var isServerSetBack = false

    // For the message of a trial.
    private var (feedsHere, feedsThere) = (0, 0)

    /// - Parameter isTrial: whether to count only.
    init(_ account: SyncAccount, _ daemon: any SyncLibrary, _ server: any SyncPeer, known: KnownChanges, isTrial: Bool)
    {
        (self.account, self.daemon, self.server) = (account, daemon, server)
        (self.known, self.isTrial) = (known, isTrial)
    }

    /// Whether something has changed here that the server does not have.
    func hasChanges() throws(SyncFailure) -> Bool {
        if try !news(daemon.subscriptions(since: account.ours)).isEmpty { return true }
        var page = try changes(after: nil)
        while true {
            if page.episodes.contains(where: isNews) { return true }
            if !page.hasAfter { return false }
            page = try changes(after: page.episodes.last?.key)
        }
    }

    /// - Parameter isWide: whether to read older acts again.
    /// - Returns: whether the listener has to consent first, because both sides have subscriptions.
    mutating func run(isAgreed: Bool, isWide: Bool) throws(SyncFailure) -> Bool {
        (account.received, account.sent, account.message, account.details) = (0, 0, nil, [])
        let start = try changes(after: nil, limit: 1)
        if account.theirs == 0 { try server.introduce() }
        let since = account.theirs
        var list = try server.subscriptions(since: since)
        if list.revision < account.theirs - (server.isExact ? 0 : Self.setBack) {
            (account.theirs, account.ours, isServerSetBack, known) = (0, 0, true, KnownChanges())
            return try run(isAgreed: true, isWide: false)
        }
        let own =
            account.theirs > 0
            ? news(try daemon.subscriptions(since: account.ours))
            : try daemon.subscriptions(since: isServerSetBack ? 1 : 0)
        if account.theirs == 0, !isAgreed, !isTrial, !own.isEmpty, list.changes.contains(where: \.isSubscribed) {
            var trial = SyncPass(account, daemon, server, known: known, isTrial: true)
            _ = try trial.run(isAgreed: false, isWide: false)
            // Two sides that are the same need no consent.
            if trial.feedsHere + trial.account.received + trial.account.sent > 0 {
                (account.message, account.details) = (trial.account.message, trial.account.details)
                return true
            }
        }
        list.changes = news(list.changes)
        let (mine, theirs) = (Self.byURL(own), Self.byURL(list.changes))
        list.changes.removeAll { change in mine[change.url].map { !isReplaced($0, by: change) } ?? false }
        let replaced = Set(list.changes.map(\.url))
        try receive(list.changes)
        let revision = try server.acts(since: isWide ? max(0, since - Self.overlap) : since) {
            acts throws(SyncFailure) in account.received += try record(acts)
        }
        for change in own where theirs[change.url]?.isSubscribed == change.isSubscribed { known.insert(change) }
        try send(own.filter { !known.contains($0) && !replaced.contains($0.url) })
        try sendEpisodes(until: start.revision)
        if isTrial {
            account.message = trialMessage
        } else {
            (account.theirs, account.ours) = (min(list.revision, revision), start.revision)
            if server.clockOffset != 0 { account.message = clockMessage }
        }
        return false
    }

    private static func byURL(_ changes: [SubscriptionChange]) -> [String: SubscriptionChange] {
        Dictionary(changes.map { ($0.url, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether the server's change of a feed counts: the later one, or, if the server says no times, the addition.
    private func isReplaced(_ own: SubscriptionChange, by their: SubscriptionChange) -> Bool {
        if own.isSubscribed == their.isSubscribed { return false }
        if own.revision > 0, their.revision > 0 { return their.revision > own.revision }
        return !isServerSetBack && their.isSubscribed
    }

    // MARK: from the server

    private mutating func receive(_ list: [SubscriptionChange]) throws(SyncFailure) {
        let added = list.filter(\.isSubscribed), removed = list.filter { !$0.isSubscribed }
        feedsHere = added.count
        if isTrial { return }
        for change in list { known.insert(change) }
        var rest = added.map(\.url)[...]
        while !rest.isEmpty {
            var (bytes, urls) = (0, [String]())
            while let url = rest.first, bytes < Self.listBytes {
                bytes += url.utf8.count
                urls.append(rest.removeFirst())
            }
            account.received += try daemon.subscribe(urls, from: account.name)
        }
        for change in removed where try daemon.unsubscribe(change.url) { account.received += 1 }
    }

    /// - Returns: the number of episodes that were changed.
    private mutating func record(_ acts: [(device: String, act: DeviceAct)]) throws(SyncFailure) -> Int {
        var changed = 0
        for (_, act) in acts { known.insert(act) }
        for var command in RecordActs.commands(acts) {
            command.isTrial = isTrial
            let reply = try daemon.record(command)
            changed += reply.changed
            note(reply.details)
        }
        return changed
    }

    // MARK: to the server

    private mutating func send(_ changes: [SubscriptionChange]) throws(SyncFailure) {
        feedsThere = changes.filter(\.isSubscribed).count
        account.sent += changes.count
        if isTrial || changes.isEmpty { return }
        for start in stride(from: 0, to: changes.count, by: Self.pageRows) {
            let page = Array(changes[start..<min(start + Self.pageRows, changes.count)])
            try server.change(page)
            for change in page { known.insert(change) }
        }
    }

    /// - Parameter revision: the library's at the beginning; what comes later is for the next time.
    private mutating func sendEpisodes(until revision: Int64) throws(SyncFailure) {
        var page = try changes(after: nil)
        while true {
            let news = page.episodes.filter(isNews)
            account.sent += news.count
            if isTrial { note(news.map { "\($0.title): \($0.isPlayed ? "played" : $0.position.description) is sent" }) }
            if !isTrial, !news.isEmpty {
                try server.send(news)
                for change in news { known.insert(change) }
                // A long first synchronization that is interrupted continues there.
                let last = max(0, page.episodes.last?.revision ?? 0)
                account.ours = max(account.ours, min(last - 1, revision))
            }
            if !page.hasAfter { return }
            page = try changes(after: page.episodes.last?.key)
        }
    }

    private func isNews(_ change: EpisodeChange) -> Bool {
        change.feed != nil && WebAddress.isFetchable(change.url) && !known.contains(change)
    }

    private func news(_ changes: [SubscriptionChange]) -> [SubscriptionChange] {
        changes.filter { !known.contains($0) }
    }

    // MARK: both

    private func changes(after: String?, limit: Int = pageRows) throws(SyncFailure) -> LibraryChanges {
        try daemon.changes(since: account.ours, after: after, limit: limit)
    }

    private mutating func note(_ lines: [String]) {
        account.details += lines.prefix(SyncAccount.mostDetails - account.details.count)
    }

    private var trialMessage: String {
        "would subscribe to \(counted(feedsHere, "feed")) here and \(counted(feedsThere, "feed")) there, change "
            + "\(counted(account.received, "episode")) here, and send the state of "
            + counted(account.sent - feedsThere, "episode")
    }

    private var clockMessage: String {
        let minutes = abs(server.clockOffset) / 60_000
        let time = minutes < 90 ? "\(minutes) min" : "\((minutes + 30) / 60) h"
        return
            "this machine's clock is \(time) \(server.clockOffset > 0 ? "behind" : "ahead of") the server's; times are corrected"
    }
}
