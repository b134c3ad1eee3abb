internal import ControlProtocol

/// What each user's connections take of the server: places and memory. It decides which connections are accepted. A value
/// without I/O.
struct ConnectionShares {
    private struct Share {
        var connections = 0
        var bytes = 0
    }

    private let limits: ControlServer.Limits
    private var users: [UInt32: Share] = [:]
    /// Connections by process, of those who have the reserved places.
    private var reserved: [Int32: Int] = [:]
    /// Connections of all.
    private(set) var count = 0
    /// Users whose connections hold more than they may.
    private(set) var overdrawn: Set<UInt32> = []

    init(_ limits: ControlServer.Limits) { self.limits = limits }

    /// What a connection occupies: an ordinary place, or one of those that are kept for the owner.
    enum Place {
        case ordinary
        case reserved
    }

    /// The place for one more connection.
    ///
    /// - Parameters:
    ///   - descriptors: descriptors that the process may have.
    ///   - isShort: whether the process has no descriptors left but the spare ones.
    /// - Throws: why it is refused.
    func place(
        for peer: PeerIdentity, isOwner: Bool, descriptors: Int, isShort: Bool
    ) throws(ControlError) -> Place {
        if !isOwner, users[peer.user]?.connections ?? 0 >= limits.connectionsPerUser {
            throw ControlError(
                .unavailable, "user \(peer.user) has \(limits.connectionsPerUser) connections already",
                hint: "close some of them")
        }
        let affordable = max(descriptors / 2, descriptors - ControlServer.Limits.otherDescriptors)
        let ordinary = min(limits.connections, affordable)
        if !isShort, count - reservedCount < ordinary { return .ordinary }
        if isOwner, reservedCount < ControlServer.Limits.reservedConnections,
            reserved[peer.process] ?? 0 < ControlServer.Limits.reservedConnectionsPerProcess
        {
            return .reserved
        }
        throw ControlError(.unavailable, "too many connections", hint: "close some, or raise the daemon's limit")
    }

    private var reservedCount: Int { reserved.values.reduce(0, +) }

    mutating func open(_ peer: PeerIdentity, _ place: Place) {
        count += 1
        users[peer.user, default: Share()].connections += 1
        if case .reserved = place { reserved[peer.process, default: 0] += 1 }
    }

    /// - Parameter bytes: as last given to `holds`.
    mutating func close(_ peer: PeerIdentity, _ place: Place, bytes: Int) {
        holds(0, before: bytes, peer)
        count -= 1
        if var share = users[peer.user] {
            share.connections -= 1
            users[peer.user] = share.connections > 0 ? share : nil
        }
        if case .reserved = place, let held = reserved[peer.process] {
            reserved[peer.process] = held > 1 ? held - 1 : nil
        }
    }

    /// Notes that a connection of a user now holds this many bytes, and how many it held before.
    mutating func holds(_ bytes: Int, before: Int, _ peer: PeerIdentity) {
        if bytes == before { return }
        users[peer.user]?.bytes += bytes - before
        if users[peer.user]?.bytes ?? 0 > limits.bytesPerUser {
            overdrawn.insert(peer.user)
        } else {
            overdrawn.remove(peer.user)
        }
    }

    /// Which of a user's connections are to be closed, those that hold most first, so that the others together hold no more
    /// than half of what they may: clients that use little stay connected.
    func excess(_ held: [(token: UInt64, bytes: Int)]) -> [UInt64] {
        var bytes = held.reduce(0) { $0 + $1.bytes }
        var closed: [UInt64] = []
        for one in held.sorted(by: { $0.bytes > $1.bytes }) where bytes > limits.bytesPerUser / 2 {
            bytes -= one.bytes
            closed.append(one.token)
        }
        return closed
    }
}
