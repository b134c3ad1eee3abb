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
    private let account: PasswordAccount
    /// This machine's name on the server.
    private let device: String
    /// Paths for reading and for changing.
    private let subscriptionList: String
    private let subscriptionChange: String
    private let actionList: String
    private let actionReport: String
    /// Path for introducing this machine to a server that lists devices.
    private var introduction: String?
    /// Path of the subscriptions of all devices, if `subscriptionList` has only those of one device.
    private var allSubscriptions: String?
    /// Time of the next reading of older actions.
    private var nextWide = Instant.distantPast

    private init(
        _ account: PasswordAccount, device: String, subscriptions: (list: String, change: String),
        actions: (list: String, report: String)
    ) {
        self.account = account
        self.device = device
        (subscriptionList, subscriptionChange) = subscriptions
        (actionList, actionReport) = actions
    }

    /// A server with gPodder's interface, version 2.
    static func gpodder(_ account: PasswordAccount, device: String) -> DocumentPeer {
        let subscriptions = "/api/2/subscriptions/\(account.user)/\(device).json"
        let actions = "/api/2/episodes/\(account.user).json"
        let peer = DocumentPeer(
            account, device: device, subscriptions: (subscriptions, subscriptions), actions: (actions, actions))
        peer.introduction = "/api/2/devices/\(account.user)/\(device).json"
        peer.allSubscriptions = "/subscriptions/\(account.user).json"
        return peer
    }

    /// Nextcloud with GPodder Sync.
    static func nextcloud(_ account: PasswordAccount, device: String) -> DocumentPeer {
        let path = "/index.php/apps/gpoddersync/"
        return DocumentPeer(
            account, device: device,
            subscriptions: (path + "subscriptions", path + "subscription_change/create"),
            actions: (path + "episode_action", path + "episode_action/create"))
    }

    var clockOffset: Int64 { account.server.clockOffset }
    private var name: String { account.server.settings.name }
    var kinds: [LibraryChange.Kind] { [.subscription, .playback] }

    func changes(
        since: Int64, untimed: Timestamp, isDryRun: Bool, apply: (ListedChanges) throws(SyncFailure) -> Void
    ) throws(SyncFailure) -> ServerList {
        if since == 0, let introduction {
            _ = try account.send("POST", introduction, ["caption": .string(device), "type": "server"])
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
        let answer = try account.send("GET", "\(subscriptionList)?since=\(since)")
        guard let revision = answer["timestamp"]?.integerValue, revision >= 0 else { throw account.server.unreadable }
        var changes = GPodderText.subscriptions(answer, at: untimed, in: "")
        if since == 0, let allSubscriptions {
            let all = (try account.send("GET", allSubscriptions).arrayValue ?? []).compactMap {
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
        func flush() throws(SyncFailure) {
            for command in ApplyChanges.commands(of: exchange(&waiting, with: [])) {
                try apply(ListedChanges(device: command.device, changes: command.changes))
            }
        }
        func take(_ piece: JSONPiece, _ offset: Int) -> Bool {
            if case .member("timestamp", let value) = piece { revision = value.integerValue }
            if case .element(of: "actions", let row) = piece, var change = GPodderText.change(row, of: name, at: now) {
                change.time = change.time.adding(milliseconds: -clockOffset)
                waiting.append(change)
            }
            return true
        }
        try account.receive("\(actionList)?since=\(since)") { bytes throws(SyncFailure) in
            let result = bytes.withUnsafeBytes { text in
                Result { () throws(JSONError) in try pieces.read(text, take) }
            }
            _ = try mapError(of: result.get()) { (_: JSONError) in account.server.unreadable }
            if waiting.count >= pieceRows { try flush() }
        }
        try flush()
        guard let revision, revision >= 0, (try? pieces.finish()) != nil else { throw account.server.unreadable }
        return revision
    }

    func send(_ command: ApplyChanges) throws(SyncFailure) -> AppliedChanges {
        let feeds = command.changes.filter { $0.subject.kind == .subscription }
        let actions = command.changes.compactMap { GPodderText.action($0, of: device, clockOffset: clockOffset) }
        if !command.isDryRun, !feeds.isEmpty {
            _ = try account.send("POST", subscriptionChange, .object(GPodderText.subscriptions(feeds)))
        }
        if !command.isDryRun, !actions.isEmpty { _ = try account.send("POST", actionReport, .array(actions)) }
        return AppliedChanges {
            $0.feeds = feeds.count
            $0.episodes = actions.count
            $0.changed = feeds.count + actions.count
        }
    }
}

/// A server with a log of changes.
protocol LogPeer: SyncPeer, ChangeLibrary {
    /// This machine's name on the server.
    var device: String { get }
    /// The server's name here.
    var serverName: String { get }
}

extension LogPeer {
    /// The log has a hybrid logical clock, so times are not corrected.
    var clockOffset: Int64 { 0 }
    var kinds: [LibraryChange.Kind] { [] }

    func changes(
        since: Int64, untimed: Timestamp, isDryRun: Bool, apply: (ListedChanges) throws(SyncFailure) -> Void
    ) throws(SyncFailure) -> ServerList {
        var last = since
        while true {
            let page = try list(
                ListChanges {
                    $0.since = last
                    $0.reader = isDryRun ? nil : device
                })
            if last == since, page.isForgotten { return .forgotten }
            if last == since, page.isRestored || max(1, page.latest) < since { return .restored }
            guard page.revision >= last, !page.hasMore || page.revision > last else {
                throw SyncFailure(message: "\(serverName) lists the same changes again and again")
            }
            last = max(1, page.revision)
            if !page.changes.isEmpty {
                try apply(ListedChanges(device: serverName, changes: page.changes, revision: last))
            }
            if !page.hasMore { return .read(revision: last) }
        }
    }

    func send(_ command: ApplyChanges) throws(SyncFailure) -> AppliedChanges {
        var named = command
        named.device = device
        return try apply(named)
    }
}

/// Another podcastd, by its HTTP interface.
final class PodcastdPeer: LogPeer {
    let account: PeerAccount
    let device: String
    var serverName: String { account.server.settings.name }

    init(_ account: PeerAccount, device: String) {
        self.account = account
        self.device = device
    }

    func list(_ command: ListChanges) throws(SyncFailure) -> ChangePage { try call(command) }
    func apply(_ command: ApplyChanges) throws(SyncFailure) -> AppliedChanges { try call(command) }

    func call<Called: Command>(_ command: Called) throws(SyncFailure) -> Called.Reply {
        let path = "/api/v1/" + Called.name.split(separator: ".").joined(separator: "/")
        guard let reply = Called.Reply(json: try account.send(path, command.params ?? [:])) else {
            throw account.server.unreadable
        }
        return reply
    }
}
