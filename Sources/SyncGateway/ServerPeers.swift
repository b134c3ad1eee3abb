internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import HTTP
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// A server with gPodder's JSON documents.
protocol DocumentPeer: SyncPeer {
    var account: HTTPAccount { get }
    /// This machine's name on the server.
    var device: String { get }
    /// Paths for reading and for changing.
    var subscriptionList: String { get }
    var subscriptionChange: String { get }
    var actionList: String { get }
    var actionReport: String { get }
    /// Time of the next reading of older actions.
    var nextWide: Instant { get set }

    /// Introduces this machine to a server that lists devices.
    func introduce() throws(SyncFailure)
    /// Returns the subscriptions of all devices, if `subscriptionList` has only those of one device.
    func allSubscriptions() throws(SyncFailure) -> [String]
}

/// Servers list actions by their time, so actions of a device that was offline appear late. Read the last 30 days again once a day.
private let wideInterval = Duration.seconds(86_400)
private let wideOverlap: Int64 = 30 * 86_400
/// Revisions are times in seconds: a server whose revision has decreased by more was restored from a backup.
private let longestDecrease: Int64 = 60
/// Episode actions to apply at once.
private let pieceRows = 500

extension DocumentPeer {
    var clockOffset: Int64 { account.clockOffset }
    var kinds: [LibraryChange.Kind] { [.subscription, .playback] }

    func changes(
        since: Int64, untimed: Timestamp, isDryRun: Bool, apply: (ListedChanges) throws(SyncFailure) -> Void
    ) throws(SyncFailure) -> ServerList {
        if since == 0 { try introduce() }
        let (subscriptions, revision) = try subscriptions(since: since, untimed)
        if revision < since - longestDecrease { return .restored }
        if !subscriptions.isEmpty {
            try apply(ListedChanges(device: account.settings.name, changes: subscriptions))
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
        guard let revision = answer["timestamp"]?.integerValue, revision >= 0 else { throw account.unreadable }
        func list(_ name: String) -> [String] { answer[name]?.arrayValue?.compactMap(\.stringValue) ?? [] }
        let added = try list("add") + (since == 0 ? allSubscriptions() : [])
        var known = Set<String>()
        func changes(_ urls: [String], _ isSet: Bool) -> [LibraryChange] {
            urls.filter { WebAddress.isFetchable($0) && known.insert($0).inserted }.map {
                LibraryChange(.subscription(feed: $0, isSet: isSet), at: untimed, in: account.settings.name)
            }
        }
        return (changes(added, true) + changes(list("remove"), false), revision)
    }

    /// - Returns: the server's revision.
    private func actions(
        since: Int64, _ apply: (ListedChanges) throws(SyncFailure) -> Void
    ) throws(SyncFailure) -> Int64 {
        let list = ActionList(name: "actions")
        let now = Timestamp.now.adding(milliseconds: clockOffset)
        var waiting: [LibraryChange] = []
        func flush() throws(SyncFailure) {
            let devices = Dictionary(grouping: exchange(&waiting, with: []), by: \.device)
            for (device, changes) in devices.sorted(by: { $0.key < $1.key }) {
                try apply(ListedChanges(device: device, changes: changes))
            }
        }
        try account.receive("GET", "\(actionList)?since=\(since)") { bytes throws(SyncFailure) in
            for row in try list.take(bytes, else: account.unreadable) {
                guard var change = GPodderText.change(row, of: account.settings.name, at: now) else { continue }
                change.time = change.time.adding(milliseconds: -clockOffset)
                waiting.append(change)
            }
            if waiting.count >= pieceRows { try flush() }
        }
        try flush()
        guard let revision = list.members["timestamp"]?.integerValue, revision >= 0, list.isWhole else {
            throw account.unreadable
        }
        return revision
    }

    func send(_ changes: [LibraryChange], isDryRun: Bool) throws(SyncFailure) -> ChangesAppliedReply {
        func feeds(_ isSubscribed: Bool) -> [JSONValue] {
            changes.compactMap { change in
                if case .subscription(let url, isSubscribed) = change.content { .string(url) } else { nil }
            }
        }
        let (added, removed) = (feeds(true), feeds(false))
        let actions = changes.compactMap { GPodderText.action($0, of: device, clockOffset: clockOffset) }
        if !isDryRun, !added.isEmpty || !removed.isEmpty {
            _ = try account.send("POST", subscriptionChange, ["add": .array(added), "remove": .array(removed)])
        }
        if !isDryRun, !actions.isEmpty { _ = try account.send("POST", actionReport, .array(actions)) }
        return ChangesAppliedReply {
            $0.feeds = added.count + removed.count
            $0.episodes = actions.count
            $0.changed = $0.feeds + $0.episodes
        }
    }
}

/// A server with gPodder's interface, version 2.
final class GPodderPeer: DocumentPeer {
    let account: HTTPAccount
    let device: String
    let subscriptionList: String
    let subscriptionChange: String
    let actionList: String
    let actionReport: String
    var nextWide = Instant.distantPast

    init(_ account: HTTPAccount, device: String) {
        self.account = account
        self.device = device
        subscriptionList = "/api/2/subscriptions/\(account.user)/\(device).json"
        subscriptionChange = subscriptionList
        actionList = "/api/2/episodes/\(account.user).json"
        actionReport = actionList
    }

    func introduce() throws(SyncFailure) {
        let body: JSONValue = ["caption": .string(device), "type": "server"]
        _ = try account.send("POST", "/api/2/devices/\(account.user)/\(device).json", body)
    }

    func allSubscriptions() throws(SyncFailure) -> [String] {
        let all = try account.send("GET", "/subscriptions/\(account.user).json").arrayValue ?? []
        return all.compactMap { $0.stringValue ?? ($0["url"] ?? $0["feed"])?.stringValue }
    }
}

/// Nextcloud with GPodder Sync.
final class NextcloudPeer: DocumentPeer {
    private static let path = "/index.php/apps/gpoddersync/"

    let account: HTTPAccount
    let device: String
    let subscriptionList = path + "subscriptions"
    let subscriptionChange = path + "subscription_change/create"
    let actionList = path + "episode_action"
    let actionReport = path + "episode_action/create"
    var nextWide = Instant.distantPast

    init(_ account: HTTPAccount, device: String) {
        self.account = account
        self.device = device
    }

    func introduce() {}
    func allSubscriptions() -> [String] { [] }
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

    func send(_ changes: [LibraryChange], isDryRun: Bool) throws(SyncFailure) -> ChangesAppliedReply {
        try apply(
            ApplyChanges {
                $0.device = device
                $0.changes = changes
                $0.isDryRun = isDryRun
            })
    }
}

/// Another podcastd, by its HTTP interface.
final class PodcastdPeer: LogPeer {
    let account: HTTPAccount
    let device: String
    var serverName: String { account.settings.name }

    init(_ account: HTTPAccount, device: String) {
        self.account = account
        self.device = device
    }

    func list(_ command: ListChanges) throws(SyncFailure) -> ChangeListReply { try call(command) }
    func apply(_ command: ApplyChanges) throws(SyncFailure) -> ChangesAppliedReply { try call(command) }

    func call<Called: Command>(_ command: Called) throws(SyncFailure) -> Called.Reply {
        let path = "/api/v1/" + Called.name.split(separator: ".").joined(separator: "/")
        guard let reply = Called.Reply(json: try account.send("POST", path, command.params ?? [:])) else {
            throw account.unreadable
        }
        return reply
    }
}
