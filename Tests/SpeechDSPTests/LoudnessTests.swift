@testable import DecoderSandbox
import PodcastModel
import SoundFilters
import TestSupport
import Testing

struct LoudnessTests {
    private func loudness(_ samples: [Float]) -> Double? {
        guard let meter = LoudnessMeter(rate: ClickTrack.rate, channels: 1) else { return nil }
        samples.withUnsafeBufferPointer { meter.add($0.baseAddress!, frames: $0.count) }
        return meter.loudness
    }

    @Test(arguments: [-30, -23, -16]) func episodesGetTheLoudnessThatWasAskedFor(_ target: Int) throws {
        var parameters = PlaybackParameters()
        parameters.loudness = target
        let track = ClickTrack(seconds: 20, gaps: [0.2], burst: 0.15)
        let output = track.play(parameters)
        expectEqual(output.samples.count, track.samples.count)
        let reached = try #require(loudness(output.samples))
        #expect(abs(reached - Double(target)) < 1.5)
    }

    @Test func aRecordingThatWasMeasuredBeforeHasItsGainFromTheFirstFrame() throws {
        let track = ClickTrack(seconds: 20, gaps: [0.2], burst: 0.15)
        var parameters = PlaybackParameters()
        parameters.measuresLoudness = true
        let measured = try #require(track.survey(parameters))
        let exact = try #require(loudness(track.samples))
        #expect(abs(Double(measured) / 100 - exact) < 0.01)

        parameters = PlaybackParameters()
        (parameters.loudness, parameters.measuredLoudness) = (-23, measured)
        let output = track.play(parameters)
        let factor = Decibels.amplitude(-23 - exact)
        let errors = zip(output.samples, track.samples).map { abs($0 - $1 * factor) }
        #expect(output.samples.count == track.samples.count && errors.max() ?? 1 < 0.001)
    }

    @Test(arguments: [false, true]) func speechWithClicksReachesItsTarget(isMeasured: Bool) throws {
        let speech = ClickTrack(seconds: 30, gaps: [0.2], burst: 0.15)
        let track = speech.playing(
            speech.samples.enumerated().map { frame, sample in
                // A click of 1 ms at -1 dB, five times a second.
                let place = frame % (ClickTrack.rate / 5)
                return place < 44 ? (place / 11 % 2 == 0 ? PeakLimiter.limit : -PeakLimiter.limit) : sample * 0.15
            })
        var parameters = PlaybackParameters()
        if isMeasured {
            parameters.measuresLoudness = true
            parameters.measuredLoudness = track.survey(parameters)
            parameters.measuresLoudness = false
        }
        parameters.loudness = -16
        let output = track.play(parameters).samples
        let reached = try #require(loudness(Array(output.dropFirst(20 * ClickTrack.rate))))
        #expect(abs(reached + 16) < 3, "\(reached)")
        #expect(output.map(abs).max() ?? 0 <= PeakLimiter.limit * 1.001)
    }

    @Test func noPeakIsBeyondTheLimit() {
        var parameters = PlaybackParameters()
        parameters.loudness = -10
        let track = ClickTrack(seconds: 10, gaps: [1.0], burst: 0.03)
        let output = track.play(parameters)
        #expect(output.samples.map(abs).max() ?? 0 <= PeakLimiter.limit * 1.001)
    }

    @Test func leveledFramesKeepTheirTime() {
        var parameters = PlaybackParameters()
        (parameters.loudness, parameters.hasVoiceBoost) = (-16, true)
        let track = ClickTrack(seconds: 5)
        let output = track.play(parameters)
        #expect(zip(output.chunks, output.frames).allSatisfy { $0.count == $1 })
        #expect(zip(output.chunks, output.chunks.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(output.chunks.first?.lowerBound == 0 && output.chunks.last?.upperBound == Int64(track.samples.count))
    }

    @Test func voiceBoostStaysWithinFullScale() {
        var parameters = PlaybackParameters()
        parameters.hasVoiceBoost = true
        let output = ClickTrack(seconds: 3).play(parameters)
        #expect(output.samples.map(abs).max() ?? 2 <= 1)
    }
}
