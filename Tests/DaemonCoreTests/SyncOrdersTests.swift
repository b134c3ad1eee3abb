import ControlLanguage
import ControlProtocol
import PodcastModel
import Testing

@testable import DaemonCore

struct SyncOrdersTests {
    private static let connections = ["home": ConnectionID(1), "kitchen": ConnectionID(2)]
    private let other = ConnectionID(3)
    private var orders = SyncOrders()

    /// podcast-sync with the accounts home and kitchen.
    init() throws {
        for name in ["home", "kitchen"] { try report(name, .idle) }
    }

    /// - Parameter connection: nil for the account's own.
    @discardableResult
    private mutating func report(
        _ name: String, _ state: SyncAccount.State, _ order: SyncOrder? = nil, failure: String? = nil,
        from connection: ConnectionID? = nil
    ) throws -> [SyncOrders.Outcome] {
        var account = SyncAccount()
        account.name = name
        account.state = state
        return try orders.report(
            account, order: order?.number, failure: failure,
            from: connection ?? Self.connections[name] ?? ConnectionID(1))
    }

    private mutating func add(_ kind: SyncOrder.Kind, for name: String) throws -> SyncOrder {
        try orders.add(kind, for: name)[0]
    }

    @Test mutating func eachOrderHasItsOwnOutcome() throws {
        let first = try orders.add(.synchronize)
        let handOver = try add(.handOver, for: "kitchen")
        let trial = try orders.add(.dryRun)
        #expect(orders.shown.orders == first + [handOver] + trial)

        try report("kitchen", .running, trial[1])
        try #expect(report("kitchen", .idle, trial[1]).map(\.number) == [trial[1].number])

        try report("kitchen", .running, handOver)
        let failed = try report("kitchen", .idle, handOver, failure: "no")
        #expect(failed.map(\.number) == [handOver.number] && failed.map(\.failure) == ["no"])
        #expect(failed[0].shown.state == .failed && failed[0].shown.message == "no")
        #expect(orders.shown.orders.map(\.number) == [first[0].number, first[1].number, trial[0].number])
    }

    @Test mutating func anOrderAfterAHandOverEndsOnlyItself() throws {
        let handOver = try add(.handOver, for: "home")
        try report("home", .running, handOver)
        let next = try add(.synchronize, for: "home")
        let last = try add(.handOver, for: "home")
        #expect([next.number, last.number] == [handOver.number + 1, handOver.number + 2])
        try #expect(report("home", .idle, handOver).map(\.number) == [handOver.number])
        try report("home", .running, next)
        // The hand-over is reported once more.
        try #expect(report("home", .idle, handOver).isEmpty)
        try #expect(report("home", .idle, next).map(\.number) == [next.number])
        #expect(orders.shown.orders == [last])
    }

    @Test mutating func aStateWithoutANumberEndsNoOrder() throws {
        let order = try add(.synchronize, for: "home")
        try #expect(report("home", .idle).isEmpty)
        // The number of an order that has not begun.
        try #expect(report("home", .idle, order).isEmpty)
        #expect(orders.shown.orders == [order])
    }

    @Test mutating func anOrderThatDidNotBeginInTimeCannotBegin() throws {
        let order = try add(.handOver, for: "kitchen")
        #expect(orders.handle(.beginDue(order.number)).map(\.failure) == ["the account does not begin"])
        #expect(throws: ControlError.self) { try report("kitchen", .running, order) }
    }

    @Test mutating func anAccountThatRunsBeginsLater() throws {
        try report("home", .running)
        let order = try add(.synchronize, for: "home")
        #expect(orders.handle(.beginDue(order.number)).isEmpty)
        #expect(orders.handle(.endDue(order.number)).map(\.failure) == ["the account is still running"])
        #expect(orders.shown.orders.isEmpty)
    }

    @Test mutating func anAccountBetweenTwoOrdersBeginsTheNextLater() throws {
        let first = try add(.synchronize, for: "home")
        let next = try add(.handOver, for: "home")
        try report("home", .running, first)
        try report("home", .idle, first)
        #expect(orders.handle(.beginDue(next.number)).isEmpty)
        #expect(orders.shown.orders == [next])
    }

    @Test mutating func anOrderBeginsOnce() throws {
        let order = try add(.handOver, for: "home")
        try report("home", .running, order)
        #expect(throws: ControlError.self) { try report("home", .running, order) }
    }

    @Test mutating func theEndOfPodcastSyncFailsItsOrders() throws {
        _ = try orders.add(.synchronize)
        let ended = orders.handle(.connectionEnded(ConnectionID(1)))
        #expect(ended.map(\.account.name) == ["home"] && ended.map(\.failure) == ["podcast-sync has ended"])
        #expect(orders.shown.accounts.map(\.name) == ["kitchen"])
        #expect(orders.handle(.connectionEnded(other)).isEmpty)
    }

    @Test mutating func anAccountBelongsToOneConnection() throws {
        let order = try add(.synchronize, for: "home")
        for given in [nil, order] {
            #expect(throws: ControlError.self) { try report("home", .running, given, from: other) }
        }
        _ = orders.handle(.connectionEnded(ConnectionID(1)))
        try report("home", .idle, from: other)
    }

    @Test mutating func accountsAndOrdersAreBounded() throws {
        orders = SyncOrders()
        #expect(throws: ControlError.self) { try orders.add(.synchronize) }
        var names = 0
        #expect(throws: ControlError.self) {
            while names < 1_000 {
                try report("account-\(names)", .idle)
                names += 1
            }
        }
        #expect(names == 32)
        #expect(throws: ControlError.self) { for _ in 0..<1_000 { _ = try orders.add(.synchronize) } }
        #expect(orders.shown.orders.count <= 100)
        #expect(throws: ControlError.self) { try add(.handOver, for: "cellar") }
    }
}
