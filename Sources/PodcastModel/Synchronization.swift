/// A server with which podcast-sync synchronizes this library.
public struct SyncAccount: Equatable, Sendable {
    public enum State: String, Sendable, CaseIterable {
        /// podcast-sync does not run.
        case off
        case idle
        case running
        /// The first synchronization waits for the listener's consent.
        case asking
        case failed
        /// The server refuses the login.
        case refused
    }

    public var name = ""
    /// Address of the server, with the user's name.
    public var server = ""
    public var state = State.off
    /// Why it failed, or what the first synchronization would change.
    public var message: String?
    /// After `sync try` and before the first synchronization: a line for each of the first episodes that would change.
    public var details: [String] = []
    public static let mostDetails = 20
    public var lastSync: Timestamp?
    /// When the next attempt is after a failure.
    public var nextTry: Timestamp?
    /// Numbers of changes in the last synchronization that changed anything.
    public var received = 0
    public var sent = 0
    /// The last revision of the server whose changes are here; 0 before the first synchronization.
    public var serverRevision: Int64 = 0
    /// The last revision of this library whose changes the server has.
    public var sentRevision: Int64 = 0

    public init() {}
}

/// A user's command that podcast-sync carries out for one account.
public struct SyncOrder: Equatable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        case synchronize
        case dryRun = "try"
        /// Move playback to the account's podcastd.
        case handOver
    }

    /// Later orders have greater numbers, until the daemon is restarted.
    public var number = 0
    public var kind = Kind.synchronize
    /// Name of the account.
    public var account = ""

    public init() {}

    public init(number: Int, kind: Kind, account: String) {
        self.number = number
        self.kind = kind
        self.account = account
    }
}

/// A device of the listener that synchronizes with this library.
public struct SyncDevice: Equatable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        case desktop, laptop, mobile, server, other
    }

    /// As its client calls it.
    public var name = ""
    /// What the listener calls it.
    public var caption = ""
    public var kind = Kind.other
    public var lastContact = Timestamp(seconds: 0)
    /// Number of acts that the device has sent.
    public var acts = 0
    /// The user of podcast-web to whom its app password belongs; nil for a device without one.
    public var owner: String?

    public init() {}
}
