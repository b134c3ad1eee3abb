import PodcastModel
import SystemCalls
import Testing
import TestSupport

@testable import HTTP

private let start = Instant(nanoseconds: 0)

/// A transfer's states as a dialogue: event, action.
struct TransferMachineTests {
    private static let url = "http://a.example/x"

    private func machine(_ change: (inout HTTPRequest) -> Void = { _ in }) -> TransferMachine {
        var request = HTTPRequest(Self.url)
        request.timeouts.firstByte = .seconds(30)
        request.timeouts.stall = .seconds(10)
        change(&request)
        return TransferMachine(request, now: start)
    }

    private func started(_ change: (inout HTTPRequest) -> Void = { _ in }) -> TransferMachine {
        var machine = machine(change)
        _ = machine.handle(.started, now: start)
        return machine
    }

    /// Passes a head on, line by line.
    /// - Returns: the action after its last line.
    private func receive(
        _ status: Int, _ fields: [String] = [], url: String = url, by machine: inout TransferMachine,
        now: Instant = start
    ) -> TransferMachine.Action {
        _ = machine.handle(.headerLine(.status(status, url: url), bytes: 20), now: now)
        for field in fields {
            let line = Array((field + "\r\n").utf8)
            _ = machine.handle(.headerLine(.field(line), bytes: line.count), now: now)
        }
        return machine.handle(.headerLine(.end, bytes: 2), now: now)
    }

    private func status(_ action: TransferMachine.Action) -> Int? {
        if case .deliver(let head) = action { head.status } else { nil }
    }

    private func completion(_ action: TransferMachine.Action) -> HTTPError?? {
        if case .complete(let error) = action { .some(error) } else { nil }
    }

    @Test func anAnswerIsDeliveredAndCompleted() {
        var machine = started()
        _ = machine.handle(.connected, now: start)
        expectEqual(status(receive(200, by: &machine)), 200)
        guard case .deliverBody = machine.handle(.body(10), now: start + .seconds(1)) else {
            Issue.record("the body was not delivered")
            return
        }
        expectEqual(machine.bodyBytes, 10)
        expectEqual(completion(machine.handle(.finished(nil, url: ""), now: start + .seconds(2))), .some(nil))
        guard case .ended(abandonsLookup: false) = machine.phase else {
            Issue.record("\(machine.phase)")
            return
        }
    }

    @Test func aRedirectIsRecordedWithTheURLThatItLedTo() {
        var machine = started()
        _ = machine.handle(.connected, now: start)
        expectEqual(status(receive(302, ["Location: /y"], by: &machine)), nil)
        guard case .resolving = machine.phase else {
            Issue.record("\(machine.phase)")
            return
        }
        _ = receive(200, url: "http://a.example/y", by: &machine)
        expectEqual(machine.hops, [HTTPHop(status: 302, from: Self.url, to: "http://a.example/y")])
    }

    @Test func aRefusedLoginIsDeliveredWhenNothingElseFollows() {
        var machine = started { $0.credentials = .init(username: "a", password: "b") }
        expectEqual(status(receive(401, by: &machine)), nil)
        expectEqual(status(machine.handle(.finished(nil, url: ""), now: start)), 401)
        expectEqual(completion(machine.handle(.finished(nil, url: ""), now: start)), .some(nil))
    }

    @Test func anAnsweredLoginIsNotDelivered() {
        var machine = started { $0.credentials = .init(username: "a", password: "b") }
        _ = receive(401, by: &machine)
        expectEqual(status(receive(200, by: &machine)), 200)
    }

    @Test func theBodyOfARefusedLoginFollowsItsHead() {
        var machine = started { $0.credentials = .init(username: "a", password: "b") }
        _ = receive(401, by: &machine)
        expectEqual(status(machine.handle(.body(5), now: start)), 401)
        guard case .deliverBody = machine.handle(.body(5), now: start) else {
            Issue.record("the body was not delivered")
            return
        }
    }

    @Test func aPausedTransferHasNoDeadline() {
        var machine = started()
        expectEqual(machine.deadline, start + .seconds(30))
        expectEqual(machine.timeout.message, "no answer for 30 s")
        _ = receive(200, by: &machine, now: start + .seconds(5))
        expectEqual(machine.deadline, start + .seconds(15))
        expectEqual(machine.timeout.message, "no data for 10 s")
        _ = machine.handle(.pause, now: start + .seconds(6))
        expectEqual(machine.deadline, nil)
        _ = machine.handle(.resume, now: start + .seconds(100))
        expectEqual(machine.deadline, start + .seconds(110))
    }

    @Test func onlyATransferThatIsStillResolvingAbandonsALookUp() {
        func abandons(_ change: (inout TransferMachine) -> Void) -> Bool {
            var machine = machine()
            change(&machine)
            if case .ended(abandonsLookup: true) = machine.phase { return true }
            return false
        }
        let timeout = HTTPError(.timeout, "late")
        #expect(!abandons { _ = $0.handle(.cancel, now: start) })
        #expect(
            abandons {
                _ = $0.handle(.started, now: start)
                _ = $0.handle(.cancel, now: start)
            })
        #expect(
            abandons {
                _ = $0.handle(.started, now: start)
                _ = $0.handle(.finished(timeout, url: Self.url), now: start)
            })
        #expect(
            !abandons {
                _ = $0.handle(.started, now: start)
                _ = $0.handle(.finished(HTTPError(.resolve, "unknown"), url: Self.url), now: start)
            })
        #expect(
            !abandons {
                _ = $0.handle(.started, now: start)
                _ = $0.handle(.connected, now: start)
                _ = $0.handle(.failed(timeout), now: start)
            })
    }

    @Test func theObstacleOfTheLastAddressIsReported() {
        var machine = started()
        _ = machine.handle(.obstacle(.privateAddress, "private"), now: start)
        let failure = HTTPError(.connect, "could not connect")
        let copy = machine
        expectEqual(completion(machine.handle(.finished(failure, url: Self.url), now: start))??.kind, .privateAddress)
        machine = copy
        _ = machine.handle(.connected, now: start)
        expectEqual(completion(machine.handle(.finished(failure, url: Self.url), now: start))??.kind, .connect)
    }

    @Test func aBodyThatIsNotDecodedEndsWithItsHead() {
        var machine = started()
        expectEqual(status(receive(404, ["Content-Encoding: br"], by: &machine)), 404)
        guard case .stop = machine.handle(.body(1), now: start) else {
            Issue.record("the body was received")
            return
        }
        let stopped = HTTPError(.aborted, "stopped")
        expectEqual(completion(machine.handle(.finished(stopped, url: Self.url), now: start)), .some(nil))
    }

    @Test func theFailureThatStoppedATransferIsReported() {
        var machine = started { $0.maximumHeaderBytes = 5 }
        guard case .stop = receive(200, ["X-Long: field"], by: &machine) else {
            Issue.record("the head was received")
            return
        }
        let stopped = HTTPError(.aborted, "stopped")
        expectEqual(completion(machine.handle(.finished(stopped, url: Self.url), now: start))??.kind, .tooLarge)
    }

    @Test func aCancelledTransferReportsNothing() {
        var machine = started()
        _ = machine.handle(.cancel, now: start)
        expectEqual(completion(machine.handle(.finished(nil, url: ""), now: start)), nil)
        expectEqual(completion(machine.handle(.failed(HTTPError(.timeout, "late")), now: start)), nil)
    }
}
