/// Who is at the other end of a connection, as the kernel says: unix(7) `SO_PEERCRED` and `SO_PEERGROUPS`.
public struct PeerIdentity: Equatable, Sendable {
    /// The process; 0 when it lives in another namespace.
    public var process: Int32
    public var user: UInt32
    public var group: UInt32
    public var groups: [UInt32]

    public init(process: Int32, user: UInt32, group: UInt32, groups: [UInt32] = []) {
        self.process = process
        self.user = user
        self.group = group
        self.groups = groups
    }
}

/// What a connection may do at most.
public protocol PermissionPolicy: Sendable {
    /// The highest permission of a peer; nil to refuse the connection. Called on the server's thread.
    func permission(of peer: PeerIdentity) -> CommandDeclaration.Permission?
    /// Whether a peer is the daemon's own user or root, for whom some connections are kept free. The default is that none is.
    /// Called on the server's thread.
    func isOwner(_ peer: PeerIdentity) -> Bool
    /// What a person does to give a peer a permission that it lacks, for the message of a refusal. Called on the server's thread.
    func remedy(for peer: PeerIdentity, lacking permission: CommandDeclaration.Permission) -> String
}

extension PermissionPolicy {
    public func isOwner(_ peer: PeerIdentity) -> Bool { false }

    public func remedy(for peer: PeerIdentity, lacking permission: CommandDeclaration.Permission) -> String {
        "an administrator can change [control] in podcastd.conf"
    }
}

/// The policy of the config file: users and groups have what is written for them, the daemon's own user and root
/// have all.
public struct ConfiguredPermissions: PermissionPolicy {
    private let owner: UInt32
    private let users: [UInt32: CommandDeclaration.Permission]
    private let groups: [UInt32: CommandDeclaration.Permission]
    private let others: CommandDeclaration.Permission?

    /// A policy.
    ///
    /// - Parameters:
    ///   - owner: the daemon's own user.
    ///   - users: permissions of users by number.
    ///   - groups: permissions of groups by number; the highest of a peer's groups counts.
    ///   - others: what everybody has who can reach the socket; nil for nothing.
    public init(
        owner: UInt32, users: [UInt32: CommandDeclaration.Permission] = [:],
        groups: [UInt32: CommandDeclaration.Permission] = [:], others: CommandDeclaration.Permission?
    ) {
        self.owner = owner
        self.users = users
        self.groups = groups
        self.others = others
    }

    /// Whether it is the daemon's own user or root.
    public func isOwner(_ peer: PeerIdentity) -> Bool { peer.user == owner || peer.user == 0 }

    /// The highest of what user, groups and everybody have.
    public func permission(of peer: PeerIdentity) -> CommandDeclaration.Permission? {
        if isOwner(peer) { return .admin }
        var highest = others
        func raise(to permission: CommandDeclaration.Permission?) {
            if let permission, highest.map({ $0 < permission }) ?? true { highest = permission }
        }
        raise(to: users[peer.user])
        raise(to: groups[peer.group])
        for group in peer.groups { raise(to: groups[group]) }
        return highest
    }
}

/// The number of a connection; never used twice by a server.
public struct ConnectionID: Hashable, Sendable {
    public let rawValue: UInt64
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// Who calls a command.
public struct Caller: Equatable, Sendable {
    /// Over which connection; see `CommandHandler.connectionEnded`.
    public var connection: ConnectionID
    /// Who is at its other end.
    public var peer: PeerIdentity
    /// What this call may do.
    public var permission: CommandDeclaration.Permission

    public init(connection: ConnectionID, peer: PeerIdentity, permission: CommandDeclaration.Permission) {
        self.connection = connection
        self.peer = peer
        self.permission = permission
    }
}

extension CommandDeclaration.Permission {
    public init?(name: String) {
        guard let permission = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = permission
    }
}
