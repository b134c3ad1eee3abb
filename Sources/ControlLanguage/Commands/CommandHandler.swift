public import JSON
internal import Synchronization

/// How a handler answers.
public enum CommandAnswer: Sendable {
    /// At once. What the server's thread may do is read what others have left ready: no file, no lock that is held
    /// for long.
    case now(Result<JSONValue, ControlError>)
    /// At once, with a reply whose text is written straight into the connection's buffer.
    case reply(any ReplyObject)
    /// Later: the closure is called on the server's thread at once, starts the work elsewhere and returns; the
    /// work finishes the completion, from any thread.
    case later(@Sendable (CommandCompletion) -> Void)

    /// An answer at once.
    public static func value(_ value: JSONValue) -> CommandAnswer { .now(.success(value)) }
    /// A refusal at once.
    public static func error(_ error: ControlError) -> CommandAnswer { .now(.failure(error)) }
}

/// The right to answer one call, once. Let go without an answer it answers with an internal error, so that no caller
/// waits for ever.
public final class CommandCompletion: Sendable {
    private let isFinished = Atomic(false)
    private let deliver: @Sendable (Result<JSONValue, ControlError>) -> Void

    /// `deliver` is called once, on the thread that finishes.
    public init(_ deliver: @escaping @Sendable (Result<JSONValue, ControlError>) -> Void) { self.deliver = deliver }

    deinit { finish(.failure(ControlError(.internalError, "the command ended without an answer"))) }

    /// Answers the call; further answers are let fall.
    public func finish(_ result: Result<JSONValue, ControlError>) {
        if !isFinished.exchange(true, ordering: .relaxed) { deliver(result) }
    }
}

/// Answers the commands of one section. All methods are called on the server's thread.
public protocol CommandHandler: Sendable {
    /// The section's commands with their functions; read once. A command without a function does not exist.
    var answers: [AnsweredCommand] { get }
    /// A connection that may have called is gone; what was held for it is to be let go. The default does nothing.
    func connectionEnded(_ connection: ConnectionID)
}

extension CommandHandler {
    public func connectionEnded(_ connection: ConnectionID) {}
}
