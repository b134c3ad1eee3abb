public import ControlClient
public import ControlLanguage

/// Where commands go. The handler is called later, or at once if there is no connection.
public protocol CommandSender: AnyObject {
    func send<Called: Command>(
        _ command: Called, handler: @escaping (Result<Called.Reply, ClientFailure>) -> Void)
}
