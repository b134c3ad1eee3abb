internal import JSON

/// A reply or JSON, or why there is none.
public typealias CommandResult = Result<any WireValue & Sendable, ControlError>

/// How a handler answers.
public enum CommandAnswer: Sendable {
    /// An immediate answer. On the server's thread a handler may only read values that other threads have published: no
    /// files, no lock that is held for long.
    case now(CommandResult)
    /// The closure is called at once on the server's thread and starts work elsewhere. The work calls `finish` exactly once,
    /// from any thread.
    case later(@Sendable (_ finish: @escaping @Sendable (CommandResult) -> Void) -> Void)

    public static func value(_ value: any WireValue & Sendable) -> CommandAnswer { .now(.success(value)) }
    public static func error(_ error: ControlError) -> CommandAnswer { .now(.failure(error)) }
}

/// A command with the function that answers the command on the server's thread.
public struct AnsweredCommand: Sendable {
    let type: any Command.Type
    let answer: @Sendable (JSONValue?, Caller) throws(ControlError) -> CommandAnswer

    public init<Answered: Command>(
        _ answer: @escaping @Sendable (Answered, Caller) throws(ControlError) -> CommandAnswer
    ) {
        type = Answered.self
        self.answer = { params, caller throws(ControlError) in try answer(Answered(params: params), caller) }
    }

    /// `reply` must not block: it may only read values that other threads have published.
    public static func atOnce<Answered: Command>(
        _ reply: @escaping @Sendable (Answered, Caller) throws(ControlError) -> Answered.Reply
    ) -> AnsweredCommand {
        AnsweredCommand { (request: Answered, caller) throws(ControlError) in .value(try reply(request, caller)) }
    }

    /// `reply` returns the same value to all callers and must not block.
    public static func atOnce<Answered: Command>(
        _ reply: @escaping @Sendable (Answered) throws(ControlError) -> Answered.Reply
    ) -> AnsweredCommand {
        atOnce { (request: Answered, _) throws(ControlError) in try reply(request) }
    }

    /// A command that `ControlSession` answers, which does not call the function here; listed with its section.
    public static func ofConnection<Answered: ConnectionCommand>(_ type: Answered.Type) -> AnsweredCommand {
        AnsweredCommand { (_: Answered, _) in .value(EmptyReply()) }
    }
}
