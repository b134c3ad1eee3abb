import ControlClient
import ControlLanguage
import SystemCalls
import Testing
import TestSupport

@Suite(.ownThread) struct ConnectionMachineTests {
    private static let notRunning = ClientFailure.notRunning(path: "/s")

    /// A machine that has connected and was greeted.
    private func open(reconnects: Bool) -> ConnectionMachine {
        var machine = ConnectionMachine(reconnects: reconnects)
        _ = machine.handle(.start)
        _ = machine.handle(.connected)
        _ = machine.handle(.greeted)
        return machine
    }

    @Test func aConnectionSubscribesBeforeItIsGreeted() {
        var machine = ConnectionMachine(reconnects: false)
        expectEqual(machine.handle(.start), [.connect])
        expectEqual(machine.state, .connecting(failures: 0))
        expectEqual(machine.handle(.connected), [.subscribe])
        expectEqual(machine.state, .greeting(failures: 0))
        expectEqual(machine.handle(.greeted), [])
        expectEqual(machine.state, .open)
    }

    @Test func withoutReconnectingAnyLossIsFinal() {
        var machine = open(reconnects: false)
        expectEqual(machine.handle(.lost(.closed)), [.disconnect(.closed)])
        expectEqual(machine.state, .failed(.closed))
        expectEqual(machine.handle(.retry), [])
        expectEqual(machine.handle(.start), [.connect])
    }

    @Test func theDelayDoublesUpToFiveSecondsAndStartsAgainAfterAGreeting() {
        var machine = ConnectionMachine(reconnects: true)
        var delays: [Duration] = []
        var actions = machine.handle(.start)
        for _ in 1...8 {
            expectEqual(actions, [.connect])
            guard case .wait(let delay)? = machine.handle(.lost(Self.notRunning)).last else {
                Issue.record("no delay in \(machine.state)")
                return
            }
            delays.append(delay)
            actions = machine.handle(.retry)
        }
        expectEqual(delays, [100, 200, 400, 800, 1600, 3200, 5000, 5000].map { .milliseconds($0) })
        _ = machine.handle(.connected)
        // A program that accepts and closes at once is not asked faster and faster.
        expectEqual(machine.handle(.lost(.closed)), [.disconnect(.closed), .wait(.seconds(5))])
        _ = machine.handle(.retry)
        _ = machine.handle(.connected)
        _ = machine.handle(.greeted)
        expectEqual(machine.handle(.lost(.closed)), [.disconnect(.closed), .wait(.milliseconds(100))])
        expectEqual(machine.state, .waiting(failures: 1))
    }

    @Test(arguments: [
        ClientFailure.closed, .timedOut, notRunning, .system(SystemError(code: 104, call: "recv")),
        .refused(ControlError(.unavailable, "too many connections")),
    ])
    func aFailureThatMayPassIsRetried(failure: ClientFailure) {
        var machine = open(reconnects: true)
        _ = machine.handle(.lost(failure))
        expectEqual(machine.state, .waiting(failures: 1))
    }

    @Test(arguments: [
        ClientFailure.forbidden(path: "/s"), .protocolFault("version 2"),
        .refused(ControlError(.notPermitted, "this user may not connect")),
    ])
    func aFailureThatNeedsAPersonIsNotRetried(failure: ClientFailure) {
        var machine = open(reconnects: true)
        expectEqual(machine.handle(.lost(failure)), [.disconnect(failure)])
        expectEqual(machine.state, .failed(failure))
    }

    @Test func stoppingEndsAConnectionAndAWait() {
        var connected = open(reconnects: true)
        expectEqual(connected.handle(.stop), [.disconnect(.closed)])
        expectEqual(connected.state, .closed)
        expectEqual(connected.handle(.lost(.closed)), [])
        var waiting = open(reconnects: true)
        _ = waiting.handle(.lost(.closed))
        expectEqual(waiting.handle(.stop), [.disconnect(.closed)])
        expectEqual(waiting.handle(.retry), [])
        expectEqual(waiting.state, .closed)
    }
}
