internal import ControlLanguage
internal import SerialThreads

extension DecisionThread {
    /// Answers with what the work on this thread returns or throws.
    func later(_ work: @escaping @Sendable () async throws -> any ReplyObject) -> CommandAnswer {
        .later { completion in
            self.start {
                do {
                    completion.finish(.success(try await work().answer))
                } catch {
                    completion.finish(.failure(ControlError(reporting: error)))
                }
            }
        }
    }

    /// Answers a command with what the work on this thread returns or throws.
    func answer<Answered: Command>(
        _ work: @escaping @Sendable (Answered) async throws -> Answered.Reply
    ) -> AnsweredCommand {
        AnsweredCommand { (request: Answered, _) in self.later { try await work(request) } }
    }

    /// Answers a command of a caller with what the work on this thread returns or throws.
    ///
    /// - Parameter begin: is called first, on the server's thread, in order with the end of the connection; it must not
    ///   wait.
    func answer<Answered: Command>(
        beginning begin: @escaping @Sendable (Answered, Caller) throws(ControlError) -> Void = { _, _ in },
        _ work: @escaping @Sendable (Answered, Caller) async throws -> Answered.Reply
    ) -> AnsweredCommand {
        AnsweredCommand { (request: Answered, caller) in
            do throws(ControlError) { try begin(request, caller) } catch { return .error(error) }
            return self.later { try await work(request, caller) }
        }
    }
}
