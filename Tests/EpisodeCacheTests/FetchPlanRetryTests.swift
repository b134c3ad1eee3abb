@testable import EpisodeCache
import MediaPorts
import PodcastModel
import Testing
import TestSupport

struct FetchPlanRetryTests {
    @Test func aConnectionThatWorkedIsReplacedAtOnceAtTheSameByte() {
        var plan = receiving(400)
        expectEqual(plan.lose(), [request(400)])
        expectEqual(plan.phase, .connecting)
    }

    @Test func aConnectionThatBroughtFewBytesIsRetriedLater() {
        var plan = receiving(9)
        expectEqual(plan.lose("gone"), [.wake(number: 1, after: second / 2)])
        expectEqual(plan.phase, .waitingToRetry(attempt: 1, delay: 0.5, reason: "gone"))
        expectEqual(plan.timer(number: 1, now: start + second), [request(9, attempt: 1)])
    }

    @Test func aFileEndsWhereItsHostTwiceHasNoMore() {
        var plan = asking(makePlan(overlap: 4))
        expectEqual(plan.close(0, at: 995), [request(991)])
        expectEqual(plan.close(991, at: 995), [.wake(number: 1, after: second / 2)])
        _ = plan.timer(number: 1, now: start + second)
        expectEqual(plan.close(994, at: 995), [])
        #expect(plan.phase == .complete && plan.known.length == 995 && plan.missing == 5)
    }

    @Test func aHostThatHasMuchLessThanItAnnouncesFails() {
        var plan = asking(makePlan(overlap: 4))
        _ = plan.close(0, at: 400)
        _ = plan.close(396, at: 400)
        _ = plan.timer(number: 1, now: start + second)
        expectEqual(plan.close(399, at: 400), [])
        expectEqual(plan.phase, .failed(MediaFailure(.damaged, "h announces 1000 bytes and sends only 400")))
    }

    @Test func aConnectionThatIsLostTwiceAtTheSameByteIsNoEnd() {
        var plan = asking(makePlan(overlap: 4))
        _ = plan.close(0, at: 995)
        _ = plan.close(991, at: 995)
        _ = plan.timer(number: 1, now: start + second)
        _ = plan.head(partial(994, 1000, of: 1000), now: start)
        _ = plan.bytes(1)
        expectEqual(plan.lose(), [.wake(number: 2, after: second)])
        expectEqual(plan.known.length, 1000)
    }

