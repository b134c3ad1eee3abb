/// Decides which connections are accepted, by the connections and memory of each account. A value without I/O.
struct ConnectionShares {
    private struct Share {
        var connections = 0
        var bytes = 0
    }

    private let limits: LineServer.Limits
    private var accounts: [LinePeer.Account: Share] = [:]
    /// Reserved connections by process.
    private var reserved: [Int32: Int] = [:]
    private(set) var count = 0
    /// Accounts that hold more memory than allowed.
    private(set) var overdrawn: Set<LinePeer.Account> = []

    init(_ limits: LineServer.Limits) { self.limits = limits }

    enum Place {
        case ordinary, reserved
    }

    /// The place for one more connection, or why the connection is refused.
    /// - Parameters:
    ///   - descriptors: the process's limit of open files.
    ///   - isShort: true if only the spare descriptors are left.
    func place(for peer: LinePeer, isOwner: Bool, descriptors: Int, isShort: Bool) throws(LineProblem) -> Place {
        if !isOwner, accounts[peer.account]?.connections ?? 0 >= limits.connectionsPerAccount {
            throw .tooManyConnectionsOfAccount(peer.account, limit: limits.connectionsPerAccount)
        }
        let affordable = max(descriptors / 2, descriptors - LineServer.Limits.otherDescriptors)
        let reservable = min(LineServer.Limits.reservedConnections, affordable / 4)
        let ordinary = min(limits.connections, affordable - reservable)
        if !isShort, count - reservedCount < ordinary { return .ordinary }
        if isOwner, reservedCount < reservable,
            reserved[peer.process] ?? 0 < LineServer.Limits.reservedConnectionsPerProcess
        {
            return .reserved
        }
        throw .tooManyConnections
    }

    private var reservedCount: Int { reserved.values.reduce(0, +) }

    mutating func open(_ peer: LinePeer, _ place: Place) {
        count += 1
        accounts[peer.account, default: Share()].connections += 1
        if case .reserved = place { reserved[peer.process, default: 0] += 1 }
    }

    /// - Parameter bytes: the last value passed to `holds`.
    mutating func close(_ peer: LinePeer, _ place: Place, bytes: Int) {
        holds(0, before: bytes, peer)
        count -= 1
        if var share = accounts[peer.account] {
            share.connections -= 1
            accounts[peer.account] = share.connections > 0 ? share : nil
        }
        if case .reserved = place, let held = reserved[peer.process] {
            reserved[peer.process] = held > 1 ? held - 1 : nil
        }
    }

    /// Updates the number of bytes that a connection of this peer holds.
    mutating func holds(_ bytes: Int, before: Int, _ peer: LinePeer) {
        if bytes == before { return }
        accounts[peer.account]?.bytes += bytes - before
        if accounts[peer.account]?.bytes ?? 0 > limits.bytesPerAccount {
            overdrawn.insert(peer.account)
        } else {
            overdrawn.remove(peer.account)
        }
    }

    /// Which of an account's connections to close, largest first, so that the others together hold at most half of the
    /// limit: clients that use little memory stay connected.
    func excess(_ held: [(token: UInt64, bytes: Int)]) -> [UInt64] {
        var bytes = held.reduce(0) { $0 + $1.bytes }
        var closed: [UInt64] = []
        for one in held.sorted(by: { $0.bytes > $1.bytes }) where bytes > limits.bytesPerAccount / 2 {
            bytes -= one.bytes
            closed.append(one.token)
        }
        return closed
    }
}
