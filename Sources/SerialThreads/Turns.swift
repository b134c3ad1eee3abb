internal import Synchronization

/// Runs asynchronous work one after another, in the order of the calls, also while the work awaits something. Any thread.
public final class Turns: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    public init() {}

    /// Work must not call `take` of the same object: the work would wait for its own end.
    public func take<Result: Sendable>(_ work: () async throws -> Result) async rethrows -> Result {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken { state.waiting.append(continuation) }
                defer { state.isTaken = true }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
        defer { end() }
        return try await work()
    }

    private func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty { state.isTaken = false }
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.resume()
    }
}
