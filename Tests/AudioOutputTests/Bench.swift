import AudioOutput
import Glibc
import MachineSupport
import MediaPorts
import PodcastModel
import SystemCalls
import Testing
import TestSupport

/// A renderer on a simulated device and a clock that the test moves.
final class Bench {
    let clock: VirtualClock
    let sink: SimulatedSink
    let source: ScriptedSource
    let renderer: Renderer
    let events: EventLog

    init(_ traits: SimulatedSink.Traits = SimulatedSink.Traits(), closeDelay: Duration = .seconds(10)) throws {
        clock = try VirtualClock()
        sink = try SimulatedSink(traits, clock: clock)
        source = try ScriptedSource()
        var settings = RendererSettings()
        settings.closeDelay = closeDelay
        renderer = try Renderer(sink: sink, clock: clock, settings: settings)
        events = EventLog()
        let events = events
        renderer.observe { events.add($0) }
    }

    deinit { renderer.shutDown() }

    /// A bench on which these frames sound already.
    static func playing(
        _ frames: Range<Int64>, andEnd: Bool = false, on traits: SimulatedSink.Traits = SimulatedSink.Traits(),
        closeDelay: Duration = .seconds(10)
    ) throws -> Bench {
        let bench = try Bench(traits, closeDelay: closeDelay)
        bench.source.put(frames)
        if andEnd { bench.source.putEnd() }
        bench.play()
        expectEqual(bench.events.next(), .started(generation: 1))
        return bench
    }

    func play(generation: UInt32 = 1, prebuffer: Duration = .seconds(0.2), rebuffer: Duration = .seconds(0.5)) {
        renderer.play(source, generation: generation, prebuffer: prebuffer, rebuffer: rebuffer)
        clock.awaitRest()
    }

    /// Waits until the sink thread has followed what was just asked for.
    func settle() { clock.awaitRest() }

    func setPaused(_ isPaused: Bool) {
        renderer.setPaused(isPaused)
        settle()
    }

    /// Waits until the sink thread has left.
    func awaitIdle() {
        while renderer.hasThread { sched_yield() }
    }

    var heard: [Int32] { numbers(sink.heard) }
    var heardCount: Int { sink.heard.count / 4 }

    /// The position now, in frames of 8000 a second.
    var position: Int64 { renderer.playhead.position(at: clock.now).frames(rate: 8000) }
}

/// Events in their order, for a test to wait for.
final class EventLog: Sendable {
    private let events = Monitor<[RendererEvent]>([])

    func add(_ event: RendererEvent) { events.update { $0.append(event) } }

    /// The next event; waits for it.
    func next() -> RendererEvent {
        while true {
            _ = events.wait { !$0.isEmpty }
            let event: RendererEvent? = events.update { $0.isEmpty ? nil : $0.removeFirst() }
            if let event { return event }
        }
    }

    /// Whether there are events that were not read.
    var isEmpty: Bool { events.read { $0.isEmpty } }
}

/// Writes all bytes, however few the sink takes at a time.
func write(_ bytes: [UInt8], to sink: any Sink) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
        let taken = try rest.withUnsafeBytes { bytes throws(SinkError) in try sink.write(bytes) }
        rest = rest.dropFirst(taken)
    }
}
