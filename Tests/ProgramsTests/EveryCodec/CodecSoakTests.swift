import Foundation
import Testing
import TestSupport

/// Hours of every codec in minutes: whole files play and their positions follow the sound, whatever is changed, and
/// what the process holds must not grow.
///
/// `PODCASTD_CODEC_HOURS` sets the hours that are heard, `PODCASTD_SEED` another listener; `scripts/soak codecs` runs 48.
@Suite(.ownThread, .timeLimit(.minutes(150)))
struct CodecSoakTests {
    @Test func everyCodecPlaysOnWhateverIsChanged() throws {
        let hours = Soak.number("PODCASTD_CODEC_HOURS", unlessSet: 0)
        let seed = UInt64(Soak.number("PODCASTD_SEED", unlessSet: 1))
        let story = try CodecStory(seed: seed, seconds: hours > 0 ? 600 : 60)
        let began = Date()
        if hours == 0 { try story.live(seconds: 300) }
        var first: MonthStory.Figures?
        for hour in 0..<hours {
            try story.live(seconds: 3600)
            let figures = story.figures
            if hour == 0 { first = figures }
            print("codecs: hour \(hour + 1): \(figures)")
            fflush(nil)
        }
        print("codecs: \(story.summary); \(Int(-began.timeIntervalSinceNow)) s")
        let last = story.figures
        if hours >= 4, let first {
            #expect(last.descriptors <= first.descriptors + 8)
            #expect(last.threads <= first.threads + 2)
            #expect(last.allocatedBytes < first.allocatedBytes + (4 << 20))
            #expect(last.residentBytes < first.residentBytes + (24 << 20))
        }
        try story.end()
    }
}
