public import ControlLanguage
public import PodcastModel

// Servers with which podcast-sync synchronizes this library.

public struct ListSyncAccounts: Command {
    public static let form = CommandForm<Self, SyncAccountListReply>(
        Self(), "sync.accounts", "List the servers with which podcast-sync synchronizes this library.", .read,
        verb: "sync")
}

public typealias SyncAccountListReply = ListReply<SyncAccount>

extension SyncAccount.State: ParameterChoice {}

extension SyncAccount: RowReply {
    public static let objectName = "SyncAccount"
    public static let rowsMember = "accounts"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("name", &name, isRequired: true)
        members.declare("server", &server, isRequired: true, "Its address, with the user's name.")
        members.declare(
            "state", &state,
            "off (podcast-sync does not run), idle, running, asking (a synchronization waits for `sync now`), failed, or "
                + "refused (the server refuses the login)."
        )
        members.declare("message", &message, "Why it failed, or what the first synchronization would change.")
        members.declareIfAny(
            "details", &details, "The first episodes that a synchronization would change, a line each.")
        members.declare("lastSync", &lastSync)
        members.declareIfAny("nextTry", &nextTry, "When the next attempt is after a failure.")
        members.declare(
            "received", &received, isRequired: true, "Changes from the server in the last synchronization with changes."
        )
        members.declare(
            "sent", &sent, isRequired: true, "Changes for the server in the last synchronization with changes.")
        members.declare(
            "serverRevision", &serverRevision, isRequired: true,
            "The last revision of the server whose changes are here; 0 before the first synchronization.")
        members.declare(
            "sentRevision", &sentRevision, isRequired: true,
            "The last revision of `sync.changes` that the server has.")
    }
}

public struct Synchronize: Command {
    public static let form = CommandForm<Self, SyncAccountListReply>(
        Self(), "sync.now", "Synchronize with all servers at once, and wait until it is done.", .control,
        isLong: true, verb: "sync now",
        details: [
            "The first synchronization with a server that has subscriptions already waits for this command. The answer comes after ten "
                + "minutes at the latest; the synchronization goes on."
        ])
}

public struct TrySynchronization: Command {
    public static let form = CommandForm<Self, SyncAccountListReply>(
        Self(), "sync.preview", "Show what a synchronization with all servers would change, and change nothing.",
        .control, isLong: true, verb: "sync try")
}

public struct HandOver: Command {
    public var name = ""

    public static let form = CommandForm<Self, SyncAccount>(
        Self(), "sync.handOver", "Move playback to another podcastd, at the same position.", .control,
        isLong: true,
        verb: "hand-over", group: "Playback",
        details: [
            "NAME is an account of the kind podcastd in sync.conf of podcast-sync; 'podcastctl sync' lists the accounts. The episode plays "
                + "there as soon as it is loaded; then it pauses here."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("name", &name, .line(), isRequired: true, help: "The account's name.")
    }
}

extension SyncOrder.Kind: WireScalar {}

extension SyncOrder: ReplyObject {
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("number", &number, isRequired: true)
        members.declare("kind", &kind, isRequired: true, "synchronize, try (change nothing) or handOver.")
        members.declare("account", &account, isRequired: true, "The name of its account.")
    }
}

/// The part `sync` of the status.
public struct SyncStatusReply: ReplyObject, Equatable {
    public var accounts: [SyncAccount] = []
    public var orders: [SyncOrder] = []

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("accounts", &accounts, isRequired: true)
        members.declare("orders", &orders, isRequired: true, "Commands that podcast-sync has not begun, oldest first.")
    }
}

/// For podcast-sync. An account is `off` as soon as its connection has ended.
public struct ReportAccount: Command {
    public var account = SyncAccount()
    public var nextTry: String?
    public var isSynchronized = false
    public var order: Int?
    public var failure: String?

    public static let form = CommandForm<Self, SyncAccount>(
        Self(), "sync.report", "Report the state of an account, and learn how far it is synchronized.", .control,
        details: [
            "With another server an account begins from nothing. Without `serverRevision` the kept revisions stay.",
            "An account belongs to the connection that reports it first, until that connection ends. An order begins with the state "
                + "running, which is refused if the order no longer waits; each other state ends it.",
        ]
    )
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("name", &account.name, .line(), isRequired: true, help: "Its name in sync.conf.")
        parameters.declare(
            "server", &account.server, .line(maximumBytes: 500), isRequired: true, help: "User and address.")
        parameters.declare("state", &account.state, isRequired: true, help: "What it does.")
        parameters.declare("message", &account.message, .text(maximumBytes: 2000), help: "Why.")
        parameters.declare("details", &account.details, help: "Lines about episodes that would change.")
        parameters.declare("nextTry", &nextTry, .line(), help: "When the next attempt is, as an RFC 3339 time.")
        parameters.declare("synchronized", &isSynchronized, help: "Whether a synchronization has succeeded now.")
        parameters.declare("received", &account.received, .integer(0...1_000_000_000), help: "Changes from the server.")
        parameters.declare("sent", &account.sent, .integer(0...1_000_000_000), help: "Changes for the server.")
        parameters.declare(
            "serverRevision", &account.serverRevision, .integer(0...Int64.max), help: "The server's revision.")
        parameters.declare(
            "sentRevision", &account.sentRevision, .integer(0...Int64.max), help: "The library's revision.")
        parameters.declare("order", &order, .integer(1...1_000_000_000), help: "The number of one of its orders.")
        parameters.declare("failure", &failure, .text(maximumBytes: 2000), help: "Why the order failed.")
    }
}
