public import SystemCalls

/// The other end of a connection.
public enum LinePeer: Equatable, Sendable {
    /// A process on this machine, as the kernel reports it for Unix sockets; see unix(7).
    case local(LocalSocket.Credentials, groups: [UInt32])
    /// A numeric IPv4 or IPv6 address.
    case network(address: String)

    /// Connections with the same account share the limits of connections and memory.
    public enum Account: Hashable, Sendable, CustomStringConvertible {
        case user(UInt32)
        case address(String)

        /// For messages: `user 1000`, `192.0.2.7`.
        public var description: String {
            switch self {
            case .user(let user): "user \(user)"
            case .address(let address): address
            }
        }
    }

    var account: Account {
        switch self {
        case .local(let credentials, _): .user(credentials.user)
        case .network(let address): .address(address)
        }
    }

    /// 0 if unknown.
    var process: Int32 {
        switch self {
        case .local(let credentials, _): credentials.process
        case .network: 0
        }
    }
}
