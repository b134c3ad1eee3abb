@testable import EpisodeCache
import MediaPorts
import Testing

struct FetchPlanRetryTests {
    @Test func aConnectionThatWorkedIsReplacedAtOnceAtTheSameByte() {
        var plan = makePlan()
        _ = plan.want(from: 0, now: 0)
        _ = plan.head(partial(0, 1000, of: 1000), now: 0)
        _ = plan.bytes(400)
        #expect(plan.lose() == [request(400)])
        #expect(plan.phase == .connecting)
    }

    @Test func aConnectionThatBroughtFewBytesIsRetriedLater() {
        var plan = makePlan()
        _ = plan.want(from: 0, now: 0)
        _ = plan.head(partial(0, 1000, of: 1000), now: 0)
        _ = plan.bytes(9)
        #expect(plan.lose("gone") == [.wake(number: 1, after: second / 2)])
        #expect(plan.phase == .waitingToRetry(attempt: 1, delay: 0.5, reason: "gone"))
        #expect(plan.timer(number: 1, now: second) == [request(9, attempt: 1)])
    }

    @Test func aFullDiskIsRetriedWithoutLimit() {
        var plan = makePlan()
        _ = plan.want(from: 0, now: 0)
        _ = plan.head(partial(0, 1000, of: 1000), now: 0)
        _ = plan.bytes(9)
        var now = second
        for number in 1...1000 {
            #expect(plan.foundNoRoom("full", now: now) == [.cancel, .wake(number: number, after: 5 * second)])
            #expect(plan.phase == .waitingToRetry(attempt: 1, delay: 5, reason: "full"))
            now += 5 * second
            #expect(plan.timer(number: number, now: now) == [request(9)])
        }
        // And the network has all its patience afterwards.
        #expect(plan.lose("gone", at: now) == [.wake(number: 1001, after: second / 2)])
    }

    @Test func delaysDoubleUpToALimitAndRestartAfterProgress() {
        var plan = makePlan()
        _ = plan.want(from: 0, now: 0)
        _ = plan.head(partial(0, 1000, of: 1000), now: 0)
        _ = plan.bytes(5)
        var delays: [Int64] = []
        for number in 1...9 {
            guard case .wake(_, let delay) = plan.lose().first else { break }
            delays.append(delay)
            _ = plan.timer(number: number, now: 0)
        }
        #expect(delays.map { $0 * 2 / second } == [1, 2, 4, 8, 16, 32, 60, 60, 60])
        _ = plan.head(partial(5, 1000, of: 1000), now: 0)
        _ = plan.bytes(10)
        #expect(plan.lose() == [request(15)])
        #expect(plan.lose() == [.wake(number: 10, after: second / 2)])
    }

    @Test func jitterSpreadsTheWaits() {
        var policy = RetryPolicy()
        policy.random = { 0 }
        #expect(policy.delay(beforeAttempt: 3, asked: nil) == second)
        policy.random = { 0.999 }
        #expect(policy.delay(beforeAttempt: 3, asked: nil) > 2 * second - second / 100)
    }

    @Test func aBusyServerIsRetriedWhenItAsks() {
        var plan = makePlan()
        _ = plan.want(from: 0, now: 0)
        #expect(plan.head(status(503, retryAfter: 7), now: 0) == [.cancel, .wake(number: 1, after: 7 * second)])
        #expect(plan.phase == .waitingToRetry(attempt: 1, delay: 7, reason: "h answered HTTP 503"))
    }

    @Test func aTooLongRetryAfterFails() {
        var plan = makePlan()
        _ = plan.want(from: 0, now: 0)
        #expect(plan.head(status(503, retryAfter: 3600), now: 0) == [.cancel])
        #expect(plan.failureKind == .network)
    }

