import MediaPorts
import Testing
import TestSupport

@testable import AudioOutput

/// The machine as a dialogue: event, effects, notice. Its states are the module's own, hence `@testable`.
@Suite struct RenderMachineTests {
    private func machine(_ events: [RenderMachine.Event]) -> RenderMachine {
        var machine = RenderMachine()
        for event in events { _ = machine.handle(event) }
        return machine
    }

    private let load = RenderMachine.Event.load(generation: 1, prebuffer: .seconds(1), rebuffer: .seconds(2))
    private let busy = SinkError("busy", isTemporary: true)
    private let missing = SinkError("missing")

    /// A way into every phase.
    private var phases: [(name: String, events: [RenderMachine.Event])] {
        [
            ("silent", []),
            ("filling", [load]),
            ("playing", [load, .enough, .delivered]),
            ("draining to the end", [load, .enough, .delivered, .exhausted(.end)]),
            ("draining for a format", [load, .enough, .delivered, .exhausted(.format)]),
            ("ended", [load, .enough, .delivered, .exhausted(.end), .drained]),
            ("retrying", [load, .enough, .sinkFailed(busy)]),
            ("broken", [load, .enough, .sinkFailed(missing)]),
        ]
    }

    @Test func aLoadFillsFromEveryPhaseExceptARetry() {
        for (name, events) in phases {
            var machine = machine(events)
            let (effects, notice) = machine.handle(.load(generation: 9, prebuffer: .seconds(3), rebuffer: .seconds(4)))
            #expect(effects == [.forget] && notice == nil, "\(name)")
            #expect(machine.generation == 9 && machine.target == .seconds(3), "\(name)")
            expectEqual(machine.phase, name == "retrying" ? .retrying(attempt: 1) : .filling, "\(name)")
        }
    }

    @Test func stopSilencesEveryPhaseAndEndsAPause() {
        for (name, events) in phases {
            var machine = machine(events + [.pause])
            let (effects, notice) = machine.handle(.stop)
            #expect(effects == [.forget, .release] && notice == nil, "\(name)")
            #expect(machine.phase == .silent && !machine.isPaused && machine.activity == .rest, "\(name)")
        }
    }

    @Test func aPauseAffectsOnlyASinkThatPlays() {
        for (name, events) in phases {
            var machine = machine(events)
            let sounds = name == "playing" || name.hasPrefix("draining")
            expectEqual(machine.handle(.pause).effects, sounds ? [.pause] : [], "\(name)")
            expectEqual(machine.activity, .rest, "\(name)")
            expectEqual(machine.handle(.pause).effects, [], "\(name)")
            expectEqual(machine.handle(.unpause).effects, sounds ? [.resume] : [], "\(name)")
            expectEqual(machine.handle(.unpause).effects, [], "\(name)")
        }
    }

    @Test func aPausedDrainIsDeliveredAgain() {
        var machine = machine([load, .enough, .delivered, .exhausted(.end), .pause, .unpause])
        expectEqual(machine.phase, .playing)
        _ = machine.handle(.exhausted(.end))
        expectEqual(machine.handle(.drained).notice, .ended(generation: 1))
    }

    @Test func eachBeginningIsReportedOnce() {
        var machine = machine([load, .enough])
        expectEqual(machine.handle(.delivered).notice, .started(generation: 1))
        expectEqual(machine.handle(.delivered).notice, nil)
        expectEqual(machine.handle(.ranDry).notice, .underrun(generation: 1))
        expectEqual(machine.target, .seconds(2))
        _ = machine.handle(.enough)
        expectEqual(machine.handle(.delivered).notice, .resumed(generation: 1))
        expectEqual(machine.handle(.delivered).notice, nil)
        _ = machine.handle(.switchGeneration(2))
        expectEqual(machine.target, .seconds(1))
        _ = machine.handle(.enough)
        expectEqual(machine.handle(.delivered).notice, .started(generation: 2))
    }

    @Test func withoutASourceGenerationsAreIgnored() {
        var machine = RenderMachine()
        expectEqual(machine.handle(.switchGeneration(4)).effects, [])
        expectEqual(machine.phase, .silent)
    }

