import PodcastModel
import Testing
import TestSupport

@testable import Playback

struct ListeningMeterTests {
    private var meter = ListeningMeter()
    private let episode = EpisodeID(7)

    private mutating func hear(
        _ position: Double, at time: Double, speed: Double = 1, omitted: Double = 0, shortens: Bool = false,
        skips: [Range<MediaTime>] = [], _ other: EpisodeID? = nil
    ) {
        var parameters = PlaybackParameters()
        parameters.speed = PlaybackSpeed(factor: speed) ?? .normal
        parameters.silence = shortens ? SilenceShortening() : nil
        parameters.skips = skips
        meter.hear(
            other ?? episode, at: HeardPlace(position: seconds(position), omitted: seconds(omitted)), parameters,
            now: Instant(nanoseconds: Int64(time * 1e9)))
    }

    @Test mutating func timeBetweenTwoPositionsCounts() {
        hear(100, at: 0)
        hear(110, at: 10)
        hear(111, at: 11)
        let measured = meter.take()
        #expect(measured?.episode == episode && measured?.time.heard == .seconds(11))
        #expect(measured?.time.savedBySpeed == .zero && measured?.time.savedBySilence == .zero)
        expectEqual(meter.take(), nil)
    }

    @Test mutating func aPauseAndAJumpAreNotHeard() {
        hear(100, at: 0)
        hear(110, at: 10)
        meter.end()
        hear(500, at: 1000)
        hear(501, at: 1001)
        expectEqual(meter.take()?.time.heard, .seconds(11))
    }

    @Test mutating func whatTheSoundWaitsForIsNotHeard() {
        hear(100, at: 0)
        hear(100, at: 5)
        hear(101, at: 6)
        expectEqual(meter.take()?.time.heard, .seconds(1))
    }

    @Test mutating func doubleSpeedSavesAsMuchAsItTakes() {
        hear(0, at: 0, speed: 2)
        hear(20, at: 10, speed: 2)
        let measured = meter.take()
        expectEqual([measured?.time.heard, measured?.time.savedBySpeed], [.seconds(10), .seconds(10)])
    }

    @Test mutating func slowSpeedSavesNothing() {
        hear(0, at: 0, speed: 0.5)
        hear(5, at: 10, speed: 0.5)
        expectEqual(meter.take()?.time.savedBySpeed, .zero)
    }

    @Test mutating func whatIsLeftOutIsSavedBySilence() {
        hear(0, at: 0, speed: 2, shortens: true)
        hear(23, at: 10, speed: 2, omitted: 3, shortens: true)
        let measured = meter.take()
        expectEqual([measured?.time.savedBySilence, measured?.time.savedBySpeed], [.seconds(3), .seconds(10)])
    }

    @Test mutating func aSkippedChapterIsNotSavedBySilence() {
        let skips = [seconds(5)..<seconds(65)]
        hear(0, at: 0, shortens: true, skips: skips)
        hear(72, at: 10, omitted: 62, shortens: true, skips: skips)
        hear(82, at: 19, omitted: 63, shortens: true, skips: skips)
        expectEqual(meter.take()?.time.savedBySilence, .seconds(3))
        hear(142, at: 29, omitted: 113, skips: skips)
        expectEqual(meter.take()?.time.savedBySilence, .zero)
    }

    @Test mutating func anotherEpisodeBeginsAnew() {
        hear(0, at: 0)
        hear(10, at: 10)
        hear(0, at: 11, EpisodeID(8))
        hear(2, at: 13, EpisodeID(8))
        let measured = meter.take()
        #expect(measured?.episode == EpisodeID(8) && measured?.time.heard == .seconds(2))
    }
}
