internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Synchronization

/// The accounts of podcast-sync, and commands that wait for it. Any thread.
final class SyncBoard: Sendable {
    private enum Waiter {
        /// The outcome is not needed yet.
        case later
        case waiting(CheckedContinuation<SyncOrders.Outcome, Never>)
        case ended(SyncOrders.Outcome)
    }

    private struct State {
        var orders = SyncOrders()
        /// By the numbers of the orders.
        var waiters: [Int: Waiter] = [:]
    }

    /// An order that its account has not begun by then fails.
    private static let beginLimit = Duration.seconds(10)
    /// Timeout of the answer. The synchronization itself continues.
    private static let endLimit = Duration.seconds(600)

    private let state = Mutex(State())
    private let clock: any TimerClock
    private let changed: @Sendable () -> Void

    /// - Parameter changed: called after each change, on any thread.
    init(_ clock: any TimerClock, changed: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.changed = changed
    }

    var status: SyncStatusReply {
        state.withLock(\.orders.shown)
    }

    /// - Throws: `conflict`, see `SyncOrders.report`.
    func report(
        _ account: SyncAccount, order: Int?, failure: String?, from connection: ConnectionID
    ) throws(ControlError) {
        try change { (orders) throws(ControlError) in
            try orders.report(account, order: order, failure: failure, from: connection)
        }
    }

    func connectionEnded(_ connection: ConnectionID) { handle(.connectionEnded(connection)) }

    /// - Throws: see `SyncOrders.requireAccount`.
    func requireAccount(_ name: String) throws(ControlError) {
        try state.withLock { (state) throws(ControlError) in try state.orders.requireAccount(name) }
    }

    /// - Throws: see `SyncOrders.requireOwner`.
    func requireOwner(of name: String, is connection: ConnectionID) throws(ControlError) {
        try state.withLock { (state) throws(ControlError) in
            try state.orders.requireOwner(of: name, is: connection)
        }
    }

    /// Gives one account an order, or each, and waits for the outcomes.
    /// - Throws: see `SyncOrders.add`.
    func order(_ kind: SyncOrder.Kind, of name: String? = nil) async throws -> [SyncOrders.Outcome] {
        let orders = try state.withLock { (state) throws(ControlError) in
            let orders = try state.orders.add(kind, for: name)
            for order in orders { state.waiters[order.number] = .later }
            return orders
        }
        for order in orders {
            clock.schedule(after: Self.beginLimit) { [self] in handle(.beginDue(order.number)) }
            clock.schedule(after: Self.endLimit) { [self] in handle(.endDue(order.number)) }
        }
        changed()
        var outcomes: [SyncOrders.Outcome] = []
        for order in orders { outcomes.append(await outcome(of: order.number)) }
        return outcomes
    }

    private func outcome(of number: Int) async -> SyncOrders.Outcome {
        await withCheckedContinuation { done in
            let ended: SyncOrders.Outcome? = state.withLock { state in
                if case .ended(let outcome) = state.waiters[number] {
                    state.waiters[number] = nil
                    return outcome
                }
                state.waiters[number] = .waiting(done)
                return nil
            }
            if let ended { done.resume(returning: ended) }
        }
    }

    private func handle(_ event: SyncOrders.Event) { change { $0.handle(event) } }

    private func change<Failure: Error>(
        _ body: (inout SyncOrders) throws(Failure) -> [SyncOrders.Outcome]
    ) throws(Failure) {
        let (ready, isChanged) = try state.withLock { (state) throws(Failure) in
            let before = state.orders.shown
            var ready: [(done: CheckedContinuation<SyncOrders.Outcome, Never>, outcome: SyncOrders.Outcome)] = []
            for outcome in try body(&state.orders) {
                if case .waiting(let done) = state.waiters[outcome.number] {
                    state.waiters[outcome.number] = nil
                    ready.append((done, outcome))
                } else {
                    state.waiters[outcome.number] = .ended(outcome)
                }
            }
            return (ready, state.orders.shown != before)
        }
        for (done, outcome) in ready { done.resume(returning: outcome) }
        if isChanged { changed() }
    }
}
