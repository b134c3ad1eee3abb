internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Synchronization

/// The accounts of podcast-sync, and commands that wait for it. Any thread.
final class SyncBoard: Sendable {
    private struct State {
        var orders = SyncOrders()
        /// The commands that wait for outcomes, by the numbers of their orders.
        var commands: [Int: AsyncStream<SyncOrders.Outcome>.Continuation] = [:]
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

    var orders: SyncOrders { state.withLock(\.orders) }

    /// - Throws: `conflict`, see `SyncOrders.report`.
    func report(
        _ account: SyncAccount, order: Int?, failure: String?, from connection: ConnectionID
    ) throws(ControlError) {
        try change { (orders) throws(ControlError) in
            try orders.report(account, order: order, failure: failure, from: connection)
        }
    }

    func connectionEnded(_ connection: ConnectionID) { handle(.connectionEnded(connection)) }

    /// Gives one account an order, or each, and waits for the outcomes.
    /// - Throws: see `SyncOrders.add`.
    func order(_ kind: SyncOrder.Kind, of name: String? = nil) async throws -> [SyncOrders.Outcome] {
        let (ended, command) = AsyncStream.makeStream(of: SyncOrders.Outcome.self)
        let orders = try state.withLock { state in
            let orders = try state.orders.add(kind, for: name)
            for order in orders { state.commands[order.number] = command }
            return orders
        }
        for order in orders {
            clock.schedule(after: Self.beginLimit) { [self] in handle(.beginDue(order.number)) }
            clock.schedule(after: Self.endLimit) { [self] in handle(.endDue(order.number)) }
        }
        changed()
        var outcomes: [SyncOrders.Outcome] = []
        for await outcome in ended.prefix(orders.count) { outcomes.append(outcome) }
        return outcomes.sorted { $0.number < $1.number }
    }

    private func handle(_ event: SyncOrders.Event) { change { $0.handle(event) } }

    private func change<Failure: Error>(
        _ body: (inout SyncOrders) throws(Failure) -> [SyncOrders.Outcome]
    ) throws(Failure) {
        let isChanged = try state.withLock { (state) throws(Failure) in
            let before = state.orders.shown
            for outcome in try body(&state.orders) {
                state.commands.removeValue(forKey: outcome.number)?.yield(outcome)
            }
            return state.orders.shown != before
        }
        if isChanged { changed() }
    }
}
