@testable import AudioOutput
import Foundation
import Glibc
import MediaPorts
import Testing
import TestSupport

/// ALSA's own PCMs of software, which its common configuration declares: no card is needed or touched.
@Suite(.timeLimit(.minutes(10))) struct ALSASinkTests {
    private let folder: TemporaryFolder
    private let format = PCMFormat(rate: 44_100, channels: 2, type: .int16)

    init() throws {
        folder = try TemporaryFolder()
    }

    private var recorder: String { "file:'\(folder.file("recorded.raw"))',raw" }

    @Test func theNullPCMAcceptsFrames() throws {
        let sink = try ALSASink(OutputSpecification(.alsa, "null"))
        try expectEqual(sink.open(format), format)
        try write([UInt8](repeating: 1, count: 400_000), to: sink)
        try sink.drain()
        expectEqual(sink.latency, 0)
        sink.drop()
        _ = sink.pause()
        try write([UInt8](repeating: 1, count: 4_000), to: sink)
        sink.close()
    }

    @Test func aPCMOfAFileGetsEveryByteInOrder() throws {
        let sink = try ALSASink(OutputSpecification(.alsa, recorder))
        _ = try sink.open(format)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 / 3) }
        try write(bytes, to: sink)
        try sink.drain()
        sink.close()
        #expect(areSame(try folder.bytes("recorded.raw"), bytes))
    }

    @Test func anotherFormatIsNegotiatedWithTheSameDevice() throws {
        let sink = try ALSASink(OutputSpecification(.alsa, "null"))
        _ = try sink.open(format)
        try write([UInt8](repeating: 1, count: 4_000), to: sink)
        try sink.drain()
        let other = PCMFormat(rate: 48_000, channels: 1, type: .float32)
        try expectEqual(sink.open(other), other)
        sink.close()
        try expectEqual(sink.open(format), format)
    }

    @Test func aSpecificationFixesTheDevicesRate() throws {
        let sink = try SinkFactory().makeSink(
            OutputSpecification(.alsa, "null", rate: 48_000, type: .int32, channels: 1))
        try expectEqual(sink.open(format), PCMFormat(rate: 48_000, channels: 1, type: .int32))
    }

    @Test func aMissingDeviceNamesTheAvailableOnes() throws {
        let sink = try ALSASink(OutputSpecification(.alsa, "hw:7"))
        let error = try #require(throws: SinkError.self) { try sink.open(format) }
        #expect(!error.isTemporary)
        expectContains(error.message, "no sound device")
        expectContains(error.message, "below [output] in podcastd.conf")
    }

    @Test func aRendererPlaysToAPCMOfAFile() throws {
        let source = try ScriptedSource()
        source.put(0..<100_000, rate: 44_100, channels: 2)
        source.putEnd()
        let renderer = try Renderer(sink: ALSASink(OutputSpecification(.alsa, recorder)))
        let events = EventLog()
        renderer.observe { events.add($0) }
        renderer.play(source, generation: 1, prebuffer: .seconds(0.1), rebuffer: .seconds(0.1))
        expectEqual(events.next(), .started(generation: 1))
        expectEqual(events.next(), .ended(generation: 1))
        renderer.shutDown()
        let heard = try numbers(folder.bytes("recorded.raw"))
        #expect(areSame(heard, (0..<100_000).flatMap { [Int32($0), Int32($0)] }))
    }
}
