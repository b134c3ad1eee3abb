internal import SerialThreads
internal import Synchronization

/// The lookups with which `play` begins and which may take long, so that `stop` can end them.
final class PlayLookups: Sendable {
    private struct State {
        var lastID: UInt64 = 0
        var endings: [UInt64: @Sendable () -> Void] = [:]
    }

    private let decisions: DecisionThread
    private let state = Mutex(State())

    init(decisions: DecisionThread) { self.decisions = decisions }

    /// Does work that `end` cancels.
    /// - Throws: what the work throws, or `CancellationError` as soon as `end` is called, whatever the work waits for.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        defer { state.withLock { _ = $0.endings.removeValue(forKey: id) } }
        let answer = FirstAnswer<Result<Value, any Error>>()
        let task = Task(executorPreference: decisions) {
            do { answer.give(.success(try await work())) } catch { answer.give(.failure(error)) }
        }
        state.withLock { state in
            state.endings[id] = {
                task.cancel()
                answer.give(.failure(CancellationError()))
            }
        }
        return try await answer.value.get()
    }

    func end() {
        for ending in state.withLock({ Array($0.endings.values) }) { ending() }
    }
}
