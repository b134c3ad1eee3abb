internal import JSON

/// What answers one command: a function from its request to its reply. It is called on the server's thread.
public struct CommandFunction<Answered>: Sendable {
    public let answer: @Sendable (Answered, Caller) -> CommandAnswer

    public init(_ answer: @escaping @Sendable (Answered, Caller) -> CommandAnswer) { self.answer = answer }
}

extension CommandFunction where Answered: Command {
    /// A function that returns the reply. It must not wait: it reads what others have left ready.
    public static func atOnce(
        _ reply: @escaping @Sendable (Answered, Caller) throws(ControlError) -> Answered.Reply
    ) -> CommandFunction {
        CommandFunction { request, caller in
            do throws(ControlError) { return .reply(try reply(request, caller)) } catch { return .error(error) }
        }
    }

    /// A function that returns the same reply to all callers. It must not wait.
    public static func atOnce(
        _ reply: @escaping @Sendable (Answered) throws(ControlError) -> Answered.Reply
    ) -> CommandFunction {
        atOnce { request, _ throws(ControlError) in try reply(request) }
    }

    /// A function that starts work elsewhere and returns; the work calls the closure that is handed to it once with the
    /// reply, on any thread.
    public static func later(
        _ start: @escaping @Sendable (Answered, _ finish: @escaping @Sendable (Answered.Reply) -> Void) -> Void
    ) -> CommandFunction {
        CommandFunction { request, _ in
            .later { completion in start(request) { completion.finish(.success($0.json)) } }
        }
    }
}

extension CommandFunction where Answered: ConnectionCommand {
    /// The place of a function in the list of a section: `ControlSession` answers the command.
    public static var ofConnection: CommandFunction {
        CommandFunction { _, _ in .error(.unknownCommand(Answered.name)) }
    }
}

/// A command and its function, for the dispatcher.
public struct AnsweredCommand: Sendable {
    let type: any Command.Type
    /// Reads the request and answers it.
    let answer: @Sendable (JSONValue?, Caller) -> CommandAnswer

    public init<C: Command>(_ function: CommandFunction<C>) {
        type = C.self
        answer = { params, caller in
            do throws(ControlError) {
                return function.answer(try C(params: params), caller)
            } catch {
                return .error(error)
            }
        }
    }
}
