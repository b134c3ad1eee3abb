@testable import DecoderSandbox
import PodcastModel
import TestSupport
import Testing

struct SilenceTests {
    private func parameters(speed: Int = 100, shortest: Int = 300, kept: Int = 100) -> PlaybackParameters {
        var parameters = PlaybackParameters()
        parameters.speed = PlaybackSpeed(hundredths: speed)
        parameters.silence = SilenceShortening(threshold: -45, shortest: shortest, kept: kept)
        return parameters
    }

    @Test(arguments: [50, 100, 150, 200, 300, 400]) func aClickIsHeardAtItsMediaTimeWhenPausesAreShortened(_ speed: Int)
    {
        let track = ClickTrack(seconds: 20, gaps: [0.5, 0.9, 2.5, 0.2])
        let output = track.play(parameters(speed: speed))
        let onsets = output.onsets(quiet: 700)
        expectEqual(onsets.count, track.clicks.count)
        for (heard, click) in zip(onsets, track.clicks) {
            #expect(abs(heard - Double(click)) / Double(ClickTrack.rate) < (speed == 100 ? 0.001 : 0.0155))
        }
    }

    @Test func longPausesKeepWhatWasAskedForAndShortOnesStay() {
        // Bursts of 80 ms: pauses of 220 ms and 920 ms.
        let track = ClickTrack(seconds: 20, gaps: [0.3, 1.0])
        let output = track.play(parameters())
        let short = track.clicks.count / 2
        let expected = track.samples.count - Int(Double(track.clicks.count - short) * 0.82 * Double(ClickTrack.rate))
        let tolerance = track.clicks.count * ClickTrack.rate / 40
        #expect(abs(output.samples.count - expected) < tolerance)
    }

    /// What is left out are gaps between chunks, so that the position jumps there and nowhere else.
    @Test func positionsGrowAndJumpOnlyWherePausesWere() {
        let track = ClickTrack(seconds: 10, gaps: [1.0])
        let output = track.play(parameters())
        var left: Int64 = 0
        for (before, after) in zip(output.chunks, output.chunks.dropFirst()) {
            #expect(after.lowerBound >= before.upperBound)
            left += after.lowerBound - before.upperBound
        }
        expectEqual(left, Int64(track.samples.count - output.samples.count))
        #expect(left > 0)
    }

    @Test func monoGivesEveryChannelTheMix() {
        var parameters = PlaybackParameters()
        parameters.isMono = true
        let track = ClickTrack(seconds: 1, channels: 2)
        let output = track.play(parameters)
        expectEqual(output.samples.count, track.samples.count / 2)
        #expect(
            zip(output.samples, stride(from: 0, to: track.samples.count, by: 2)).allSatisfy { sample, index in
                let mean: Float = (track.samples[index] + track.samples[index + 1]) / 2
                return abs(sample - mean) < 1e-6
            })
    }
}
