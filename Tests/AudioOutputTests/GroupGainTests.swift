@testable import AudioOutput
import MediaPorts
import TestSupport
import Testing

/// The gain of a show's episodes on several outputs.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct GroupGainTests {
    @Test func aNewSourceHasItsGainFromTheFirstFrameOnAllOutputs() throws {
        let bench = try GroupBench([.init(), .init(delay: 0.25), .init(buffer: 0.4, canTakeBack: false)])
        let (before, after): (Int32, Int32) = (1 << 24, 1 << 20)
        for (generation, level) in [(UInt32(1), before), (2, after)] {
            bench.source.clear()
            bench.source.put(level: level, frames: 24_000, generation: generation)
            bench.source.putEnd(generation: generation)
            if generation == 2 { bench.renderer.setGain(0.5) }
            bench.renderer.play(
                bench.source, generation: generation, prebuffer: .seconds(0.2), rebuffer: .seconds(0.5))
            bench.clock.awaitRest()
            bench.clock.advance(seconds: 2)
        }
        for index in 0...2 {
            let heard = numbers(bench.sinks[index].heard).filter { $0 != 0 && $0 != before }
            #expect(heard.count > 8_000 && heard.allSatisfy { $0 == after / 2 }, "output \(index)")
        }
    }
}
