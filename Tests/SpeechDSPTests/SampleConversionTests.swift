@testable import DecoderSandbox
import MediaPorts
import PodcastModel
import TestSupport
import Testing

struct SampleConversionTests {
    /// A float in units of the integer.
    private static let rounded: [(Float, Int16)] = [
        (0, 0), (32768, 32767), (-32768, -32768), (50_000, 32767), (-200_000, -32768), (.infinity, 32767),
        (1.4, 1), (-1.4, -1), (1.5, 2), (2.5, 2), (-2.5, -2),
    ]

    private func integers(_ floats: [Float]) -> [Int16] {
        var integers = [Int16](repeating: 0, count: floats.count)
        integers.withUnsafeMutableBytes { bytes in
            if let base = bytes.baseAddress {
                SampleConversion.fromFloat(floats, count: floats.count, .int16, into: base)
            }
        }
        return integers
    }

    @Test(arguments: rounded) func aFloatBecomesTheNearestInteger(_ units: Float, _ expected: Int16) {
        expectEqual(integers([units / 32768]), [expected])
    }

    @Test func integersSurviveTheWayToFloatsAndBack() {
        let samples = (Int16.min...Int16.max).map { $0 }
        var floats = [Float](repeating: 0, count: samples.count)
        samples.withUnsafeBytes { SampleConversion.toFloat($0, .int16, into: &floats) }
        expectEqual(integers(floats), samples)
    }

    /// A filter would keep such a value, and nothing else would be heard until the next seek.
    @Test(arguments: [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude])
    func aBrokenSampleIsNotHeardForLong(_ broken: Float) throws {
        let track = ClickTrack(seconds: 3)
        var parameters = PlaybackParameters()
        parameters.hasVoiceBoost = true
        parameters.loudness = -20
        var samples = track.samples
        samples[10] = broken
        let output = track.playing(samples).play(parameters)
        #expect(output.samples.allSatisfy { $0.isFinite && abs($0) <= 1 })
        #expect(output.onsets(above: 0.05).count >= track.clicks.count - 1)
    }
}
