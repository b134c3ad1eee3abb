import HTTP
@testable import RefreshTool
import Library
import PodcastModel
import Testing
import TestSupport

struct RefreshScheduleTests {
    private let schedule = RefreshSchedule()
    private let now = Timestamp(year: 2026, month: 11, day: 21)
    private let feed = FeedID(0)  // the feed whose offset is zero

    private func hours(
        _ outcome: RefreshSchedule.Outcome, _ hints: RefreshSchedule.ServerHints = .init(),
        previous: Int64? = nil
    ) -> Double {
        let due = plan(outcome, .init(hints: hints, previous: previous)).due
        return Double(due.seconds - now.seconds) / 3600
    }

    private func hours(_ published: [Timestamp], _ hints: RefreshSchedule.ServerHints = .init()) -> Double {
        let due = plan(.read, .init(hints: hints, cadence: Cadence(of: published, at: now))).due
        return Double(due.seconds - now.seconds) / 3600
    }

    private func plan(
        _ outcome: RefreshSchedule.Outcome, _ known: RefreshSchedule.Knowledge, at time: Timestamp? = nil
    ) -> RefreshSchedule.Plan {
        schedule.next(feed, after: outcome, knowing: known, at: time ?? now)
    }

    private func items(every days: Double, last daysAgo: Double = 0) -> [Timestamp] {
        (0..<20).map { now.adding(seconds: -Int64((Double($0) * days + daysAgo) * 86_400)) }
    }

    @Test func aDailyShowIsAskedAboutHourly() {
        expectEqual(hours(items(every: 1)), 1)
    }

    @Test func aWeeklyShowIsAskedAboutEverySevenHours() {
        expectEqual(hours(items(every: 7)), 7)
    }

    @Test func aShowThatFellSilentIsAskedAboutDaily() {
        expectEqual(hours(items(every: 1, last: 400)), 23)
    }

    @Test func anHourlyShowIsNotAskedAboutMoreThanHourly() {
        expectEqual(hours(items(every: 0.04)), 50.0 / 60)
    }

    @Test func datesInTheFutureDoNotCount() {
        let future = (1...9).map { now.adding(seconds: Int64($0) * 864_000) }
        expectEqual(hours(future), 4)
    }

    @Test func aFeedOfUnknownRhythmIsAskedAboutEveryFourHours() {
        expectEqual(hours([]), 4)
        expectEqual(hours(.unchanged), 4)
    }

    @Test func anUnchangedFeedDriftsSlowlyToDaily() {
        expectEqual(hours(.unchanged, previous: 20 * 3600), 21)
        expectEqual(hours(.unchanged, previous: 40 * 3600), 23)
        expectEqual(hours(.unchanged, previous: -5), 50.0 / 60)
    }

    @Test func aLifetimeThatTheServerNamesIsRespectedUpToADay() {
        expectEqual(hours(.unchanged, .init(maxAge: 10 * 3600), previous: 3600), 10)
        expectEqual(hours(items(every: 1), .init(maxAge: 400 * 86_400)), 23)
    }

    @Test func failuresAreTriedLessAndLessOftenButDaily() {
        let expected = [50.0 / 60, 100.0 / 60, 200.0 / 60, 400.0 / 60, 800.0 / 60, 23, 23]
        for (index, wanted) in expected.enumerated() {
            #expect(abs(hours(.failed(.status(500), inARow: index + 1)) - wanted) < 0.001)
        }
        expectEqual(hours(.failed(.status(404), inARow: Int.max)), 23)
    }

    @Test func aDeadConnectionIsTriedAgainSoonBecauseItTroublesNobody() {
        #expect(abs(hours(.failed(.transfer(.connect, "no route"), inARow: 1)) - 1.0 / 6) < 0.001)
    }

    @Test func aServerThatRefusesUsIsLeftAloneForHours() {
        expectEqual(hours(.failed(.status(403), inARow: 1)), 4)
    }

    @Test func retryAfterIsObeyedUpToAWeek() {
        expectEqual(hours(.failed(.status(503), inARow: 1), .init(retryAfter: 7200)), 2)
        expectEqual(hours(.failed(.status(429), inARow: 1), .init(retryAfter: 60)), 50.0 / 60)
        expectEqual(hours(.failed(.status(429), inARow: 1), .init(retryAfter: .max)), 168)
    }

