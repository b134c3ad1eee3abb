public import ControlClient
public import ControlLanguage
public import JSON

extension ControlConnection {
    /// Calls a command with at most the permission of a gateway's client. The daemon removes from the reply what the client may not see.
    @discardableResult
    public func send(
        method: String, params: JSONValue?, as permission: CommandDeclaration.Permission,
        handler: @escaping (Result<JSONValue, ClientFailure>) -> Void
    ) -> Ticket {
        let wrapped = CallAs {
            $0.permission = permission
            $0.method = method
            $0.parameters = params
        }
        return send(method: CallAs.name, params: wrapped.params, handler: handler)
    }

    /// Whether the daemon's state is known, or no daemon runs.
    ///
    /// - Parameter hasState: whether an open connection has brought the state.
    public func isSettled(_ hasState: Bool) -> Bool {
        switch state {
        case .open: hasState
        case .connecting, .greeting: false
        case .closed, .waiting, .failed: true
        }
    }
}

extension ClientFailure {
    /// One line for a gateway's clients.
    public var text: String {
        switch self {
        case .notRunning, .closed: "podcastd is not running"
        case .refused, .forbidden, .timedOut, .protocolFault, .system: message
        }
    }
}
