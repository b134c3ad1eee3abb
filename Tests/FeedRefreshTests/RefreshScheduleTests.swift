import FeedRefresh
import PodcastModel
import Testing

struct RefreshScheduleTests {
    private let schedule = RefreshSchedule()
    private let now = Timestamp(year: 2026, month: 11, day: 21)
    private let feed = FeedID(0)  // the feed whose offset is zero

    private func hours(
        _ outcome: RefreshSchedule.Outcome, _ wishes: RefreshSchedule.ServerWishes = .init(),
        previous: Int64? = nil
    ) -> Double {
        let due = schedule.nextDue(feed, after: outcome, wishes: wishes, previous: previous, at: now)
        return Double(due.seconds - now.seconds) / 3600
    }

    private func items(every days: Double, last daysAgo: Double = 0) -> [Timestamp] {
        (0..<20).map { now.adding(seconds: -Int64((Double($0) * days + daysAgo) * 86_400)) }
    }

    @Test func aDailyShowIsAskedAboutHourly() {
        #expect(hours(.read(published: items(every: 1))) == 1)
    }

    @Test func aWeeklyShowIsAskedAboutEverySevenHours() {
        #expect(hours(.read(published: items(every: 7))) == 7)
    }

    @Test func aShowThatFellSilentIsAskedAboutDaily() {
        #expect(hours(.read(published: items(every: 1, last: 400))) == 23)
    }

    @Test func anHourlyShowIsNotAskedAboutMoreThanHourly() {
        #expect(hours(.read(published: items(every: 0.04))) == 50.0 / 60)
    }

    @Test func datesInTheFutureDoNotCount() {
        let future = (1...9).map { now.adding(seconds: Int64($0) * 864_000) }
        #expect(hours(.read(published: future)) == 4)
    }

    @Test func aFeedOfUnknownRhythmIsAskedAboutEveryFourHours() {
        #expect(hours(.read(published: [])) == 4)
        #expect(hours(.unchanged) == 4)
    }

    @Test func anUnchangedFeedDriftsSlowlyToDaily() {
        #expect(hours(.unchanged, previous: 20 * 3600) == 21)
        #expect(hours(.unchanged, previous: 40 * 3600) == 23)
        #expect(hours(.unchanged, previous: -5) == 50.0 / 60)
    }

    @Test func aLifetimeThatTheServerNamesIsRespectedUpToADay() {
        #expect(hours(.unchanged, .init(maxAge: 10 * 3600), previous: 3600) == 10)
        #expect(hours(.read(published: items(every: 1)), .init(maxAge: 400 * 86_400)) == 23)
    }

    @Test func failuresAreTriedLessAndLessOftenButDaily() {
        let expected = [50.0 / 60, 100.0 / 60, 200.0 / 60, 400.0 / 60, 800.0 / 60, 23, 23]
        for (index, wanted) in expected.enumerated() {
            #expect(abs(hours(.failed(.status(500), inARow: index + 1)) - wanted) < 0.001)
        }
        #expect(hours(.failed(.status(404), inARow: Int.max)) == 23)
    }

    @Test func aDeadConnectionIsTriedAgainSoonBecauseItTroublesNobody() {
        #expect(abs(hours(.failed(.unreachable("no route"), inARow: 1)) - 1.0 / 6) < 0.001)
    }

    @Test func aServerThatRefusesUsIsLeftAloneForHours() {
        #expect(hours(.failed(.status(403), inARow: 1)) == 4)
    }

    @Test func retryAfterIsObeyedUpToAWeek() {
        #expect(hours(.failed(.status(503), inARow: 1), .init(retryAfter: 7200)) == 2)
        #expect(hours(.failed(.status(429), inARow: 1), .init(retryAfter: 60)) == 50.0 / 60)
        #expect(hours(.failed(.status(429), inARow: 1), .init(retryAfter: .max)) == 168)
    }

    @Test func aFeedThatIsGoneIsLookedAtWeekly() {
        #expect(hours(.failed(.status(410), inARow: 1)) == 168)
        #expect(hours(.failed(.status(410), inARow: 90)) == 168)
    }

    @Test func eachFeedHasItsOwnSteadyOffset() {
        let dues = (1...200).map { schedule.nextDue(FeedID($0), after: .unchanged, at: now) }
        let again = (1...200).map { RefreshSchedule().nextDue(FeedID($0), after: .unchanged, at: now) }
        #expect(dues == again)
        #expect(Set(dues).count > 150)
        for due in dues {
            let interval = due.seconds - now.seconds
            #expect((4 * 3600...4 * 3600 + 1800).contains(interval))
        }
    }
}
