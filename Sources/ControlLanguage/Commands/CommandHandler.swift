internal import JSON
internal import Synchronization

/// A reply or JSON, or why there is none.
public typealias CommandResult = Result<any WireValue & Sendable, ControlError>

/// How a handler answers.
public enum CommandAnswer: Sendable {
    /// An immediate answer. On the server's thread a handler may only read values that other threads have published: no
    /// files, no lock that is held for long.
    case now(CommandResult)
    /// A later answer: the closure is called at once on the server's thread, starts work elsewhere and returns. The
    /// work finishes the completion from any thread.
    case later(@Sendable (CommandCompletion) -> Void)

    public static func value(_ value: any WireValue & Sendable) -> CommandAnswer { .now(.success(value)) }
    public static func error(_ error: ControlError) -> CommandAnswer { .now(.failure(error)) }
}

/// The right to answer one call, once. `deinit` without an answer answers with an internal error.
public final class CommandCompletion: Sendable {
    private let isFinished = Atomic(false)
    private let deliver: @Sendable (CommandResult) -> Void

    /// `deliver` is called once, on the thread that finishes.
    init(_ deliver: @escaping @Sendable (CommandResult) -> Void) { self.deliver = deliver }

    deinit { finish(.failure(ControlError(.internalError, "the command ended without an answer"))) }

    /// Answers the call; further answers are discarded.
    public func finish(_ result: CommandResult) {
        if !isFinished.exchange(true, ordering: .relaxed) { deliver(result) }
    }
}

/// A command with the function that answers the command on the server's thread.
public struct AnsweredCommand: Sendable {
    let type: any Command.Type
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

    /// `reply` must not block: it may only read values that other threads have published.
    public static func atOnce<Answered: Command>(
        _ reply: @escaping @Sendable (Answered, Caller) throws(ControlError) -> Answered.Reply
    ) -> AnsweredCommand {
        AnsweredCommand { (request: Answered, caller) in
            do throws(ControlError) { return .value(try reply(request, caller)) } catch { return .error(error) }
        }
    }

    /// `reply` returns the same value to all callers and must not block.
    public static func atOnce<Answered: Command>(
        _ reply: @escaping @Sendable (Answered) throws(ControlError) -> Answered.Reply
    ) -> AnsweredCommand {
        atOnce { (request: Answered, _) throws(ControlError) in try reply(request) }
    }

    /// `start` begins work elsewhere and returns. The work calls `finish` once with the reply, from any thread.
    public static func later<Answered: Command>(
        _ start: @escaping @Sendable (Answered, _ finish: @escaping @Sendable (Answered.Reply) -> Void) -> Void
    ) -> AnsweredCommand {
        AnsweredCommand { (request: Answered, _) in
            .later { completion in start(request) { completion.finish(.success($0.json)) } }
        }
    }

    /// A command that `ControlSession` answers; listed with its section.
    public static func ofConnection<Answered: ConnectionCommand>(_ type: Answered.Type) -> AnsweredCommand {
        AnsweredCommand { (_: Answered, _) in .error(.unknownCommand(Answered.name)) }
    }
}