    @Test func itIsGivenUpAfterMinutesWithoutAByte() {
        var plan = makePlan()
        _ = plan.want(from: 0, now: 0)
        _ = plan.head(partial(0, 1000, of: 1000), now: 0)
        _ = plan.bytes(5, at: 100 * second)
        #expect(plan.lose(at: 399 * second) != [])
        #expect(plan.failureKind == nil)
        _ = plan.timer(number: 1, now: 400 * second)
        #expect(plan.lose(at: 400 * second) == [])
        #expect(plan.phase == .failed(MediaFailure(.network, "lost; given up after 300 s")))
    }

    @Test func aServerThatWasNeverReachedIsGivenUpSooner() {
        var plan = makePlan()
        _ = plan.want(from: 0, now: 0)
        #expect(plan.ended(FetchPlan.Failure(.contact, "refused"), now: 31 * second) == [])
        #expect(plan.failureKind == .network)
    }

    @Test func aNewWantAfterTheNetworkFailedTriesAgainOnceSuspended() {
        var plan = makePlan()
        _ = plan.want(from: 0, now: 0)
        _ = plan.ended(FetchPlan.Failure(.contact, "refused"), now: 31 * second)
        #expect(plan.want(from: 0, now: 40 * second) == [])
        #expect(plan.suspend() == [])
        #expect(plan.want(from: 0, now: 50 * second) == [request(0)])
    }

    @Test func aShortBodyIsNotTheEnd() {
        var plan = makePlan()
        _ = plan.want(from: 0, now: 0)
        _ = plan.head(partial(0, 1000, of: 1000), now: 0)
        _ = plan.bytes(400)
        #expect(plan.ended(nil, now: 0) == [request(400)])
        #expect(plan.known.length == 1000)
    }

    @Test func anAnswerWithoutLengthEndsTheFileByItsEnd() {
        var plan = makePlan()
        _ = plan.want(from: 0, now: 0)
        _ = plan.head(whole(nil), now: 0)
        _ = plan.bytes(400)
        #expect(plan.ended(nil, now: 0) == [])
        #expect(plan.known.length == 400)
        #expect(plan.phase == .complete)
    }

    @Test func aResetIsNotTheEndOfAnAnswerWithoutLength() {
        var plan = makePlan()
        _ = plan.want(from: 0, now: 0)
        _ = plan.head(whole(nil), now: 0)
        _ = plan.bytes(400)
        #expect(plan.lose() == [request(400)])
        #expect(plan.known.length == nil)
    }

    @Test func aServerThatSendsFewBytesIsNotAskedInATightLoop() {
        var plan = makePlan()
        _ = plan.want(from: 0, now: 0)
        _ = plan.head(partial(0, 1, of: 1000), now: 0)
        _ = plan.bytes(1)
        #expect(plan.ended(nil, now: 0) == [.wake(number: 1, after: second / 2)])
    }

    @Test func aServerThatSendsLargePiecesIsAskedForTheNext() {
        var plan = makePlan()
        _ = plan.want(from: 0, now: 0)
        _ = plan.head(partial(0, 100, of: 1000), now: 0)
        _ = plan.bytes(100)
        #expect(plan.ended(nil, now: 0) == [request(100)])
    }

    @Test func anOldTimerDoesNothing() {
        var plan = makePlan()
        _ = plan.want(from: 0, now: 0)
        _ = plan.lose()
        _ = plan.suspend()
        #expect(plan.timer(number: 1, now: 0) == [])
        _ = plan.want(from: 0, now: 0)
        _ = plan.lose()
        #expect(plan.timer(number: 1, now: 0) == [])
        #expect(plan.timer(number: 2, now: 0) != [])
    }

    @Test func laterAttemptsUseTheOriginalURL() {
        var known = knowledge([0..<50], length: 100)
        known.pinnedURL = "http://cdn/x"
        var plan = makePlan(known: known)
        _ = plan.want(from: 0, now: 0)
        _ = plan.lose()
        #expect(plan.timer(number: 1, now: 0) == [request(50, place: "http://cdn/x", attempt: 1)])
        _ = plan.lose()
        #expect(plan.timer(number: 2, now: 0) == [request(50, attempt: 2)])
    }
}
