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

/// A command with the function that answers it, which is called on the server's thread.
public struct AnsweredCommand: Sendable {
    let type: any Command.Type
    /// Reads the request and answers it.
    let answer: @Sendable (JSONValue?, Caller) -> CommandAnswer

    public init<Answered: Command>(_ answer: @escaping @Sendable (Answered, Caller) -> CommandAnswer) {
        type = Answered.self
        self.answer = { params, caller in
            do throws(ControlError) {
                return answer(try Answered(params: params), caller)
            } catch {
                return .error(error)
            }
        }
    }

    /// A function that returns the reply. It must not wait: it reads what others have left ready.
    public static func atOnce<Answered: Command>(
        _ reply: @escaping @Sendable (Answered, Caller) throws(ControlError) -> Answered.Reply
    ) -> AnsweredCommand {
        AnsweredCommand { (request: Answered, caller) in
            do throws(ControlError) { return .reply(try reply(request, caller)) } catch { return .error(error) }
        }
    }

    /// A function that returns the same reply to all callers. It must not wait.
    public static func atOnce<Answered: Command>(
        _ reply: @escaping @Sendable (Answered) throws(ControlError) -> Answered.Reply
    ) -> AnsweredCommand {
        atOnce { (request: Answered, _) throws(ControlError) in try reply(request) }
    }

    /// A function that starts work elsewhere and returns; the work calls the closure that is handed to it once with the
    /// reply, on any thread.
    public static func later<Answered: Command>(
        _ start: @escaping @Sendable (Answered, _ finish: @escaping @Sendable (Answered.Reply) -> Void) -> Void
    ) -> AnsweredCommand {
        AnsweredCommand { (request: Answered, _) in
            .later { completion in start(request) { completion.finish(.success($0.json)) } }
        }
    }

    /// A command that `ControlSession` answers, among those of its section.
    public static func ofConnection<Answered: ConnectionCommand>(_ type: Answered.Type) -> AnsweredCommand {
        AnsweredCommand { (_: Answered, _) in .error(.unknownCommand(Answered.name)) }
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
