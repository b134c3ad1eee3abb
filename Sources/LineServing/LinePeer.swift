public import SystemCalls

/// The other end of a connection.
public enum LinePeer: Equatable, Sendable {
    /// A process on this machine, as the kernel reports it for Unix sockets; see unix(7).
    case local(LocalSocket.Credentials, groups: [UInt32])

    /// Connections with the same account share the limits of connections and memory. Listeners for other kinds of sockets
    /// add a case for their addresses.
    public enum Account: Hashable, Sendable, CustomStringConvertible {
        case user(UInt32)

        /// For messages: `user 1000`.
        public var description: String {
            switch self {
            case .user(let user): "user \(user)"
            }
        }
    }

    var account: Account {
        switch self {
        case .local(let credentials, _): .user(credentials.user)
        }
    }

    var process: Int32 {
        switch self {
        case .local(let credentials, _): credentials.process
        }
    }
}