    @Test func aSinkThatKeepsFailingIsRetriedAtIncreasingIntervals() {
        var machine = machine([load, .enough])
        expectEqual(machine.handle(.sinkFailed(busy)).notice, .sinkFailed(busy))
        expectEqual(machine.handle(.sinkFailed(busy)).notice, nil)
        expectEqual(machine.activity, .retry(attempt: 2))
        expectEqual(machine.handle(.opened).notice, .sinkRecovered)
        expectEqual(machine.phase, .filling)
        _ = machine.handle(.enough)
        _ = machine.handle(.delivered)
        expectEqual(machine.handle(.sinkFailed(busy)).notice, .sinkFailed(busy))
        expectEqual(machine.activity, .retry(attempt: 3))
        _ = machine.handle(.opened)
        _ = machine.handle(.enough)
        for _ in 0..<20 { _ = machine.handle(.delivered) }
        _ = machine.handle(.sinkFailed(busy))
        expectEqual(machine.activity, .retry(attempt: 1))
    }

    @Test func aRetryThatFailsForAnotherReasonIsReported() {
        var machine = machine([load, .enough, .sinkFailed(busy)])
        let unplugged = SinkError("unplugged", isTemporary: true)
        expectEqual(machine.handle(.sinkFailed(unplugged)).notice, .sinkFailed(unplugged))
        expectEqual(machine.handle(.sinkFailed(unplugged)).notice, nil)
    }

    @Test func aBrokenSinkIsRetriedByACommand() {
        for event in [RenderMachine.Event.sinkReplaced, .switchGeneration(2), load] {
            var machine = machine([load, .enough, .sinkFailed(missing)])
            expectEqual(machine.activity, .rest)
            _ = machine.handle(event)
            expectEqual(machine.activity, .fill)
            expectEqual(machine.handle(.opened).notice, .sinkRecovered)
        }
        expectEqual(machine([load, .enough, .sinkFailed(missing), .pause, .unpause]).activity, .fill)
    }

    @Test func aFailureWhileNothingPlaysIsNotReported() {
        for events in [[], [load, .enough, .delivered, .exhausted(.end), .drained]] {
            var machine = machine(events)
            expectEqual(machine.handle(.sinkFailed(busy)).notice, nil)
            expectEqual(machine.activity, .rest)
        }
    }

    @Test func eventsOfAnEarlierPhaseChangeNothing() {
        for (name, events) in phases {
            for event in [RenderMachine.Event.enough, .ranDry, .exhausted(.end), .drained] {
                var machine = machine(events)
                let before = machine.phase
                let isExpected =
                    switch (event, before) {
                    case (.enough, .filling), (.ranDry, .playing), (.exhausted, .playing), (.drained, .draining): true
                    default: false
                    }
                _ = machine.handle(event)
                #expect(isExpected || machine.phase == before, "\(name)")
            }
        }
    }
}

@Suite struct WAVHeaderTests {
    private let format = PCMFormat(rate: 48_000, channels: 2, type: .int16)

    @Test func aFileBelowFourGibibytesIsRIFF() {
        let bytes = WAVHeader.bytes(format, dataBytes: 4_294_967_220)
        expectEqual(bytes.count, WAVHeader.size)
        expectEqual(bytes.text(at: 0, 4), "RIFF")
        expectEqual(bytes.number(at: 4, as: UInt32.self), 4_294_967_292)
        expectEqual(bytes.number(at: 76, as: UInt32.self), 4_294_967_220)
    }

    @Test func aLargerFileIsRF64() {
        let bytes = WAVHeader.bytes(format, dataBytes: 5 << 30)
        expectEqual(bytes.count, WAVHeader.size)
        expectEqual(bytes.text(at: 0, 4), "RF64")
        expectEqual(bytes.number(at: 4, as: UInt32.self), .max)
        expectEqual(bytes.text(at: 12, 4), "ds64")
        expectEqual(bytes.number(at: 20, as: Int64.self), (5 << 30) + 72)
        expectEqual(bytes.number(at: 28, as: Int64.self), 5 << 30)
        expectEqual(bytes.number(at: 36, as: Int64.self), (5 << 30) / 4)
        expectEqual(bytes.number(at: 76, as: UInt32.self), .max)
    }
}
