internal import ControlClient
internal import ControlLanguage

/// Sends commands. It calls the handler when the reply comes, or at once if it has no connection.
protocol CommandSender: AnyObject {
    func send<Called: Command>(
        _ command: Called, handler: @escaping (Result<Called.Reply, ClientFailure>) -> Void)
}

/// What a command line printed.
struct CommandLineOutcome: Equatable, Sendable {
    /// Without control characters.
    var lines: [String]
    var hasFailed: Bool
}

/// What the end of a line may become.
struct TypedCompletion: Equatable, Sendable {
    /// Characters before the cursor that a candidate replaces.
    var replaced: Int
    /// As they are typed, with quotation marks where they need them.
    var candidates: [String]
}

/// Runs command lines of podcastctl.
protocol CommandLineRunner: AnyObject {
    /// Calls the handler when the command has ended.
    ///
    /// - Parameter columns: the width for which its tables are laid out.
    func run(_ line: String, columns: Int, handler: @escaping (CommandLineOutcome) -> Void)
    /// Calls the handler, at once or later, with what the text up to the cursor may become.
    func complete(_ text: String, handler: @escaping (TypedCompletion) -> Void)
}
