/// The peer of a connection as reported by the kernel: unix(7) `SO_PEERCRED` and `SO_PEERGROUPS`.
public struct PeerIdentity: Equatable, Sendable {
    /// The process id; 0 if the process is in another namespace.
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
