import PodcastModel
import Testing
import TestSupport

struct SleepRequestTests {
    /// 2026-03-28T21:00:00Z: 22:00 in a zone where summer time begins in the night.
    private static let evening = Timestamp(year: 2026, month: 3, day: 28, second: 21 * 3600)
    private static let summer = Timestamp(year: 2026, month: 3, day: 29, second: 3600)
    private func parsed(_ text: String, _ episodes: Int? = nil) -> SleepRequest? {
        SleepRequest(
            parsing: text, episodes: episodes, at: Self.evening, offset: { $0 < Self.summer ? 3600 : 7200 })
    }

    @Test(arguments: [
        ("23:30", 22 * 3600 + 1800), ("until 7:00", 24 * 3600 + 5 * 3600),
        ("at 21:59", 24 * 3600 + 19 * 3600 + 59 * 60),
        ("2026-03-28T23:30:00Z", 23 * 3600 + 1800),
    ])
    func aTimeOfDayIsTheNextOneOnTheUsersClock(text: String, seconds: Int) {
        expectEqual(
            parsed(text), .until(Timestamp(year: 2026, month: 3, day: 28, second: 0).adding(seconds: Int64(seconds))))
    }

    @Test(arguments: [
        // Clocks go from 2:00 to 3:00.
        (Timestamp(year: 2026, month: 3, day: 29, second: 58 * 60), "2:30", 2 * 60),
        (Timestamp(year: 2026, month: 3, day: 29, second: 58 * 60), "3:00", 2 * 60),
        (Timestamp(year: 2026, month: 3, day: 29, second: 58 * 60), "7:00", 4 * 3600 + 2 * 60),
        (Timestamp(year: 2026, month: 3, day: 28, second: 3600 + 30 * 60), "2:30", 23 * 3600 + 30 * 60),
        // Clocks go from 3:00 to 2:00.
        (Timestamp(year: 2026, month: 10, day: 25, second: 10 * 60), "2:05", 55 * 60),
        (Timestamp(year: 2026, month: 10, day: 25, second: 10 * 60), "2:15", 5 * 60),
        (Timestamp(year: 2026, month: 10, day: 24, second: 8 * 3600), "9:59", 24 * 3600 + 59 * 60),
        (Timestamp(year: 2026, month: 10, day: 24, second: 22 * 3600 + 30), "0:00", 24 * 3600 - 30 + 3600),
    ])
    func aTimeOfDayThatClocksRepeatOrSkipIsTheFirstMomentAtOrAfterIt(now: Timestamp, text: String, seconds: Int) {
        let winter = Timestamp(year: 2026, month: 10, day: 25, second: 3600)
        let offset = { (time: Timestamp) in (Self.summer..<winter).contains(time) ? 7200 : 3600 }
        expectEqual(
            SleepRequest(parsing: text, at: now, offset: offset), .until(now.adding(seconds: Int64(seconds))))
    }

    @Test(
        arguments: [
            ("30m", nil, SleepRequest.after(.seconds(1800))), ("90", nil, .after(.seconds(5400))),
            ("90s", nil, .after(.seconds(90))), ("+10", nil, .change(.seconds(600))),
            ("1:30:00", nil, .after(.seconds(5400))), ("+10m", nil, .change(.seconds(600))),
            ("-5m", nil, .change(.seconds(-300))), ("end-of-episode", nil, .endOfEpisode(1)),
            ("end-of-episode", 3, .endOfEpisode(3)), ("end-of-chapter", nil, .endOfChapter), ("off", nil, .off),
            ("24h", nil, .after(.seconds(86_400))),
        ] as [(String, Int?, SleepRequest)])
    func aRequestIsReadAsUsersWriteIt(text: String, episodes: Int?, expected: SleepRequest) {
        expectEqual(parsed(text, episodes), expected)
    }

    @Test(
        arguments: [
            ("", nil), ("soon", nil), ("0", nil), ("+0", nil), ("25h", nil), ("-25h", nil), ("30m", 2), ("off", 1),
            ("24:00", nil), ("7:5", nil), ("until", nil), ("until 30m", nil), ("2026-03-27T23:30:00Z", nil),
            ("2027-03-27T23:30:00Z", nil), ("end-of-chapter", 1), ("end-of-episode", 0), ("end-of-episode", 101),
            ("End-of-episode", nil),
        ] as [(String, Int?)])
    func anythingElseIsRefused(text: String, episodes: Int?) {
        expectEqual(parsed(text, episodes), nil)
    }
}
