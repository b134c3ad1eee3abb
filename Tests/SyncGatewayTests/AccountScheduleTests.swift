import Configuration
import JSON
import PodcastModel
import SystemCalls
import TestSupport
import Testing

@testable import SyncGateway

struct AccountScheduleTests {
    private let start = Instant.now

    private func schedule(isQuick: Bool = false) -> AccountSchedule {
        var schedule = AccountSchedule(interval: .seconds(600), isQuick: isQuick)
        schedule.handle(.connected, at: start)
        return schedule
    }

    /// An account that was synchronized at the start.
    private func idle(isQuick: Bool = false) -> AccountSchedule {
        var schedule = schedule(isQuick: isQuick)
        #expect(schedule.step(at: start) == .synchronize(isLocal: false))
        schedule.handle(.ended(.done), at: start)
        return schedule
    }

    @Test func withoutADaemonNothingIsDone() {
        var schedule = AccountSchedule(interval: .seconds(600), isQuick: false)
        #expect(schedule.due == .distantFuture && schedule.step(at: start) == .wait)
        schedule = self.schedule()
        _ = schedule.step(at: start)
        schedule.handle(.ended(.daemonLost), at: start)
        schedule.handle(.acted, at: start)
        #expect(schedule.due == .distantFuture)
    }

    @Test func anActIsSentAfterASecondAndProgressAfterHalfAMinute() {
        var schedule = idle()
        schedule.handle(.changed, at: start + .seconds(2))
        #expect(schedule.due == start + .seconds(30))
        schedule.handle(.acted, at: start + .seconds(3))
        #expect(schedule.due == start + .seconds(4))
        #expect(schedule.step(at: start + .seconds(4)) == .synchronize(isLocal: true))
        schedule.handle(.ended(.unchanged), at: start + .seconds(4))
        #expect(schedule.due == start + .seconds(600))
    }

    @Test func failuresAreTriedAgainLessAndLessOften() {
        var (schedule, now) = (idle(), start)
        let waits = (1...9).map { _ in
            schedule.handle(.ended(.failed(retryAfter: nil)), at: now)
            let wait = schedule.due - now
            now = schedule.due
            _ = schedule.step(at: now)
            return Int(wait.inSeconds)
        }
        expectEqual(waits, [30, 60, 120, 240, 480, 960, 1920, 3600, 3600])
        // Another podcastd may just be starting.
        var quick = idle(isQuick: true)
        let soon = (1...12).map { _ in
            quick.handle(.ended(.failed(retryAfter: nil)), at: start)
            return Int((quick.due - start).inSeconds)
        }
        expectEqual(soon, [4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600])
        schedule.handle(.ended(.failed(retryAfter: 7200)), at: now)
        #expect(schedule.due == now + .seconds(7200))
        // Acts wait for the next attempt, but the listener need not.
        schedule.handle(.acted, at: now)
        #expect(schedule.due == now + .seconds(7200))
        let order = SyncOrder(number: 3, kind: .dryRun, account: "home")
        schedule.handle(.ordered([order]), at: now)
        #expect(schedule.step(at: now) == .carryOut(order))
    }

    @Test func anAccountThatAsksWaitsForTheListener() {
        var schedule = schedule()
        _ = schedule.step(at: start)
        schedule.handle(.ended(.asking), at: start)
        schedule.handle(.acted, at: start)
        schedule.handle(.changedThere, at: start)
        #expect(schedule.due == start + .seconds(600))
    }

    /// A hand-over, or an order that the daemon refuses to begin.
    @Test(arguments: [SyncOrder.Kind.handOver, .synchronize])
    func anOrderThatSynchronizesNothingLeavesWhatIsDue(kind: SyncOrder.Kind) {
        var schedule = idle(isQuick: true)
        let due = schedule.due
        let order = SyncOrder(number: 1, kind: kind, account: "home")
        schedule.handle(.ordered([order]), at: start + .seconds(1))
        #expect(schedule.step(at: start + .seconds(1)) == .carryOut(order))
        schedule.handle(.ended(.unchanged), at: start + .seconds(1))
        #expect(schedule.due == due)
    }

    @Test func aServerThatAnswersAgainIsSynchronizedAtOnce() {
        var schedule = idle(isQuick: true)
        schedule.handle(.ended(.failed(retryAfter: 7200)), at: start)
        schedule.handle(.ended(.recovered), at: start + .seconds(1))
        #expect(schedule.step(at: start + .seconds(1)) == .synchronize(isLocal: false))
    }

    @Test func ordersAreCarriedOutOneAfterAnother() {
        var schedule = idle(isQuick: true)
        let kinds: [SyncOrder.Kind] = [.synchronize, .handOver, .dryRun, .handOver]
        let orders = kinds.enumerated().map { SyncOrder(number: $0.offset + 1, kind: $0.element, account: "home") }
        schedule.handle(.ordered(Array(orders.prefix(2))), at: start)
        #expect(schedule.step(at: start) == .carryOut(orders[0]))
        schedule.handle(.ordered(Array(orders.dropFirst())), at: start)
        schedule.handle(.ended(.done), at: start)
        for order in orders.dropFirst() {
            #expect(schedule.step(at: start) == .carryOut(order))
            schedule.handle(.ended(.unchanged), at: start)
        }
        #expect(schedule.step(at: start) == .wait)
    }

    @Test func anOrderThatNoLongerWaitsIsNotCarriedOut() {
        var schedule = idle(isQuick: true)
        schedule.handle(.ordered([SyncOrder(number: 1, kind: .handOver, account: "home")]), at: start)
        schedule.handle(.ordered([]), at: start)
        #expect(schedule.step(at: start) == .wait)
    }

    @Test func anotherDaemonsChangesComeAtOnce() {
        var schedule = idle(isQuick: true)
        schedule.handle(.changedThere, at: start + .seconds(2))
        #expect(schedule.step(at: start + .seconds(2)) == .synchronize(isLocal: false))
    }
}

struct SyncSettingsTests {
    @Test func anAccountIsALine() throws {
        let (settings, problems) = SyncSettings.file.read(
            "[accounts]\nhome = nextcloud https://cloud.example.org/ alice correct horse\nweb = gpodder http://gpodder.net bob\n"
        )
        #expect(problems.isEmpty)
        let accounts = settings.accounts
        #expect(accounts.map(\.name) == ["home", "web"] && accounts.map(\.kind) == [.nextcloud, .gpodder])
        #expect(accounts.map(\.address) == ["https://cloud.example.org", "http://gpodder.net"])
        #expect(accounts.map(\.password) == ["correct horse", nil])
    }

    @Test(arguments: [
        ("a = imap https://a.example bob", "KIND is one of gpodder, nextcloud, podcastd"),
        ("a = gpodder file:///etc bob", "needs an address"),
        ("a = gpodder https://a.example", "the user's name is missing"),
        ("a = gpodder https://bob:secret@a.example bob", "user and password follow the address"),
    ])
    func aBadLineIsExplained(line: String, message: String) {
        let problems = SyncSettings.file.read("[accounts]\n" + line).problems
        #expect(problems.first?.message.contains(message) == true && problems.first?.line == 2, "\(problems)")
    }
}
