internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Synchronization

/// The accounts of podcast-sync, and commands that wait for it. Any thread.
final class SyncBoard: Sendable {
    /// A command that waits for the outcomes of its orders.
    private struct Command {
        var waiting: Set<Int>
        var outcomes: [SyncOrders.Outcome] = []
        let done: CheckedContinuation<[SyncOrders.Outcome], any Error>
    }

    private struct State {
        var orders = SyncOrders()
        var commands: [Command] = []
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
        try await withCheckedThrowingContinuation { done in
            do throws(ControlError) {
                let orders = try state.withLock { (state) throws(ControlError) in
                    let orders = try state.orders.add(kind, for: name)
                    state.commands.append(Command(waiting: Set(orders.map(\.number)), done: done))
                    return orders
                }
                for order in orders {
                    clock.schedule(after: Self.beginLimit) { [self] in handle(.beginDue(order.number)) }
                    clock.schedule(after: Self.endLimit) { [self] in handle(.endDue(order.number)) }
                }
                changed()
            } catch { done.resume(throwing: error) }
        }
    }

    private func handle(_ event: SyncOrders.Event) { change { $0.handle(event) } }

    private func change<Failure: Error>(
        _ body: (inout SyncOrders) throws(Failure) -> [SyncOrders.Outcome]
    ) throws(Failure) {
        let (ready, isChanged) = try state.withLock { (state) throws(Failure) in
            let before = state.orders.shown
            for outcome in try body(&state.orders) {
                for index in state.commands.indices
                where state.commands[index].waiting.remove(outcome.number) != nil {
                    state.commands[index].outcomes.append(outcome)
                }
            }
            let ready = state.commands.filter(\.waiting.isEmpty)
            state.commands.removeAll(where: \.waiting.isEmpty)
            return (ready, state.orders.shown != before)
        }
        for command in ready {
            command.done.resume(returning: command.outcomes.sorted { $0.number < $1.number })
        }
        if isChanged { changed() }
    }
}
