import ControlLanguage
import ControlProtocol
import PodcastModel
import Testing

@testable import DaemonCore

struct SyncOrdersTests {
    private let home = ConnectionID(1)
    private let kitchen = ConnectionID(2)
    private let other = ConnectionID(3)

    private func account(_ name: String, _ state: SyncAccount.State) -> SyncAccount {
        var account = SyncAccount()
        account.name = name
        account.state = state
        return account
    }

    /// podcast-sync with the accounts home and kitchen.
    private func orders() throws -> SyncOrders {
        var orders = SyncOrders()
        _ = try orders.report(account("home", .idle), order: nil, failure: nil, from: home)
        _ = try orders.report(account("kitchen", .idle), order: nil, failure: nil, from: kitchen)
        return orders
    }

    @Test func eachOrderHasItsOwnOutcome() throws {
        var orders = try orders()
        let first = try orders.add(.synchronize)
        let handOver = try orders.add(.handOver, for: "kitchen")[0]
        let trial = try orders.add(.dryRun)
        #expect(orders.shown.orders == first + [handOver] + trial)

        _ = try orders.report(account("kitchen", .running), order: trial[1].number, failure: nil, from: kitchen)
        let ended = try orders.report(account("kitchen", .idle), order: trial[1].number, failure: nil, from: kitchen)
        #expect(ended.map(\.number) == [trial[1].number])

        _ = try orders.report(account("kitchen", .running), order: handOver.number, failure: nil, from: kitchen)
        let failed = try orders.report(account("kitchen", .idle), order: handOver.number, failure: "no", from: kitchen)
        #expect(failed.map(\.number) == [handOver.number] && failed.map(\.failure) == ["no"])
        #expect(failed[0].shown.state == .failed && failed[0].shown.message == "no")
        #expect(orders.shown.orders.map(\.number) == [first[0].number, first[1].number, trial[0].number])
    }

    @Test func aStateWithoutANumberEndsNoOrder() throws {
        var orders = try orders()
        let order = try orders.add(.synchronize, for: "home")[0]
        #expect(try orders.report(account("home", .idle), order: nil, failure: nil, from: home).isEmpty)
        // The number of an order that has not begun.
        #expect(try orders.report(account("home", .idle), order: order.number, failure: nil, from: home).isEmpty)
        #expect(orders.shown.orders == [order])
    }

    @Test func anOrderThatDidNotBeginInTimeCannotBegin() throws {
        var orders = try orders()
        let order = try orders.add(.handOver, for: "kitchen")[0]
        #expect(orders.handle(.beginDue(order.number)).map(\.failure) == ["the account does not begin"])
        #expect(throws: ControlError.self) {
            try orders.report(account("kitchen", .running), order: order.number, failure: nil, from: kitchen)
        }
    }

    @Test func anAccountThatRunsBeginsLater() throws {
        var orders = try orders()
        _ = try orders.report(account("home", .running), order: nil, failure: nil, from: home)
        let order = try orders.add(.synchronize, for: "home")[0]
        #expect(orders.handle(.beginDue(order.number)).isEmpty)
        #expect(orders.handle(.endDue(order.number)).map(\.failure) == ["the account is still running"])
        #expect(orders.shown.orders.isEmpty)
    }

    @Test func anAccountBetweenTwoOrdersBeginsTheNextLater() throws {
        var orders = try orders()
        let first = try orders.add(.synchronize, for: "home")[0]
        let next = try orders.add(.handOver, for: "home")[0]
        _ = try orders.report(account("home", .running), order: first.number, failure: nil, from: home)
        _ = try orders.report(account("home", .idle), order: first.number, failure: nil, from: home)
        #expect(orders.handle(.beginDue(next.number)).isEmpty)
        #expect(orders.shown.orders == [next])
    }

    @Test func anOrderBeginsOnce() throws {
        var orders = try orders()
        let order = try orders.add(.handOver, for: "home")[0]
        _ = try orders.report(account("home", .running), order: order.number, failure: nil, from: home)
        #expect(throws: ControlError.self) {
            try orders.report(account("home", .running), order: order.number, failure: nil, from: home)
        }
    }

    @Test func theEndOfPodcastSyncFailsItsOrders() throws {
        var orders = try orders()
        _ = try orders.add(.synchronize)
        let ended = orders.handle(.connectionEnded(home))
        #expect(ended.map(\.account.name) == ["home"] && ended.map(\.failure) == ["podcast-sync has ended"])
        #expect(orders.shown.accounts.map(\.name) == ["kitchen"])
        #expect(orders.handle(.connectionEnded(other)).isEmpty)
    }

    @Test func anAccountBelongsToOneConnection() throws {
        var orders = try orders()
        let order = try orders.add(.synchronize, for: "home")[0]
        for number in [nil, order.number] {
            #expect(throws: ControlError.self) {
                try orders.report(account("home", .running), order: number, failure: nil, from: other)
            }
        }
        _ = orders.handle(.connectionEnded(home))
        _ = try orders.report(account("home", .idle), order: nil, failure: nil, from: other)
    }

    @Test func accountsAndOrdersAreBounded() throws {
        var orders = SyncOrders()
        #expect(throws: ControlError.self) { try orders.add(.synchronize) }
        var names = 0
        #expect(throws: ControlError.self) {
            while names < 1_000 {
                _ = try orders.report(account("account-\(names)", .idle), order: nil, failure: nil, from: home)
                names += 1
            }
        }
        #expect(names == 32)
        #expect(throws: ControlError.self) { for _ in 0..<1_000 { _ = try orders.add(.synchronize) } }
        #expect(orders.shown.orders.count <= 100)
        #expect(throws: ControlError.self) { try orders.add(.handOver, for: "cellar")[0] }
    }
}
