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

/// What the end of a line may become.
public struct TypedCompletion: Equatable, Sendable {
    /// Characters before the cursor that a candidate replaces.
    public var replaced: Int
    /// As they are typed, with quotation marks where they need them.
    public var candidates: [String]

    public init(replaced: Int, candidates: [String]) { (self.replaced, self.candidates) = (replaced, candidates) }
}

/// Runs command lines of podcastctl.
public protocol CommandLineRunner: AnyObject {
    /// Calls the handler when the command has ended.
    ///
    /// - Parameter columns: the width for which its tables are laid out.
    func run(_ line: String, columns: Int, handler: @escaping (CommandLineOutcome) -> Void)
    /// Calls the handler, at once or later, with what the text up to the cursor may become.
    func complete(_ text: String, handler: @escaping (TypedCompletion) -> Void)
}
