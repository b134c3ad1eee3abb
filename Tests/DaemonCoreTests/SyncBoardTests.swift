@testable import ControlLanguage
import ControlProtocol
import PodcastModel
import Synchronization
import TestSupport
import Testing

@testable import DaemonCore

@Suite struct SyncBoardTests {
    /// Timers that a test lets pass.
    private final class Timers: TimerClock {
        private struct Timer: ScheduledTimer {
            func cancel() {}
        }

        private let actions = Mutex<[(delay: Duration, action: @Sendable () -> Void)]>([])

        var now: Instant { Instant(nanoseconds: 0) }
        var count: Int { actions.withLock { $0.count } }

        func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any ScheduledTimer {
            actions.withLock { $0.append((delay, action)) }
            return Timer()
        }

        func pass(_ time: Duration) {
            let due = actions.withLock { $0.filter { $0.delay <= time } }
            for timer in due { timer.action() }
        }
    }

    @Test func anOrderIsAnsweredAfterTenMinutesAlthoughTheAccountStillRuns() async throws {
        let clock = Timers()
        let board = SyncBoard(clock) {}
        var account = SyncAccount()
        (account.name, account.state) = ("server", .running)
        try board.report(account, order: nil, failure: nil, from: ConnectionID(1))
        let order = Task { try await board.order(.synchronize) }
        while clock.count < 2 { await Task.yield() }
        clock.pass(.seconds(599))
        expectEqual(board.orders.shown.orders.map(\.number), [1])
        clock.pass(.seconds(600))
        try await expectEqual(order.value.map(\.failure), ["the account is still running"])
    }
}
