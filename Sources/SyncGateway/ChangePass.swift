internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension ControlConnection: ChangeLibrary {
    func answer<Called: Command>(_ command: Called) throws(SyncFailure) -> Called.Reply {
        try mapError(of: call(command)) { (failure: ClientFailure) in SyncFailure(failure) }
    }

    func list(_ command: ListChanges) throws(SyncFailure) -> ChangePage { try answer(command) }
    func apply(_ command: ApplyChanges) throws(SyncFailure) -> AppliedChanges { try answer(command) }
}

/// One synchronization: exchanges the changes of the library and of a server. Blocks its thread.
///
/// Each side keeps the later change of a subject. Pages may therefore arrive in any order, twice, or again after a failure.
struct ChangePass {
    private static let pageRows = 500

    private let daemon: any ChangeLibrary
    private let server: any SyncPeer
    private let sharesQueue: Bool
    private let isDryRun: Bool
    /// Feeds that the server can still add without consent.
    private let mostAdded: Int
    private(set) var account: SyncAccount

    /// Changes that were applied here.
    private(set) var here = AppliedChanges()
    /// Changes that the server applied.
    private var there = AppliedChanges()
    /// Number of feeds that were added and removed here, also by exchanges that were given up.
    private(set) var changedFeeds = 0
    /// Addresses of the feeds that the server has added or removed, as a dry run has read them.
    private var listedFeeds: Set<String> = []
    /// Whether the library here had values before the exchange.
    private var hasOwn = false

    init(
        _ account: SyncAccount, _ daemon: any ChangeLibrary, _ server: any SyncPeer, sharesQueue: Bool = true,
        mostAdded: Int = ServerAllowance.feedsPerDay, isDryRun: Bool
    ) {
        self.mostAdded = mostAdded
        self.daemon = daemon
        self.server = server
        self.sharesQueue = sharesQueue
        self.account = account
        self.isDryRun = isDryRun
    }

    /// Whether something has changed here that the server does not have.
    func hasChanges() throws(SyncFailure) -> Bool {
        let page = try list(after: account.sentRevision, limit: 1)
        // A row of the log may have no change that others understand, such as the entry of a feed that is gone.
        return page.hasMore || !page.changes.isEmpty
    }

    /// - Returns: whether the user has to consent first. The account's message says to what.
    /// - Parameter isWhole: whether to exchange everything, because some was refused before.
    mutating func run(isAgreed: Bool, isWhole: Bool = false) throws(SyncFailure) -> Bool {
        if isAgreed || isDryRun {
            if try exchange(isWhole: isWhole) == .forgotten { _ = try exchange() }
            return false
        }
        if account.serverRevision > 0, case .read = try exchange(mostAdded: mostAdded) { return false }
        let isFirst = account.serverRevision == 0
        var dryRun = ChangePass(account, daemon, server, sharesQueue: sharesQueue, isDryRun: true)
        _ = try dryRun.exchange()
        let isMerge = isFirst && dryRun.hasOwn && dryRun.here.changed > 0
        if isMerge || dryRun.here.feeds > mostAdded {
            account.message = dryRun.account.message
            account.details = dryRun.account.details
            return true
        }
        _ = try exchange(feeds: dryRun.listedFeeds)
        return false
    }

    /// - Parameter feeds: the only ones that the server may add or remove; nil for all.
    /// - Returns: `tooManyFeeds` if the server has added and removed more feeds than `mostAdded`. The changes from then on are not applied.
    ///     `forgotten` if the next exchange must be the first one.
    private mutating func exchange(
        mostAdded: Int = .max, feeds: Set<String>? = nil, isWhole: Bool = false
    ) throws(SyncFailure) -> ServerList {
        let revisions = (account.serverRevision, account.sentRevision)
        // Nothing is exchanged then.
        defer { if isDryRun { (account.serverRevision, account.sentRevision) = revisions } }
        account.message = nil
        account.details = []
        here = AppliedChanges()
        there = AppliedChanges()
        hasOwn = false
        let isFirst = account.serverRevision == 0
        if isWhole { forget() }
        var end = try list(after: account.sentRevision, limit: 1).latest
        // Do not send the server's changes back to it. If a change is made here meanwhile, they cannot be told apart.
        var known: Int64? = end
        var reading = try receive(isFirst: isFirst, mostAdded, feeds, &known)
        if reading == .restored {
            forget()
            reading = try receive(isFirst: false, mostAdded, feeds, &known)
        }
        if reading == .forgotten { forget() }
        guard case .read(let revision) = reading else { return reading }
        // 0 means that nothing was ever exchanged.
        account.serverRevision = max(1, revision)
        // A first exchange may move entries, which the server must also get.
        if isFirst || known == nil { end = .max }
        var last = try send(through: end, isFirst: isFirst)
        if !isFirst, let known {
            // Skip the server's changes, and send what is owed to the server because of them.
            account.sentRevision = max(last, known)
            last = try send(through: .max, isFirst: false)
        }
        account.sentRevision = last
        account.received = here.changed
        account.sent = there.changed
        account.details = Array((here.details + there.details).prefix(SyncAccount.mostDetails))
        if isDryRun {
            account.message = summary
        } else if let refusal {
            account.message = refusal
        } else if server.clockOffset != 0 {
            account.message = clockMessage
        }
        return reading
    }

    /// Lets the exchange be one of everything.
    private mutating func forget() {
        account.serverRevision = 0
        account.sentRevision = 0
    }

