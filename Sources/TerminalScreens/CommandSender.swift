public import ControlClient
public import ControlLanguage

/// Sends commands. It calls the handler when the reply comes, or at once if it has no connection.
public protocol CommandSender: AnyObject {
    func send<Called: Command>(
        _ command: Called, handler: @escaping (Result<Called.Reply, ClientFailure>) -> Void)
}

/// What a command line printed.
public struct CommandLineOutcome: Equatable, Sendable {
    /// Without control characters.
    public var lines: [String]
    public var hasFailed: Bool

    public init(lines: [String], hasFailed: Bool) { (self.lines, self.hasFailed) = (lines, hasFailed) }
}

/// Runs command lines of podcastctl.
public protocol CommandLineRunner: AnyObject {
    /// Calls the handler when the command has ended.
    ///
    /// - Parameter columns: the width for which its tables are laid out.
    func run(_ line: String, columns: Int, handler: @escaping (CommandLineOutcome) -> Void)
}
