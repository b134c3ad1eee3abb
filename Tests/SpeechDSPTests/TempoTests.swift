@testable import DecoderSandbox
import PodcastModel
import TestSupport
import Testing

struct TempoTests {
    private func parameters(_ hundredths: Int) -> PlaybackParameters {
        var parameters = PlaybackParameters()
        parameters.speed = PlaybackSpeed(hundredths: hundredths)
        return parameters
    }

    @Test func neutralParametersNeedNoChain() {
        #expect(SoundChain(.neutral, ClickTrack(seconds: 1).format) == nil)
    }

    /// libsonic blends two places at most one pitch period apart, 15 ms.
    @Test(arguments: [50, 75, 125, 150, 200, 250, 300, 400]) func aClickIsHeardAtItsMediaTime(_ hundredths: Int) throws
    {
        let track = ClickTrack(seconds: 20)
        let output = track.play(parameters(hundredths))
        let onsets = output.onsets()
        expectEqual(onsets.count, track.clicks.count)
        var worst = 0.0
        for (heard, click) in zip(onsets, track.clicks) {
            worst = max(worst, abs(heard - Double(click)) / Double(ClickTrack.rate))
        }
        #expect(worst < 0.0155)
    }

    @Test(arguments: [50, 125, 150, 200, 300, 400]) func theSpeedIsWhatWasAskedFor(_ hundredths: Int) {
        let track = ClickTrack(seconds: 5)
        let output = track.play(parameters(hundredths))
        let expected = Double(track.samples.count) * 100 / Double(hundredths)
        #expect(abs(Double(output.samples.count) / expected - 1) < 0.02)
    }

    /// Every frame of the file is accounted for, and in order.
    @Test(arguments: [50, 95, 150, 185, 200, 205, 400]) func chunksFollowEachOtherToTheEnd(_ hundredths: Int) {
        let track = ClickTrack(seconds: 5)
        let output = track.play(parameters(hundredths), piece: 777)
        var end: Int64 = 0
        for chunk in output.chunks {
            expectEqual(chunk.lowerBound, end)
            end = chunk.upperBound
        }
        expectEqual(end, Int64(track.samples.count))
    }

    @Test func channelsStayApart() {
        let track = ClickTrack(seconds: 2, channels: 2)
        expectEqual(track.play(parameters(150)).onsets().count, track.clicks.count)
    }
}
