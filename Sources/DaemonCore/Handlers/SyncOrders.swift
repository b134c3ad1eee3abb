internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// The accounts that podcast-sync reports and the orders that wait for them. Pure.
///
/// An order waits, begins and has an outcome. Only its own report, its deadline or the end of its account's connection
/// finishes it; an order that failed before it began can no longer begin.
struct SyncOrders {
    /// Result of an order.
    struct Outcome {
        var number: Int
        /// The account as it was last reported.
        var account: SyncAccount
        /// Why the order failed.
        var failure: String?

        /// The account for lists of outcomes.
        var shown: SyncAccount {
            var account = account
            guard let failure else { return account }
            if account.state != .refused { account.state = .failed }
            account.message = failure
            return account
        }
    }

    enum Event {
        /// An order had enough time to begin.
        case beginDue(Int)
        /// An order had enough time to end.
        case endDue(Int)
        case connectionEnded(ConnectionID)
    }

    private struct Order {
        let order: SyncOrder
        var hasBegun = false
        /// Whether the account has begun another order since this one was added.
        var isBehind = false
    }

    private static let mostAccounts = 32
    private static let mostOrders = 100

    private var reported: [String: (account: SyncAccount, connection: ConnectionID)] = [:]
    private var orders: [Order] = []
    private var lastNumber = 0

    /// The accounts and the orders that have not begun, for clients.
    var shown: SyncStatusReply {
        var reply = SyncStatusReply()
        reply.accounts = reported.values.map(\.account).sorted { $0.name < $1.name }
        reply.orders = orders.filter { !$0.hasBegun }.map(\.order)
        return reply
    }

    /// Adds an order for one account, or for each.
    /// - Throws: `conflict` if too many orders wait, and the errors of `requireAccount`; nothing is added then.
    mutating func add(_ kind: SyncOrder.Kind, for name: String? = nil) throws(ControlError) -> [SyncOrder] {
        if let name { try requireAccount(name) }
        let accounts = if let name { [name] } else { try names() }
        if orders.count + accounts.count > Self.mostOrders {
            throw ControlError(.conflict, "\(orders.count) commands wait for podcast-sync", hint: "podcastctl sync")
        }
        return accounts.map { name in
            lastNumber += 1
            let order = SyncOrder(number: lastNumber, kind: kind, account: name)
            orders.append(Order(order: order))
            return order
        }
    }

    /// - Throws: `notFound` if there is no account of this name, and `unavailable` if there are no accounts.
    func requireAccount(_ name: String) throws(ControlError) {
        let names = try names()
        if names.contains(name) { return }
        throw ControlError(.notFound, "no account '\(name)'", hint: "podcast-sync has " + names.joinedText(", "))
    }

    private func names() throws(ControlError) -> [String] {
        if reported.isEmpty {
            throw ControlError(
                .unavailable, "podcast-sync does not run, or sync.conf has no accounts",
                hint: "see podcast-sync(1), in the package podcastd-web")
        }
        return reported.keys.sorted()
    }

    /// Takes the state of an account.
    /// - Parameters:
    ///   - number: an order of the account. It begins if the account is `running`; otherwise it has ended.
    ///   - failure: why the order failed.
    /// - Returns: the order that has ended.
    /// - Throws: `conflict` if another connection owns the account, or if the order can no longer begin; nothing has changed then.
    mutating func report(
        _ account: SyncAccount, order number: Int?, failure: String?, from connection: ConnectionID
    ) throws(ControlError) -> [Outcome] {
        try requireOwner(of: account.name, is: connection)
        let isOrdered = { (order: Order) in order.order.number == number && order.order.account == account.name }
        if number != nil, account.state == .running {
            guard let index = orders.firstIndex(where: { isOrdered($0) && !$0.hasBegun }) else {
                throw ControlError(.conflict, "the order no longer waits")
            }
            orders[index].hasBegun = true
            for other in orders.indices where orders[other].order.account == account.name {
                orders[other].isBehind = true
            }
        }
        reported[account.name] = (account, connection)
        return account.state == .running ? [] : end(where: { isOrdered($0) && $0.hasBegun }, failure)
    }

    /// - Returns: the orders that have ended.
    mutating func handle(_ event: Event) -> [Outcome] {
        switch event {
        case .beginDue(let number):
            return end(
                where: { [reported] in
                    $0.order.number == number && !$0.hasBegun && !$0.isBehind
                        && reported[$0.order.account]?.account.state != .running
                }, "the account does not begin")
        case .endDue(let number):
            return end(where: { $0.order.number == number }, "the account is still running")
        case .connectionEnded(let connection):
            let gone = Set(reported.filter { $0.value.connection == connection }.keys)
            let ended = end(where: { gone.contains($0.order.account) }, "podcast-sync has ended")
            for name in gone { reported[name] = nil }
            return ended
        }
    }

    /// An account belongs to the connection that reported it first, until that ends.
    /// - Throws: `conflict` if the connection cannot report the account.
    func requireOwner(of name: String, is connection: ConnectionID) throws(ControlError) {
        if let owner = reported[name]?.connection {
            if owner == connection { return }
            throw ControlError(
                .conflict, "another program reports the account '\(name)'", hint: "run podcast-sync once only")
        }
        if reported.count >= Self.mostAccounts {
            throw ControlError(
                .conflict, "podcast-sync has \(Self.mostAccounts) accounts, which is the limit",
                hint: "remove some from sync.conf")
        }
    }

    private mutating func end(where isEnded: (Order) -> Bool, _ failure: String?) -> [Outcome] {
        let ended = orders.filter(isEnded)
        orders.removeAll(where: isEnded)
        return ended.map { order in
            var account = SyncAccount()
            account.name = order.order.account
            account = reported[account.name]?.account ?? account
            return Outcome(number: order.order.number, account: account, failure: failure)
        }
    }
}
