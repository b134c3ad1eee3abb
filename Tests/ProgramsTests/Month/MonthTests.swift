import AudioOutput
import Foundation
import Testing
import TestSupport

/// A listener's month in minutes: every frame that is heard is held against the file, and what the process holds must
/// not grow.
///
/// `PODCASTD_MONTH` sets the days, `PODCASTD_SEED` another listener; `scripts/soak month` runs thirty days.
@Suite(.ownThread, .timeLimit(.minutes(60)))
struct MonthTests {
    @Test func aListeningMonthIsHeardFrameByFrameAndNothingGrows() throws {
        let days = Soak.number("PODCASTD_MONTH", unlessSet: 2)
        let isWhole = days >= 10
        let story = try MonthStory(
            seed: UInt64(Soak.number("PODCASTD_SEED", unlessSet: 1)), dailySeconds: isWhole ? 3 * 3600 : 1200)
        var marks: [MonthStory.Figures] = []
        let began = Date()
        for day in 1...days {
            try story.live()
            if day == 1 || day == days || day % 10 == 0 {
                marks.append(story.figures)
                print("month: day \(day): \(story.figures)")
                // Shows that time passes.
                fflush(nil)
            }
        }
        print("month: \(story.summary); \(Int(-began.timeIntervalSinceNow)) s")
        // Other tests of this process use descriptors and memory, too.
        if isWhole, let first = marks.first, let last = marks.last {
            #expect(last.descriptors <= first.descriptors)
            #expect(last.threads <= first.threads)
            #expect(last.allocatedBytes < first.allocatedBytes + (2 << 20))
            #expect(last.residentBytes < first.residentBytes + (16 << 20))
        }
        try story.end()
    }
}
