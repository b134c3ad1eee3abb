internal import ControlProtocol
internal import SerialThreads
internal import WireMapping

extension DecisionThread {
    /// Answers with what the work returns or throws.
    func answer<Reply: ReplyObject>(_ work: @escaping @Sendable () async throws -> Reply) -> CommandAnswer {
        .later { completion in
            self.start {
                do {
                    completion.finish(.success(try await work().json))
                } catch {
                    completion.finish(.failure(ControlError(reporting: error)))
                }
            }
        }
    }
}