    @Test(arguments: [(true, "login rejected (HTTP 401); 'podcastctl set"), (false, "login required (HTTP 401)")])
    func aRefusedLoginIsNamed(wasSent: Bool, words: String) {
        var plan = asking()
        plan.sendsLogin = wasSent
        _ = plan.head(status(401), now: start)
        guard case .failed(let failure) = plan.phase else { return #expect(Bool(false)) }
        expectContains(failure.message, words)
    }

    @Test func aFullDiskEndsTheFetchUntilTheNextRequest() {
        var plan = receiving(9)
        let full = MediaFailure(.storage, "full")
        expectEqual(plan.fail(full), [.cancel])
        #expect(plan.want(from: 0, now: start).isEmpty)
        expectEqual(plan.phase, .failed(full))
        #expect(plan.suspend().isEmpty)
        expectEqual(plan.want(from: 0, now: start), [request(9)])
    }

    @Test func delaysDoubleUpToALimitAndRestartAfterProgress() {
        var plan = receiving(5)
        var delays: [Duration] = []
        for number in 1...9 {
            guard case .wake(_, let delay) = plan.lose().first else { break }
            delays.append(delay)
            _ = plan.timer(number: number, now: start)
        }
        expectEqual(delays, [1, 2, 4, 8, 16, 32, 60, 60, 60].map { second / 2 * $0 })
        _ = plan.head(partial(5, 1000, of: 1000), now: start)
        _ = plan.bytes(10)
        expectEqual(plan.lose(), [request(15)])
        expectEqual(plan.lose(), [.wake(number: 10, after: second / 2)])
    }

    @Test func jitterSpreadsTheWaits() {
        var policy = RetryPolicy()
        policy.random = { 0 }
        expectEqual(policy.delay(beforeAttempt: 3, asked: nil), second)
        policy.random = { 0.999 }
        #expect(policy.delay(beforeAttempt: 3, asked: nil) > second * 2 - second / 100)
    }

    @Test func aBusyServerIsRetriedWhenItAsks() {
        var plan = asking()
        expectEqual(plan.head(status(503, retryAfter: 7), now: start), [.cancel, .wake(number: 1, after: second * 7)])
        expectEqual(plan.phase, .waitingToRetry(attempt: 1, delay: 7, reason: "h answered HTTP 503"))
    }

    @Test func aTooLongRetryAfterFails() {
        var plan = asking()
        expectEqual(plan.head(status(503, retryAfter: 3600), now: start), [.cancel])
        expectEqual(plan.failureKind, .network)
        expectEqual(plan.retryAfter, 3600)
    }

    @Test func itIsGivenUpAfterMinutesWithoutAByte() {
        var plan = asking()
        _ = plan.head(partial(0, 1000, of: 1000), now: start)
        _ = plan.bytes(5, at: start + second * 100)
        #expect(plan.lose(at: start + second * 399) != [])
        expectEqual(plan.failureKind, nil)
        _ = plan.timer(number: 1, now: start + second * 400)
        expectEqual(plan.lose(at: start + second * 400), [])
        expectEqual(plan.phase, .failed(MediaFailure(.network, "lost; tried for 300 s")))
    }

    @Test func aServerThatWasNeverReachedIsGivenUpSooner() {
        var plan = asking()
        expectEqual(plan.ended(FetchPlan.Failure(.contact, "refused"), now: start + second * 31), [])
        expectEqual(plan.failureKind, .network)
    }

    @Test func aServerThatAcceptsConnectionsAndStaysSilentDoesNotHoldUpTheQueueForMinutes() {
        var plan = asking()
        #expect(plan.ended(FetchPlan.Failure(.connection, "no answer"), now: start + second * 40) != [])
        _ = plan.timer(number: 1, now: start + second * 41)
        expectEqual(plan.ended(FetchPlan.Failure(.connection, "no answer"), now: start + second * 91), [])
        expectEqual(plan.phase, .failed(MediaFailure(.network, "no answer; tried for 91 s")))
    }

    @Test func aNewWantAfterTheNetworkFailedTriesAgainOnceSuspended() {
        var plan = asking()
        _ = plan.ended(FetchPlan.Failure(.contact, "refused"), now: start + second * 31)
        expectEqual(plan.want(from: 0, now: start + second * 40), [])
        expectEqual(plan.suspend(), [])
        expectEqual(plan.want(from: 0, now: start + second * 50), [request(0)])
    }

    @Test func aShortBodyIsNotTheEnd() {
        var plan = receiving(400)
        expectEqual(plan.ended(nil, now: start), [request(400)])
        expectEqual(plan.known.length, 1000)
    }

    @Test func anAnswerWithoutLengthEndsTheFileByItsEnd() {
        var plan = receiving(400, of: whole(nil))
        expectEqual(plan.ended(nil, now: start), [])
        expectEqual(plan.known.length, 400)
        expectEqual(plan.phase, .complete)
    }

    @Test func aResetIsNotTheEndOfAnAnswerWithoutLength() {
        var plan = receiving(400, of: whole(nil))
        expectEqual(plan.lose(), [request(400)])
        expectEqual(plan.known.length, nil)
    }

    @Test func aServerThatSendsFewBytesIsNotAskedInATightLoop() {
        var plan = receiving(1, of: partial(0, 1, of: 1000))
        expectEqual(plan.ended(nil, now: start), [.wake(number: 1, after: second / 2)])
    }

    @Test func aServerThatSendsLargePiecesIsAskedForTheNext() {
        var plan = receiving(100, of: partial(0, 100, of: 1000))
        expectEqual(plan.ended(nil, now: start), [request(100)])
    }

    @Test func anOldTimerDoesNothing() {
        var plan = asking()
        _ = plan.lose()
        _ = plan.suspend()
        expectEqual(plan.timer(number: 1, now: start), [])
        _ = plan.want(from: 0, now: start)
        _ = plan.lose()
        expectEqual(plan.timer(number: 1, now: start), [])
        #expect(plan.timer(number: 2, now: start) != [])
    }

    @Test func laterAttemptsUseTheOriginalURL() {
        var known = knowledge([0..<50], length: 100)
        known.redirectTarget = "http://cdn/x"
        var plan = asking(makePlan(known: known))
        _ = plan.lose()
        expectEqual(plan.timer(number: 1, now: start), [request(50, place: "http://cdn/x", attempt: 1)])
        _ = plan.lose()
        expectEqual(plan.timer(number: 2, now: start), [request(50, attempt: 2)])
    }
}
