import AudioOutput
import MediaPorts
import Testing
import TestSupport

/// Conversion seen from outside: what a device of one format hears of a source of another.
@Suite(.timeLimit(.minutes(10))) struct ConversionTests {
    private func hear<Sample>(
        _ samples: [Sample], as format: PCMFormat, on traits: SimulatedSink.Traits, gain: Float = 1
    ) throws -> [UInt8] {
        let clock = try VirtualClock(isAutomatic: true)
        let sink = try SimulatedSink(traits, clock: clock)
        let source = try ScriptedSource()
        let bytes = samples.withUnsafeBytes { Array($0) }
        let count = Int64(bytes.count / format.frameSize)
        source.put(
            PCMChunk(
                kind: .frames, generation: 1, format: format, mediaStart: 0, mediaEnd: count, byteCount: bytes.count),
            bytes: bytes)
        source.putEnd()
        let renderer = try Renderer(sink: sink, clock: clock)
        renderer.setGain(gain)
        let events = EventLog()
        renderer.observe { events.add($0) }
        renderer.play(source, generation: 1, prebuffer: .zero, rebuffer: .zero)
        while events.next() != .ended(generation: 1) {}
        renderer.shutDown()
        return sink.heard
    }

    private func values<Sample>(_ bytes: [UInt8], as type: Sample.Type) -> [Sample] {
        bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: MemoryLayout<Sample>.size).map {
                bytes.loadUnaligned(fromByteOffset: $0, as: type)
            }
        }
    }

    @Test func floatIsRoundedAndClippedTo16Bits() throws {
        let samples: [Float] = [0, 1, -1, 0.5, 1.7, -3, 0.4 / 32_768, 0.6 / 32_768, -0.6 / 32_768, .nan, .infinity]
        let heard = try hear(
            samples, as: PCMFormat(rate: 8000, channels: 1, type: .float32), on: SimulatedSink.Traits(type: .int16))
        expectEqual(
            values(heard, as: Int16.self), [0, 32_767, -32_768, 16_384, 32_767, -32_768, 0, 1, -1, 32_767, 32_767])
    }

    @Test func floatIsClippedTo32Bits() throws {
        let samples: [Float] = [0, 1, -1, 0.5, -7, 1e-9, .nan, -.infinity]
        let heard = try hear(
            samples, as: PCMFormat(rate: 8000, channels: 1, type: .float32), on: SimulatedSink.Traits(type: .int32))
        expectEqual(values(heard, as: Int32.self), [0, .max, .min, 1 << 30, .min, 2, .max, .min])
    }

    @Test func every16BitSampleSurvivesConversionToFloat() throws {
        let samples = (Int16.min...Int16.max).map { $0 }
        let format = PCMFormat(rate: 48_000, channels: 1, type: .int16)
        let stereo = try hear(samples, as: format, on: SimulatedSink.Traits(channels: 2))
        expectEqual(values(stereo, as: Int16.self), samples.flatMap { [$0, $0] })
        let float = try hear(samples, as: format, on: SimulatedSink.Traits(type: .float32))
        expectEqual(values(float, as: Float.self), samples.map { Float($0) / 32_768 })
    }

    @Test func stereoBecomesTheMeanOnAMonoDevice() throws {
        let samples: [Int16] = [100, 300, -32_768, -32_768, 32_767, -32_767]
        let heard = try hear(
            samples, as: PCMFormat(rate: 8000, channels: 2, type: .int16), on: SimulatedSink.Traits(channels: 1))
        expectEqual(values(heard, as: Int16.self), [200, -32_768, 0])
    }

    @Test func surroundFoldsToStereoWithoutClipping() throws {
        let loud = [Float](repeating: 1, count: 6)
        let onlyLeft: [Float] = [1, 0, 0, 0, 0, 0]
        let onlyLow: [Float] = [0, 0, 0, 1, 0, 0]
        let heard = try hear(
            loud + onlyLeft + onlyLow, as: PCMFormat(rate: 48_000, channels: 6, type: .float32),
            on: SimulatedSink.Traits(channels: 2))
        let stereo = values(heard, as: Float.self)
        #expect(abs(stereo[0] - 1) < 1e-6 && abs(stereo[1] - 1) < 1e-6)
        #expect(stereo[2] > 0.4 && stereo[3] == 0)
        #expect(stereo[4] == 0 && stereo[5] == 0)
    }

    @Test func theGainScalesEverySample() throws {
        let samples = [Int16](repeating: 10_000, count: 500)
        let heard = try hear(
            samples, as: PCMFormat(rate: 8000, channels: 1, type: .int16), on: SimulatedSink.Traits(), gain: 0.5)
        expectEqual(values(heard, as: Int16.self), [Int16](repeating: 5_000, count: 500))
    }

    @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (8000, 48_000)])
    func anotherRateKeepsLengthAndPitch(from: Int, to: Int) throws {
        // A tone of a hundredth of the source's rate.
        let period = 100
        let samples: [Float] = (0..<from).map { index in
            let phase = Float(index % period) / Float(period)
            return phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase
        }
        let heard = values(
            try hear(
                samples, as: PCMFormat(rate: from, channels: 1, type: .float32), on: SimulatedSink.Traits(rate: to)),
            as: Float.self)
        #expect(abs(heard.count - to) <= 1)
        var crossings = 0
        for index in heard.indices.dropFirst() where heard[index - 1] < 0 && heard[index] >= 0 { crossings += 1 }
        #expect(abs(crossings - from / period) <= 1)
        // The filter rings where the tone is cut off; the ringing is not compared.
        #expect(heard.dropFirst(to / 50).dropLast(to / 50).allSatisfy { abs($0) < 1.05 })
    }
}
