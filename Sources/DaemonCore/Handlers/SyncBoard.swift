internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Synchronization

/// The accounts of podcast-sync as podcast-sync reports them, and what the listener ordered. Any thread.
final class SyncBoard: Sendable {
    private struct Order {
        let number: Int
        var missing: Set<String>
        /// Why an account failed.
        var failure: String?
        let done: CheckedContinuation<String?, any Error>
    }

    private struct State {
        /// By name, with the connection that reported it.
        var accounts: [String: (account: SyncAccount, connection: ConnectionID)] = [:]
        var number = 0
        var isTrial = false
        var handOver: String?
        var orders: [Order] = []
    }

    /// An account that has not begun by then does not hold an order up.
    private static let limit = Duration.seconds(10)
    /// Timeout of the answer. The synchronization itself continues.
    private static let longest = Duration.seconds(600)

    private let state = Mutex(State())
    private let clock: any TimerClock
    private let changed: @Sendable () -> Void

    /// - Parameter changed: called after each change, on any thread.
    init(_ clock: any TimerClock, changed: @escaping @Sendable () -> Void) {
        (self.clock, self.changed) = (clock, changed)
    }

    var status: SyncStatusReply {
        state.withLock { state in
            var reply = SyncStatusReply()
            reply.accounts = state.accounts.values.map(\.account).sorted { $0.name < $1.name }
            (reply.order, reply.isTrial, reply.handOver) = (state.number, state.isTrial, state.handOver)
            return reply
        }
    }

    /// - Parameter order: the order that is done with it.
    func report(_ account: SyncAccount, order: Int?, from connection: ConnectionID) {
        let done = state.withLock { state in
            state.accounts[account.name] = (account, connection)
            guard let order else { return [Order]() }
            let failure = [.failed, .refused].contains(account.state) ? account.message : nil
            return finish(&state, failure: failure) { $0 == account.name && $1 <= order }
        }
        resume(done)
    }

    /// - Throws: `notFound` if podcast-sync has accounts, but none of this name.
    func require(_ name: String) throws(ControlError) {
        let accounts = status.accounts.map(\.name)
        if accounts.isEmpty || accounts.contains(name) { return }
        throw ControlError(
            .notFound, "no account '\(name)'", hint: "podcast-sync has " + accounts.joined(separator: ", "))
    }

    /// Orders a synchronization, and waits until it is done.
    /// - Parameter name: the account that playback must move to instead.
    /// - Returns: why an account failed.
    /// - Throws: `unavailable` if podcast-sync does not run or has no accounts.
    func order(isTrial: Bool = false, handOver name: String? = nil) async throws -> String? {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<String?, any Error>) in
            let number: Int? = state.withLock { state in
                if state.accounts.isEmpty { return nil }
                state.number += 1
                (state.isTrial, state.handOver) = (isTrial, name)
                state.orders.append(
                    Order(number: state.number, missing: name.map { [$0] } ?? Set(state.accounts.keys), done: done))
                return state.number
            }
            if let number {
                clock.schedule(after: Self.limit) { [self] in
                    let done = state.withLock { state in
                        let silent = state.accounts.filter { $0.value.account.state != .running }.keys
                        return finish(&state, failure: "the account does not begin") {
                            $1 <= number && silent.contains($0)
                        }
                    }
                    resume(done)
                }
                clock.schedule(after: Self.longest) { [self] in
                    resume(state.withLock { finish(&$0, failure: "the account still runs") { $1 <= number } })
                }
                return changed()
            }
            done.resume(
                throwing: ControlError(
                    .unavailable, "podcast-sync does not run, or sync.conf has no accounts",
                    hint: "see podcast-sync(1)"))
        }
    }

    func connectionEnded(_ connection: ConnectionID) {
        let done = state.withLock { state in
            let gone = Set(state.accounts.filter { $0.value.connection == connection }.keys)
            if gone.isEmpty { return nil as [Order]? }
            for name in gone { state.accounts[name] = nil }
            return finish(&state) { name, _ in gone.contains(name) }
        }
        if let done { resume(done) }
    }

    private func resume(_ orders: [Order]) {
        for order in orders { order.done.resume(returning: order.failure) }
        changed()
    }

    /// Removes accounts from orders. Returns the orders that no longer wait for an account.
    private func finish(_ state: inout State, failure: String? = nil, _ isDone: (String, Int) -> Bool) -> [Order] {
        for index in state.orders.indices {
            let number = state.orders[index].number
            let missing = state.orders[index].missing.filter { !isDone($0, number) }
            if missing != state.orders[index].missing, let failure { state.orders[index].failure = failure }
            state.orders[index].missing = missing
        }
        let done = state.orders.filter(\.missing.isEmpty)
        state.orders.removeAll(where: \.missing.isEmpty)
        return done
    }
}