    @Test func aFeedThatIsGoneIsStopped() {
        expectEqual(plan(.failed(.status(410), inARow: 1), .init()).reason, .gone)
        expectEqual(plan(.failed(.status(404), inARow: 1), .init()).reason, .failure)
    }

    @Test func eachFeedHasItsOwnSteadyOffset() {
        let dues = (1...200).map { schedule.next(FeedID($0), after: .unchanged, at: now).due }
        let again = (1...200).map { RefreshSchedule().next(FeedID($0), after: .unchanged, at: now).due }
        expectEqual(dues, again)
        #expect(Set(dues).count > 150)
        for due in dues {
            let interval = due.seconds - now.seconds
            #expect((4 * 3600...4 * 3600 + 1800).contains(interval))
        }
    }

    private func expected(_ hours: Int64, _ reason: DueReason) -> RefreshSchedule.Plan {
        RefreshSchedule.Plan(due: now.adding(seconds: hours * 3600), reason: reason)
    }

    private func rhythm(_ set: (inout UpdateRhythm) -> Void) -> RefreshSchedule.Knowledge {
        var known = RefreshSchedule.Knowledge(cadence: Cadence(of: items(every: 1), at: now))
        set(&known.rhythm)
        return known
    }

    @Test func theDocumentsOwnPatienceIsRespectedUpToADay() {
        let daily = plan(.unchanged, rhythm { $0.patience = 6 * 3600 })
        #expect((daily.due.seconds - now.seconds, daily.reason) == (6 * 3600, .publisher))
        expectEqual(plan(.read, rhythm { $0.patience = 60 }).reason, .cadence)
        expectEqual(plan(.read, rhythm { $0.patience = 90 * 86_400 }).due.seconds - now.seconds, 23 * 3600)
    }

    @Test func thePublishersPlanCountsWhereNoEpisodeShowsACadence() {
        var known = RefreshSchedule.Knowledge()
        known.rhythm.plannedGap = 7 * 86_400
        expectEqual(plan(.unchanged, known), expected(7, .publisher))
    }

    @Test func aFeedThatIsCompleteIsLookedAtWeekly() {
        let complete = plan(.unchanged, rhythm { $0.isComplete = true })
        #expect((complete.due.seconds - now.seconds, complete.reason) == (7 * 86_400, .complete))
    }

    @Test func quietHoursAndDaysArePassedOver() {
        // 2026-11-21 is a Saturday; the next try would be at one o'clock.
        let night = plan(.read, rhythm { $0.quietHours = 0b1111_1110 })
        expectEqual(night, expected(8, .quietTime))
        let weekend = plan(.read, rhythm { $0.quietDays = 0b100_0001 })
        expectEqual(weekend, expected(48, .quietTime))
        expectEqual(plan(.read, rhythm { $0.quietDays = 0b000_0010 }).reason, .cadence)
    }

    @Test func aClockBefore1970StallsNothing() {
        let early = Timestamp(seconds: -90_000)
        let next = plan(.unchanged, rhythm { $0.quietHours = 0xFF }, at: early)
        #expect((1...86_400).contains(next.due.seconds - early.seconds))
    }

    @Test func theBodyIsAskedForWeeklyWhateverTheValidatorsSay() {
        func isDue(after days: Double, _ wrong: Int = 0, _ cadence: Cadence? = nil, feed: Int64 = 0) -> Bool {
            schedule.isFullFetchDue(
                FeedID(feed), last: now.adding(seconds: -Int64(days * 86_400)), falseUnchanged: wrong,
                cadence: cadence, at: now)
        }
        #expect(!isDue(after: 5.9) && isDue(after: 7))
        #expect(isDue(after: 1, 1) && !isDue(after: 0.5, 1))
        let days = (1...100).map { feed in (12...14).first { isDue(after: Double($0) / 2, feed: Int64(feed)) } }
        expectEqual(Set(days), [13, 14])
        #expect(isDue(after: -3), "a clock that went back")
        let overdue = Cadence(gap: 86_400, newest: now.adding(seconds: -2 * 86_400))
        let ended = Cadence(gap: 86_400, newest: now.adding(seconds: -300 * 86_400))
        #expect(isDue(after: 1, 0, overdue) && !isDue(after: 1, 0, ended))
    }
}
