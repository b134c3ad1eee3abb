public import ControlClient
public import ControlLanguage

/// Sends commands. It calls the handler when the reply comes, or at once if it has no connection.
public protocol CommandSender: AnyObject {
    func send<Called: Command>(
        _ command: Called, handler: @escaping (Result<Called.Reply, ClientFailure>) -> Void)
}
