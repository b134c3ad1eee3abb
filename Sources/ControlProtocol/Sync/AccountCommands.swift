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
            "off (podcast-sync does not run), idle, running, asking (the first synchronization waits for `sync now`), failed, or "
                + "refused (the server refuses the login)."
        )
        members.declare("message", &message, "Why it failed, or what the first synchronization would change.")
        members.declareIfAny(
            "details", &details, "The first episodes that a synchronization would change, a line each.")
        members.declare("lastSync", &lastSync)
        members.declare(
            "received", &received, isRequired: true, "Changes from the server in the last synchronization with changes."
        )
        members.declare(
            "sent", &sent, isRequired: true, "Changes for the server in the last synchronization with changes.")
        members.declare(
            "theirs", &theirs, isRequired: true, "The server's revision; 0 before the first synchronization.")
        members.declare("ours", &ours, isRequired: true, "The library's revision that the server has.")
        members.declareIfAny("base", &base, "Only in the reply to `sync.report` with the state running.")
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

/// The part `sync` of the status.
public struct SyncStatusReply: ReplyObject {
    public var accounts: [SyncAccount] = []
    public var order = 0
    public var isTrial = false
    public var handOver: String?

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("accounts", &accounts, isRequired: true)
        members.declare("order", &order, isRequired: true, "The number of the last `sync.now`, from 1.")
        members.declare("try", &isTrial, isRequired: true, "Whether the last `sync.now` is to change nothing.")
        members.declare(
            "handOver", &handOver, "The account that playback must move to, if the last order is `sync.handOver`.")
    }
}

/// For podcast-sync. An account is `off` as soon as its connection has ended.
public struct ReportAccount: Command {
    /// Bytes.
    public static let longestBase = 900_000

    public var account = SyncAccount()
    public var order: Int?

    public static let form = CommandForm<Self, SyncAccount>(
        Self(), "sync.report", "Report the state of an account, and learn how far it is synchronized.", .control,
        details: [
            "With another server an account begins from nothing. Without `theirs` the kept revisions stay."
        ]
    )
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("name", &account.name, .line(), isRequired: true, help: "Its name in sync.conf.")
        parameters.declare(
            "server", &account.server, .line(maximumBytes: 500), isRequired: true, help: "User and address.")
        parameters.declare("state", &account.state, isRequired: true, help: "What it does.")
        parameters.declare("message", &account.message, .text(maximumBytes: 2000), help: "Why.")
        parameters.declare("details", &account.details, help: "Lines about episodes that would change.")
        parameters.declare("received", &account.received, .integer(0...1_000_000_000), help: "Changes from the server.")
        parameters.declare("sent", &account.sent, .integer(0...1_000_000_000), help: "Changes for the server.")
        parameters.declare("theirs", &account.theirs, .integer(0...Int64.max), help: "The server's revision.")
        parameters.declare("ours", &account.ours, .integer(0...Int64.max), help: "The library's revision.")
        parameters.declare(
            "base", &account.base, .text(maximumBytes: ReportAccount.longestBase),
            help: "What both podcastds have the same.")
        parameters.declare("order", &order, .integer(1...1_000_000_000), help: "The `sync.now` that is done.")
    }
}
