@testable import AudioOutput
import MediaPorts
import PodcastModel
import TestSupport
import Testing

/// Who leads a group, and how its frames are numbered.
@Suite struct GroupMachineTests {
    private typealias Machine = GroupMachine<String>
    private let format = PCMFormat(rate: 8_000, channels: 1, type: .int32)
    private let now = Instant(nanoseconds: 0)

    private func machine(after events: Machine.Event...) -> Machine {
        var machine = Machine()
        for event in events { _ = machine.handle(event) }
        return machine
    }

    private func playing() -> Machine {
        machine(after: .planned(["a", "b", "c"]), .opened("a", format), .began(reliableFrom: now), .wrote(100))
    }

    @Test func theOutputThatOpensLeadsAndTheOthersFollow() {
        var machine = machine(after: .planned(["a", "b", "c"]))
        expectEqual(machine.candidates { $0 != "a" }, ["b", "c", "a"])
        expectEqual(machine.handle(.opened("b", format)), [.follow("a"), .follow("c")])
        expectEqual(machine.sound, .silent)
        expectEqual(machine.handle(.opened("b", format)), [.follow("a"), .follow("c")])
        expectEqual(machine.candidates { _ in true }, ["b", "a", "c"])
    }

    @Test func aFollowerIsPromotedAndTheFailedOutputFollows() {
        var machine = playing()
        expectEqual(machine.handle(.leaderFailed), [.giveUp("a")])
        expectEqual(machine.leader, nil)
        let later = now + .seconds(1)
        expectEqual(machine.handle(.promoted("c", later)), [.follow("a")])
        expectEqual(machine.followers, ["b", "a"])
        expectEqual(machine.course, .init(first: 0, reliableFrom: later))
        expectEqual(machine.handle(.released("b")), [.end("b")])
    }

    @Test func outputsThatAreTakenAwayEndAndNewOnesFollow() {
        var machine = playing()
        expectEqual(machine.handle(.planned(["d", "a", "b"])), [.end("c"), .follow("d")])
        expectEqual(machine.handle(.planned(["d", "b"])), [.giveUp("a")])
        // Nobody follows an output that does not lead yet.
        expectEqual(machine.handle(.planned(["d", "b", "e"])), [])
        expectEqual(machine.handle(.promoted("d", now)), [.follow("e")])
    }

    @Test func aPauseHoldsOrBeginsAgain() {
        var machine = playing()
        expectEqual(machine.handle(.paused), [.setPaused("b", true), .setPaused("c", true)])
        expectEqual(machine.course, nil)
        expectEqual(machine.handle(.paused), [])
        expectEqual(machine.handle(.resumed), [.setPaused("b", false), .setPaused("c", false)])
        expectEqual(machine.course?.first, 0)
        _ = machine.handle(.paused)
        expectEqual(machine.handle(.silenced(unheard: 40)), [.setPaused("b", false), .setPaused("c", false)])
        expectEqual(machine.number, 60)
        expectEqual(machine.sound, .silent)
    }

    @Test func silenceBeforeTheFirstFrameDoesNotCountAsFrames() {
        var machine = playing()
        _ = machine.handle(.removed(10))
        expectEqual(machine.number, 90)
        expectEqual(machine.handle(.silenced(unheard: 8_000)), [])
        expectEqual(machine.number, 0)
        expectEqual(machine.handle(.silenced(unheard: 8_000)), [])
        expectEqual(machine.number, 0)
    }

    @Test func theFollowersPlayToTheEndOnlyAfterTheLeadingOutputDid() {
        var machine = playing()
        expectEqual(
            machine.handle(.closed),
            [.closeRing("b", isHeardToTheEnd: false), .closeRing("c", isHeardToTheEnd: false)])
        expectEqual(machine.format, nil)
        machine = playing()
        _ = machine.handle(.silenced(unheard: 0))
        expectEqual(
            machine.handle(.closed),
            [.closeRing("b", isHeardToTheEnd: true), .closeRing("c", isHeardToTheEnd: true)])
    }
}
