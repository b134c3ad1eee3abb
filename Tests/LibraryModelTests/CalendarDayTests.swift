@testable import Library
import PodcastModel
import Testing
import TestSupport

struct CalendarDayTests {
    @Test(
        arguments: [
            ("2026-11-22", "2026-11-22"), ("2026-11", "2026-11-01"), ("2026", "2026-01-01"),
            ("2024-02-29", "2024-02-29"),
            ("2026-2-9", nil), ("2026-1", nil), ("2026-02-29", nil), ("2026-13", nil), ("2026-00", nil), ("26", nil),
            ("", nil),
            ("2026-11-22-1", nil), ("2026--1", nil), ("yesterday", nil),
        ] as [(String, String?)])
    func aDayIsReadFromADateAMonthOrAYear(text: String, day: String?) {
        expectEqual(CalendarDay(parsing: text)?.description, day)
    }

    @Test(arguments: [
        ("2026-11-22T22:59:59Z", 0, "2026-11-22"), ("2026-11-22T23:00:00Z", 3600, "2026-11-23"),
        ("2026-11-22T00:30:00Z", -3600, "2026-11-21"), ("1969-12-31T23:59:59Z", 0, "1969-12-31"),
    ])
    func aDayIsThatOfTheLocalCalendar(time: String, offset: Int, day: String) throws {
        let parts = time.split { "-T:Z".contains($0) }.compactMap { Int($0) }
        let instant = Timestamp(
            year: parts[0], month: parts[1], day: parts[2], second: parts[3] * 3600 + parts[4] * 60 + parts[5])
        expectEqual(CalendarDay(instant, offset: offset).description, day)
    }
}
