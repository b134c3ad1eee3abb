@testable import AudioOutput
import CAllocationCount
import MachineSupport
import MediaPorts
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// The promise of the module's README: the sound thread neither allocates nor locks between two chunks.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct SoundThreadTests {
    /// Three outputs of one kind, of which one leads and two follow, in real time; or one to a snapserver.
    @Test(arguments: ["null", "raw:%", "pipe:cat >/dev/null", "alsa:null", "snapcast"])
    func betweenTwoChunksOutputsNeitherAllocateNorLock(_ specification: String) throws {
        let folder = try TemporaryFolder()
        let clock = SystemOutputClock()
        let factory = SinkFactory(clock: clock)
        var settings = RendererSettings()
        settings.period = .milliseconds(20)
        let renderer = try Renderer(sink: nil, clock: clock, settings: settings)
        let server =
            specification == "snapcast" ? try Snapserver(in: folder.path, buffer: 1_000, clients: []) : nil
        let setups =
            server.map { [OutputSetup("1", $0.output)] }
            ?? (1...3).map { index in
                let text = specification.replacing("%", with: "\(folder.path)/\(index)")
                return OutputSetup("\(index)", text)
            }
        let outputs = try OutputSet(
            setups, renderer: renderer,
            makeSink: { (output) throws(SinkError) in try factory.makeSink(output) }, changed: {})
        defer {
            renderer.shutDown()
            outputs.close()
        }
        let source = try CountingSource()
        renderer.play(source, generation: 1, prebuffer: .milliseconds(20), rebuffer: .milliseconds(20))
        #expect(source.count.wait(until: .now + .seconds(120)) { $0 != nil }, "\(outputs.states)")
        let count = try #require(source.count.read { $0 })
        expectEqual(count.allocations, 0)
        // libasound locks each device by itself, and its null device plays nothing with which others could be in step.
        if specification != "alsa:null" {
            expectEqual(count.locks, 0)
            expectEqual(Set(outputs.states.map(\.phase)), [.ready])
        }
    }
}

/// Chunks without an end, from memory of its own. Counts the calls from one chunk on until another.
private final class CountingSource: PCMSource {
    static let first = 120
    static let last = 220

    let count = Monitor<(allocations: Int, locks: Int)?>(nil)
    private let readiness: EventDescriptor
    private let chunks = ThreadConfined((number: 0, left: 0))
    private static let format = PCMFormat(rate: 48_000, channels: 2, type: .int16)
    private static let chunkBytes = 960 * format.frameSize

    init() throws(SystemError) { readiness = try EventDescriptor() }

    func nextChunk() -> PCMChunk? {
        if chunks.state.left == 0 {
            chunks.state.number += 1
            chunks.state.left = Self.chunkBytes
            if chunks.state.number == Self.first { allocation_count_begin() }
            if chunks.state.number == Self.last {
                let counted = allocation_count_end()
                count.update { $0 = (counted.allocations, counted.locks) }
            }
        }
        let end = Int64(chunks.state.number * 960)
        return PCMChunk(
            kind: .frames, generation: 1, format: Self.format,
            mediaStart: end - Int64(chunks.state.left / Self.format.frameSize), mediaEnd: end,
            byteCount: chunks.state.left)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, chunks.state.left)
        buffer.baseAddress?.initializeMemory(as: UInt8.self, repeating: 1, count: count)
        chunks.state.left -= count
        return count
    }

    var readinessDescriptor: Int32 { readiness.raw }
    func prepareToWait() -> Bool { true }
    var bufferedSeconds: Double { 1 }
    var isFilled: Bool { true }
}
