import ControlClient
import ControlLanguage
import SystemCalls
import Testing

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
        #expect(machine.handle(.start) == [.connect])
        #expect(machine.state == .connecting(failures: 0))
        #expect(machine.handle(.connected) == [.subscribe])
        #expect(machine.state == .greeting(failures: 0))
        #expect(machine.handle(.greeted) == [])
        #expect(machine.state == .open)
    }

    @Test func withoutReconnectingAnyLossIsFinal() {
        var machine = open(reconnects: false)
        #expect(machine.handle(.lost(.closed)) == [.disconnect(.closed)])
        #expect(machine.state == .failed(.closed))
        #expect(machine.handle(.retry) == [])
        #expect(machine.handle(.start) == [.connect])
    }

    @Test func theDelayDoublesUpToFiveSecondsAndStartsAgainAfterAGreeting() {
        var machine = ConnectionMachine(reconnects: true)
        var delays: [Duration] = []
        var actions = machine.handle(.start)
        for _ in 1...8 {
            #expect(actions == [.connect])
            guard case .wait(let delay)? = machine.handle(.lost(Self.notRunning)).last else {
                Issue.record("no delay in \(machine.state)")
                return
            }
            delays.append(delay)
            actions = machine.handle(.retry)
        }
        #expect(delays == [100, 200, 400, 800, 1600, 3200, 5000, 5000].map { .milliseconds($0) })
        _ = machine.handle(.connected)
        // A program that accepts and closes at once is not asked faster and faster.
        #expect(machine.handle(.lost(.closed)) == [.disconnect(.closed), .wait(.seconds(5))])
        _ = machine.handle(.retry)
        _ = machine.handle(.connected)
        _ = machine.handle(.greeted)
        #expect(machine.handle(.lost(.closed)) == [.disconnect(.closed), .wait(.milliseconds(100))])
        #expect(machine.state == .waiting(failures: 1))
    }

    @Test(arguments: [
        ClientFailure.closed, .timedOut, notRunning, .system(SystemError(code: 104, call: "recv")),
        .refused(ControlError(.unavailable, "too many connections")),
    ])
    func aFailureThatMayPassIsRetried(failure: ClientFailure) {
        var machine = open(reconnects: true)
        _ = machine.handle(.lost(failure))
        #expect(machine.state == .waiting(failures: 1))
    }

    @Test(arguments: [
        ClientFailure.forbidden(path: "/s"), .protocolFault("version 2"),
        .refused(ControlError(.notPermitted, "this user may not connect")),
    ])
    func aFailureThatNeedsAPersonIsNotRetried(failure: ClientFailure) {
        var machine = open(reconnects: true)
        #expect(machine.handle(.lost(failure)) == [.disconnect(failure)])
        #expect(machine.state == .failed(failure))
    }

    @Test func stoppingEndsAConnectionAndAWait() {
        var connected = open(reconnects: true)
        #expect(connected.handle(.stop) == [.disconnect(.closed)])
        #expect(connected.state == .closed)
        #expect(connected.handle(.lost(.closed)) == [])
        var waiting = open(reconnects: true)
        _ = waiting.handle(.lost(.closed))
        #expect(waiting.handle(.stop) == [.disconnect(.closed)])
        #expect(waiting.handle(.retry) == [])
        #expect(waiting.state == .closed)
    }
}