    // MARK: from the server

    /// - Parameter known: the last revision of the changes here that the server has; nil if that is not known.
    private mutating func receive(
        isFirst: Bool, _ mostAdded: Int, _ permitted: Set<String>?, _ known: inout Int64?
    ) throws(SyncFailure) -> ServerList {
        var count = 0
        var tried: Set<String> = []
        // Later than what was sent. Such changes have no device, so what was changed here since is later.
        let untimed = Timestamp(milliseconds: account.sentRevision).adding(milliseconds: 1)
        let list = try server.changes(
            since: account.serverRevision, untimed: untimed, isDryRun: isDryRun
        ) { listed throws(SyncFailure) in
            let feeds = listed.changes.filter { $0.subject.kind == .subscription }.compactMap(\.subject.feed)
            count += feeds.count
            if count > mostAdded { return }
            if isDryRun { listedFeeds.formUnion(feeds) }
            // The user's consent may be needed for what the server lists now.
            if let permitted, !permitted.isSuperset(of: feeds) {
                throw SyncFailure(message: "the server's list of feeds has changed while it was read")
            }
            for part in ApplyChanges.commands(of: shared(listed.changes), from: listed.device) {
                var command = command(part.changes, &tried)
                command.device = part.device
                command.isFirst = isFirst
                let reply = try daemon.apply(command)
                here.add(reply)
                if isDryRun { continue }
                changedFeeds += reply.feeds
                known = reply.before == known ? reply.revision : nil
            }
            if !isFirst, let revision = listed.revision { account.serverRevision = max(1, revision) }
        }
        return count > mostAdded ? .tooManyFeeds : list
    }

    // MARK: to the server

    /// - Returns: the last revision that was sent.
    private mutating func send(through end: Int64, isFirst: Bool) throws(SyncFailure) -> Int64 {
        var last = account.sentRevision
        var tried: Set<String> = []
        let replaced = Set(here.replaced)
        while true {
            let page = try list(after: last, through: end)
            hasOwn = hasOwn || page.changes.contains { $0.value != nil }
            let changes = shared(page.changes).filter { !replaced.contains($0.revision) }
            if !changes.isEmpty {
                var reply = try server.send(command(changes, &tried))
                if isDryRun { reply.details = changes.compactMap(\.sentLine) }
                there.add(reply)
                if reply.before == account.serverRevision { account.serverRevision = reply.revision }
            }
            last = page.revision
            // A long synchronization that is interrupted continues there.
            if !isFirst { account.sentRevision = last }
            if !page.hasMore { return last }
        }
    }

    /// - Parameter tried: feeds that earlier commands of a dry run would have added.
    private func command(_ changes: [LibraryChange], _ tried: inout Set<String>) -> ApplyChanges {
        let command = ApplyChanges {
            $0.changes = changes
            $0.isDryRun = isDryRun
            if isDryRun { $0.feeds = tried.intersection(changes.compactMap(\.subject.feed)).sorted() }
        }
        let added = changes.filter { $0.subject.kind == .subscription && $0.value != nil }
        tried.formUnion(added.compactMap(\.subject.feed))
        return command
    }

    /// Without entries of the queue, if it is not shared.
    private func shared(_ changes: [LibraryChange]) -> [LibraryChange] {
        sharesQueue ? changes : changes.filter { $0.subject.kind != .queueEntry }
    }

    private func list(
        after revision: Int64, through last: Int64 = .max, limit: Int = pageRows
    ) throws(SyncFailure) -> ChangePage {
        try daemon.list(
            ListChanges {
                $0.since = revision
                $0.through = last
                $0.kinds = server.kinds
                $0.limit = limit
            })
    }

    // MARK: messages

    private var summary: String {
        "would subscribe to \(counted(here.feeds, "feed")) here and \(counted(there.feeds, "feed")) there, change "
            + "\(counted(here.episodes, "episode")) here and \(counted(there.episodes, "episode")) there, and \(here.others) other "
            + "things here and \(there.others) there"
    }

    /// The first change that one side refused in the last exchange, for the user.
    var refusal: String? {
        let first =
            there.refused.first.map { "the server refuses changes: \($0)" }
            ?? here.refused.first.map { "changes of the server are refused: \($0)" }
        return first.map { $0 + "; 'podcastctl sync now' tries again" }
    }

    private var clockMessage: String {
        let minutes = abs(server.clockOffset) / 60_000
        let time = minutes < 90 ? "\(minutes) min" : "\((minutes + 30) / 60) h"
        return
            "this machine's clock is \(time) \(server.clockOffset > 0 ? "behind" : "ahead of") the server's; times are corrected"
    }
}

extension LibraryChange {
    /// A line about a position that would be sent.
    fileprivate var sentLine: String? {
        guard subject.kind == .playback, let episode = subject.episode, let value else { return nil }
        return "\(episode.title ?? episode.url): \(value.playback) is sent"
    }
}

extension AppliedChanges {
    /// Number of changes of neither feeds nor episodes.
    fileprivate var others: Int { changed - feeds - episodes }

    fileprivate mutating func add(_ reply: AppliedChanges) {
        feeds += reply.feeds
        episodes += reply.episodes
        changed += reply.changed
        refused += reply.refused.prefix(SyncAccount.mostDetails - refused.count)
        details += reply.details.prefix(SyncAccount.mostDetails - details.count)
        replaced += reply.replaced
    }
}
