internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import HTTP
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// Servers list actions by their time, so actions of a device that was offline appear late. Read the last 30 days again once a day.
private let wideInterval = Duration.seconds(86_400)
private let wideOverlap: Int64 = 30 * 86_400
/// Revisions are times in seconds: a server whose revision has decreased by more was restored from a backup.
private let longestDecrease: Int64 = 60
/// Episode actions to apply at once.
private let pieceRows = 500

/// A server with gPodder's JSON documents.
final class DocumentPeer: SyncPeer {
    /// Paths of the documents.
    private struct Paths {
        let subscriptionList: String
        let subscriptionChange: String
        let actionList: String
        let actionReport: String
        /// For introducing this machine to a server that lists devices.
        var introduction: String?
        /// The subscriptions of all devices, if `subscriptionList` has only those of one device.
        var allSubscriptions: String?

        /// A server with gPodder's interface, version 2.
        static func gpodder(_ user: String, _ device: String) -> Paths {
            let subscriptions = "/api/2/subscriptions/\(user)/\(device).json"
            let actions = "/api/2/episodes/\(user).json"
            return Paths(
                subscriptionList: subscriptions, subscriptionChange: subscriptions, actionList: actions,
                actionReport: actions, introduction: "/api/2/devices/\(user)/\(device).json",
                allSubscriptions: "/subscriptions/\(user).json")
        }

        /// Nextcloud with GPodder Sync.
        static let nextcloud: Paths = {
            let root = "/index.php/apps/gpoddersync/"
            return Paths(
                subscriptionList: root + "subscriptions", subscriptionChange: root + "subscription_change/create",
                actionList: root + "episode_action", actionReport: root + "episode_action/create")
        }()
    }

    private let account: PasswordAccount
    /// This machine's name on the server.
    private let device: String
    private let paths: Paths
    /// Time of the next reading of older actions.
    private var nextWide = Instant.distantPast

    init(_ account: PasswordAccount, _ kind: AccountSettings.Kind, device: String) {
        self.account = account
        self.device = device
        paths = kind == .nextcloud ? .nextcloud : .gpodder(account.user, device)
    }

    var clockOffset: Int64 { account.server.clockOffset }
    private var name: String { account.server.settings.name }
    var kinds: [LibraryChange.Kind] { [.subscription, .playback] }

    func changes(
        since: Int64, untimed: Timestamp, isDryRun: Bool, apply: (ListedChanges) throws(SyncFailure) -> Void
    ) throws(SyncFailure) -> ServerList {
        if since == 0, let path = paths.introduction {
            _ = try account.send("POST", path, ["caption": .string(device), "type": "server"])
        }
        let (subscriptions, revision) = try subscriptions(since: since, untimed)
        if revision < since - longestDecrease { return .restored }
        if !subscriptions.isEmpty {
            try apply(ListedChanges(device: name, changes: subscriptions))
        }
        let isWide = nextWide <= .now
        let last = try actions(since: isWide ? max(0, since - wideOverlap) : since, apply)
        if isWide, !isDryRun { nextWide = .now + wideInterval }
        return .read(revision: min(revision, last))
    }

    private func subscriptions(
        since: Int64, _ untimed: Timestamp
    ) throws(SyncFailure) -> (changes: [LibraryChange], revision: Int64) {
        let answer = try account.send("GET", "\(paths.subscriptionList)?since=\(since)")
        guard let revision = answer["timestamp"]?.integerValue, revision >= 0 else { throw account.server.unreadable }
        var changes = GPodderText.subscriptions(answer, at: untimed, in: "")
        if since == 0, let path = paths.allSubscriptions {
            let all = (try account.send("GET", path).arrayValue ?? []).compactMap {
                ($0.stringValue ?? ($0["url"] ?? $0["feed"])?.stringValue).map { JSONValue.string($0) }
            }
            changes += GPodderText.subscriptions(["add": .array(all)], at: untimed, in: "")
        }
        return (changes, revision)
    }

    /// - Returns: the server's revision.
    private func actions(
        since: Int64, _ apply: (ListedChanges) throws(SyncFailure) -> Void
    ) throws(SyncFailure) -> Int64 {
        var pieces = JSONPieces()
        var revision: Int64?
        let now = Timestamp.now.adding(milliseconds: clockOffset)
        var waiting: [LibraryChange] = []
        func take(_ piece: JSONPiece, _ offset: Int) -> Bool {
            if case .member("timestamp", let value) = piece { revision = value.integerValue }
            if case .element(of: "actions", let row) = piece, var change = GPodderText.change(row, of: name, at: now) {
                change.time = change.time.adding(milliseconds: -clockOffset)
                waiting.append(change)
            }
            return true
        }
        try account.receive("\(paths.actionList)?since=\(since)") { bytes throws(SyncFailure) in
            let result = bytes.withUnsafeBytes { text in
                Result { () throws(JSONError) in try pieces.read(text, take) }
            }
            _ = try mapError(of: result.get()) { (_: JSONError) in account.server.unreadable }
            if waiting.count >= pieceRows { try apply(ListedChanges(changes: exchange(&waiting, with: []))) }
        }
        try apply(ListedChanges(changes: waiting))
        guard let revision, revision >= 0, (try? pieces.finish()) != nil else { throw account.server.unreadable }
        return revision
    }

    func send(_ command: ApplyChanges) throws(SyncFailure) -> AppliedChanges {
        let feeds = command.changes.filter { $0.subject.kind == .subscription }
        let actions = command.changes.compactMap { GPodderText.action($0, of: device, clockOffset: clockOffset) }
        if !command.isDryRun, !feeds.isEmpty {
            _ = try account.send("POST", paths.subscriptionChange, .object(GPodderText.subscriptions(feeds)))
        }
        if !command.isDryRun, !actions.isEmpty { _ = try account.send("POST", paths.actionReport, .array(actions)) }
        return AppliedChanges {
            $0.feeds = feeds.count
            $0.episodes = actions.count
            $0.changed = feeds.count + actions.count
        }
    }
}

/// A server with a log of changes: another podcastd.
final class LogPeer: SyncPeer {
    private let log: any ChangeLibrary
    /// The server's name here.
    private let name: String
    /// This machine's name on the server.
    private let device: String
    /// The log has a hybrid logical clock, so times are not corrected.
    let clockOffset: Int64 = 0
    let kinds: [LibraryChange.Kind] = []

    init(_ log: any ChangeLibrary, name: String, device: String) {
        self.log = log
        self.name = name
        self.device = device
    }

    func changes(
        since: Int64, untimed: Timestamp, isDryRun: Bool, apply: (ListedChanges) throws(SyncFailure) -> Void
    ) throws(SyncFailure) -> ServerList {
        var last = since
        while true {
            let page = try log.list(
                ListChanges {
                    $0.since = last
                    $0.reader = isDryRun ? nil : device
                })
            if last == since, page.isForgotten { return .forgotten }
            if last == since, page.isRestored || max(1, page.latest) < since { return .restored }
            guard page.revision >= last, !page.hasMore || page.revision > last else {
                throw SyncFailure(message: "\(name) lists the same changes again and again")
            }
            last = max(1, page.revision)
            if !page.changes.isEmpty {
                try apply(ListedChanges(device: name, changes: page.changes, revision: last))
            }
            if !page.hasMore { return .read(revision: last) }
        }
    }

    func send(_ command: ApplyChanges) throws(SyncFailure) -> AppliedChanges {
        var named = command
        named.device = device
        return try log.apply(named)
    }
}
