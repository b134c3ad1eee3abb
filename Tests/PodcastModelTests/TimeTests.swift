import Foundation
import PodcastModel
import Testing
import TestSupport

@Suite struct TimeTests {
    @Test(arguments: [
        ("90", 90_000), ("1:30", 90_000), ("1:02:03", 3_723_000), ("1:02:03.5", 3_723_500), ("1h2m3s", 3_723_000),
        ("2h", 7_200_000), ("90m", 5_400_000), ("0.25", 250), ("75:00", 4_500_000), ("1m30.5s", 90_500),
        ("1d", 86_400_000), ("1d2h", 93_600_000),
    ])
    func aTimeIsReadInEveryForm(text: String, milliseconds: Int64) {
        expectEqual(MediaTime(parsing: text)?.milliseconds, milliseconds)
        expectEqual(TimeArgument(parsing: text), .absolute(MediaTime(milliseconds: milliseconds)))
        expectEqual(TimeArgument(parsing: "+" + text), .relative(MediaTime(milliseconds: milliseconds)))
        expectEqual(TimeArgument(parsing: "-" + text), .relative(MediaTime(milliseconds: -milliseconds)))
    }

    @Test(arguments: [
        "", "+", "-", "abc", "1:60", "1:-5", "1:2:3:4", ":30", "1:", "1h2h", "2m1h", "1e3", "٣", "1.", ".5", "1.5.2",
        "99999999999999999999", "1:75:00", "1 ", "+-3", "h", "1h30", "1 30", "1h 2m", "1M", "366000d",
    ])
    func anythingElseIsRefused(text: String) {
        expectEqual(TimeArgument(parsing: text), nil)
    }

    @Test(arguments: [("50%", 0.5), ("12.5%", 0.125)])
    func aShareIsAPercentage(text: String, share: Double) {
        expectEqual(TimeArgument(parsing: text), .share(share))
        expectEqual(TimeArgument(parsing: "-" + text), .relativeShare(-share))
        expectEqual(TimeArgument(parsing: "1h" + text), nil)
    }

    @Test func settingsHaveWholeSecondsInTheSameGrammar() {
        expectEqual(
            ["90", "1:30", "1m30s", "2d", "1h"].map { SettingTime.seconds(parsing: $0) },
            [90, 90, 90, 172_800, 3600])
        expectEqual(SettingTime.seconds(parsing: "1.5"), nil)
        expectEqual(RefreshInterval(parsing: "6H"), .seconds(21_600))
        expectEqual(RefreshInterval(parsing: "10:00")?.description, "10m")
        expectEqual(RefreshInterval(parsing: "1m"), nil)
        expectEqual(RefreshInterval(parsing: "366d"), nil)
    }

    @Test func aTimeIsShownAsAClockShowsIt() {
        expectEqual(MediaTime(milliseconds: 7_999).description, "0:07")
        expectEqual(MediaTime(milliseconds: 754_000).description, "12:34")
        expectEqual(MediaTime(milliseconds: 3_723_000).description, "1:02:03")
        expectEqual(MediaTime(milliseconds: -15_000).description, "-0:15")
        #expect(MediaTime(nanoseconds: .min).description.hasPrefix("-"))
    }

    @Test(arguments: [8000, 11_025, 22_050, 44_100, 48_000, 96_000])
    func everyFrameKeepsItsNumber(rate: Int) {
        for frame in [Int64(0), 1, 2, 1151, 44_099, 158_760_001, 9_999_999_999] {
            expectEqual(MediaTime(frames: frame, rate: rate).frames(rate: rate), frame)
        }
    }

    @Test func extremesDoNotOverflow() {
        expectEqual(MediaTime(seconds: .infinity).nanoseconds, .max)
        expectEqual(MediaTime(seconds: -.infinity).nanoseconds, .min)
        expectEqual(MediaTime(seconds: .nan), .zero)
        expectEqual(MediaTime(frames: .max, rate: 48_000).nanoseconds, .max)
        expectEqual(MediaTime(frames: .min, rate: 48_000).nanoseconds, .min)
        expectEqual((MediaTime(nanoseconds: .max) + MediaTime(nanoseconds: 1)).nanoseconds, .max)
        expectEqual((MediaTime(nanoseconds: .min) - MediaTime(nanoseconds: 1)).nanoseconds, .min)
        expectEqual(MediaTime(milliseconds: .max).nanoseconds, .max)
    }

    @Test(arguments: [Int64.min, .min + 1, -62_135_596_800_001, 253_402_300_800_000, .max - 1, .max])
    func aTimeIsWithinTheYears1To9999(number: Int64) {
        let (first, last) = ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z")
        let expected = number < 0 ? first : last
        let start = Timestamp(seconds: 0)
        for time in [
            Timestamp(milliseconds: number), Timestamp(seconds: number), start.adding(seconds: number),
            start.adding(milliseconds: number), Timestamp(milliseconds: number).adding(milliseconds: number),
        ] {
            expectEqual(time.description, expected)
            expectEqual(time.adding(seconds: .max).description, last)
            expectEqual(time.adding(seconds: .min).description, first)
            #expect(Timestamp.range.contains(time.milliseconds) && Timestamp(parsing: time.description) != nil)
        }
        expectEqual(Timestamp(year: -9999, month: 1, day: 1).description, first)
    }

    @Test(arguments: [
        ("2026-11-28T09:00:00Z", 0), ("2026-11-28T09:00:00.25Z", 250), ("2026-11-28T09:00:00.123456Z", 123),
        ("2026-11-28T10:30:00.5+01:30", 500), ("2026-11-27T23:00:00-10:00", 0),
    ])
    func anInstantMayHaveAFractionAndAnOffset(text: String, milliseconds: Int64) {
        let nine = Timestamp(year: 2026, month: 11, day: 28, second: 9 * 3600)
        expectEqual(Timestamp(parsing: text), Timestamp(milliseconds: nine.milliseconds + milliseconds))
    }

    @Test(arguments: [
        "2026-11-28T09:00:00", "2026-11-28T09:00:00.Z", "2026-11-28T09:00:00.5", "2026-11-28T09:00:00+1:00",
        "2026-11-28T09:00:00+01:60", "2026-11-28T09:00:00.1Zx", "2026-11-28T09:00:00*01:00", "2026-11-28 09:00:00Z",
    ])
    func aTextThatIsNoInstantIsRefused(text: String) {
        expectEqual(Timestamp(parsing: text), nil)
    }

    @Test func datesAgreeWithTheCalendar() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "UTC")!
        for year in [1, 1582, 1600, 1900, 1969, 1970, 1999, 2000, 2024, 2026, 2100, 9999] where year > 1582 {
            for (month, day) in [(1, 1), (2, 28), (2, 29), (3, 1), (12, 31)] {
                if (month, day) == (2, 29), year % 4 != 0 || (year % 100 == 0 && year % 400 != 0) { continue }
                let date = calendar.date(from: DateComponents(year: year, month: month, day: day, hour: 13))!
                let stamp = Timestamp(year: year, month: month, day: day, second: 13 * 3600)
                expectEqual(stamp.seconds, Int64(date.timeIntervalSince1970))
                #expect(stamp.civilDate == (year, month, day))
            }
        }
    }

    @Test func timestampsAreWrittenAsRFC3339() {
        expectEqual(Timestamp(seconds: 0).description, "1970-01-01T00:00:00Z")
        expectEqual(Timestamp(milliseconds: -1).description, "1969-12-31T23:59:59Z")
        expectEqual(
            Timestamp(year: 2026, month: 11, day: 21, second: 7 * 3600 + 65).description, "2026-11-21T07:01:05Z")
    }
}
