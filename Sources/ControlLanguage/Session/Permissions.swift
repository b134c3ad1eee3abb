/// The peer of a connection as reported by the kernel: unix(7) `SO_PEERCRED` and `SO_PEERGROUPS`.
public struct PeerIdentity: Equatable, Sendable {
    /// The process id; 0 if the process is in another namespace.
    public var process: Int32
    public var user: UInt32
    var group: UInt32
    var groups: [UInt32]

    public init(process: Int32, user: UInt32, group: UInt32, groups: [UInt32] = []) {
        self.process = process
        self.user = user
        self.group = group
        self.groups = groups
    }
}

/// The maximum permission of each connection. Methods are called on the server's thread.
public protocol PermissionPolicy: Sendable {
    /// The highest permission of a peer; nil to refuse the connection.
    func permission(of peer: PeerIdentity) -> CommandDeclaration.Permission?
    /// True if the peer is the daemon's own user or root; some connections are reserved for them. The default is false.
    func isOwner(_ peer: PeerIdentity) -> Bool
    /// How to give a peer a missing permission, in words for an error message.
    func remedy(for peer: PeerIdentity, lacking permission: CommandDeclaration.Permission) -> String
}

extension PermissionPolicy {
    public func isOwner(_ peer: PeerIdentity) -> Bool { false }

    public func remedy(for peer: PeerIdentity, lacking permission: CommandDeclaration.Permission) -> String {
        "an administrator can change [control] in podcastd.conf"
    }
}

/// The policy of the config file: permissions of users and groups; the daemon's own user and root have all permissions.
public struct ConfiguredPermissions: PermissionPolicy {
    private let owner: UInt32
    private let users: [UInt32: CommandDeclaration.Permission]
    private let groups: [UInt32: CommandDeclaration.Permission]
    private let others: CommandDeclaration.Permission?

    /// - Parameters:
    ///   - owner: the daemon's own user.
    ///   - groups: the highest permission of a peer's groups counts.
    ///   - others: permission of all other users that can reach the socket; nil to refuse them.
    public init(
        owner: UInt32, users: [UInt32: CommandDeclaration.Permission] = [:],
        groups: [UInt32: CommandDeclaration.Permission] = [:], others: CommandDeclaration.Permission?
    ) {
        self.owner = owner
        self.users = users
        self.groups = groups
        self.others = others
    }

    public func isOwner(_ peer: PeerIdentity) -> Bool { peer.user == owner || peer.user == 0 }

    /// The highest permission of the user, the user's groups and `others`.
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

/// The number of a connection; a server never uses a number twice.
public struct ConnectionID: Hashable, Sendable {
    public let rawValue: UInt64
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// The origin of a call.
public struct Caller: Equatable, Sendable {
    public var connection: ConnectionID
    public var peer: PeerIdentity
    public var permission: CommandDeclaration.Permission

    public init(connection: ConnectionID, peer: PeerIdentity, permission: CommandDeclaration.Permission) {
        self.connection = connection
        self.peer = peer
        self.permission = permission
    }
}
