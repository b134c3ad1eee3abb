@testable import EpisodeCache
@testable import HTTP
import MediaPorts
import PodcastModel
import Testing
import TestSupport

struct FetchPlanTests {
    @Test func theFirstRequestIsForTheWholeFileAndTheOnlyOne() {
        var plan = makePlan()
        expectEqual(plan.want(from: 0, now: start), [request(0)])
        expectEqual(plan.phase, .connecting)
        expectEqual(plan.head(partial(0, 500, of: 500), now: start), [])
        expectEqual(plan.phase, .receiving)
        expectEqual(plan.bytes(500), [])
        expectEqual(plan.ended(nil, now: start), [])
        expectEqual(plan.phase, .complete)
        #expect(plan.isWhole)
    }

    @Test func aSecondWantOnTheWayMakesNoRequest() {
        var plan = asking()
        expectEqual(plan.want(from: 50, now: start), [])
        expectEqual(plan.absorb(wantFrom: 60), true)
        expectEqual(plan.wanted, 60)
    }

    @Test func aFarWantReplacesTheRequest() {
        var plan = receiving(20, of: partial(0, 5000, of: 5000))
        expectEqual(plan.absorb(wantFrom: 4000), false)
        expectEqual(plan.want(from: 4000, now: start), [.cancel, request(4000)])
    }

    @Test func aWantBeforeTheReceivedBytesMakesARequest() {
        var plan = asking(from: 3000)
        _ = plan.head(partial(3000, 5000, of: 5000), now: start)
        _ = plan.bytes(20)
        expectEqual(plan.want(from: 0, now: start), [.cancel, request(0, 3000)])
    }

    @Test func aGapIsFilledToItsEndAndNotBeyond() {
        var plan = makePlan(known: knowledge([0..<100, 200..<300], length: 400))
        expectEqual(plan.want(from: 0, now: start), [request(100, 200)])
        expectEqual(plan.head(partial(100, 200, of: 400), now: start), [])
        expectEqual(plan.bytes(100), [])
        expectEqual(plan.ended(nil, now: start), [request(300)])
        expectEqual(plan.head(partial(300, 400, of: 400), now: start), [])
        expectEqual(plan.bytes(100), [])
        expectEqual(plan.ended(nil, now: start), [])
        #expect(plan.isWhole)
    }

    @Test func aCompleteFileIsNeverRequested() {
        var plan = makePlan(known: knowledge([0..<100], length: 100))
        expectEqual(plan.phase, .complete)
        expectEqual(plan.absorb(wantFrom: 0), true)
        expectEqual(plan.want(from: 0, now: start), [])
        expectEqual(plan.want(from: 1000, now: start), [])
    }

    @Test func itPausesAtTheReadAheadAndContinuesAtHalfOfIt() {
        var plan = asking(makePlan(readAhead: 100))
        _ = plan.head(partial(0, 1000, of: 1000), now: start)
        expectEqual(plan.bytes(99), [])
        expectEqual(plan.bytes(1), [])
        #expect(plan.isHeld)
        expectEqual(plan.phase, .idle)
        expectEqual(plan.absorb(wantFrom: 50), true)
        expectEqual(plan.absorb(wantFrom: 51), false)
        expectEqual(plan.want(from: 51, now: start), [.resume])
        expectEqual(plan.phase, .receiving)
    }

    @Test func bytesThatComeAfterThePauseAreKept() {
        var plan = receiving(100, by: makePlan(readAhead: 100))
        #expect(plan.isHeld)
        _ = plan.bytes(30)
        expectEqual(plan.known.have.ranges, [0..<130])
        #expect(plan.isHeld)
    }

    @Test func aConnectionLostWhilePausedIsReplacedWhenBytesAreWanted() {
        var plan = receiving(100, by: makePlan(readAhead: 100))
        expectEqual(plan.lose(at: start + second * 900), [])
        expectEqual(plan.phase, .idle)
        expectEqual(plan.want(from: 90, now: start + second * 900), [request(100)])
    }

    @Test func onAFullDiskItContinuesWithTheSpaceOfTheBytesThatWereRead() {
        var plan = receiving(100)
        expectEqual(plan.waitForRoom(MediaFailure(.storage, "full")), [.cancel])
        expectEqual(plan.phase, .idle)
        expectEqual(plan.want(from: 49, now: start), [])
        expectEqual(plan.want(from: 50, now: start), [request(100)])
        expectEqual(plan.forgetUnwanted(), 50..<100)
        expectEqual(plan.known.have.ranges, [50..<100])
        _ = plan.head(partial(100, 1000, of: 1000), now: start)
        _ = plan.bytes(50)
        expectEqual(plan.want(from: 20, now: start), [.cancel, request(20, 50)])
    }

    @Test func onAFullDiskWithoutUnreadBytesItFails() {
        var plan = receiving(100)
        _ = plan.want(from: 100, now: start)
        expectEqual(plan.waitForRoom(MediaFailure(.storage, "full")), [.cancel])
        expectEqual(plan.failureKind, .storage)
    }

    @Test func aLiveStreamContinuesAfterItsLastByteIfEarlierOnesWereForgotten() {
        var headers = HTTPHeaders()
        headers.append(line: Array("icy-name: Radio".utf8))
        let live = HTTPHead(status: 200, headers: headers, effectiveURL: "http://h/x", hops: [])
        var plan = asking()
        _ = plan.head(live, now: start)
        _ = plan.bytes(100)
        _ = plan.want(from: 80, now: start)
        expectEqual(plan.forgetUnwanted(), 80..<100)
        expectEqual(plan.lose().count, 1)
        _ = plan.head(live, now: start)
        expectEqual(plan.part(of: 10), .store(offset: 100, count: 10))
    }

    @Test func suspendCancelsTheRequestAndWantContinuesAtTheSameByte() {
        var plan = receiving(30)
        expectEqual(plan.suspend(), [.cancel])
        expectEqual(plan.phase, .idle)
        expectEqual(plan.want(from: 10, now: start), [request(30)])
    }

    @Test func aWantBeforeTheBeginningIsTheBeginning() {
        var plan = makePlan()
        expectEqual(plan.want(from: -5, now: start), [request(0)])
    }

}

struct FetchPlanAnswerTests {
    @Test func aServerWithoutRangesIsWaitedFor() {
        var plan = makePlan(readAhead: 5000)
        expectEqual(plan.want(from: 900, now: start), [request(900)])
        expectEqual(plan.head(whole(2000), now: start), [])
        #expect(!plan.isSeekable)
        expectEqual(plan.want(from: 1900, now: start), [])
        expectEqual(plan.bytes(2000), [])
        expectEqual(plan.known.have.ranges, [0..<2000])
    }

    @Test func aServerThatForgetsRangesIsSkippedToTheByte() {
        var plan = makePlan(known: knowledge([0..<50], length: 100))
        expectEqual(plan.want(from: 0, now: start), [request(50)])
        expectEqual(plan.head(whole(100), now: start), [])
        expectEqual(plan.part(of: 1000), .compare(offset: 0, count: 50))
        expectEqual(plan.compared(50, areEqual: true), [])
        expectEqual(plan.part(of: 1000), .store(offset: 50, count: 50))
    }

    @Test func differentBytesMeanAChangedFile() {
        var plan = asking(makePlan(known: knowledge([0..<50], length: 100, etag: nil)))
        _ = plan.head(whole(100, etag: nil), now: start)
        expectEqual(plan.compared(50, areEqual: false), [.cancel, .discard])
        expectEqual(plan.failureKind, .changed)
    }

    @Test(arguments: [partial(50, 101, of: 101), whole(99), whole(101, etag: "\"2\"")])
    func aFileOfAnotherLengthIsNeverSplicedOn(head: HTTPHead) {
        var plan = asking(makePlan(known: knowledge([0..<50], length: 100)))
        expectEqual(plan.head(head, now: start), [.cancel, .discard])
        expectEqual(plan.failureKind, .changed)
        expectEqual(plan.want(from: 0, now: start), [])
    }

    @Test(arguments: [partial(40, 100, of: 100), partial(51, 100, of: 100), status(206)])
    func aRangeThatNobodyAskedForIsNotTrusted(head: HTTPHead) {
        var plan = asking(makePlan(known: knowledge([0..<50], length: 100)))
        expectEqual(plan.head(head, now: start), [.cancel, request(0, ranged: false)])
        expectEqual(plan.head(head, now: start), [.cancel])
        expectEqual(plan.failureKind, .network)
    }

    @Test func a416AtTheEndMeansComplete() {
        var plan = makePlan(known: knowledge([0..<100]))
        expectEqual(plan.want(from: 0, now: start), [request(100)])
        let head = unsatisfiable(100)
        expectEqual(plan.head(head, now: start), [.cancel])
        expectEqual(plan.phase, .complete)
        expectEqual(plan.known.length, 100)
    }

    @Test func a416WithAnotherLengthMeansChanged() {
        var plan = asking(makePlan(known: knowledge([0..<50], length: 100)))
        let head = unsatisfiable(40)
        expectEqual(plan.head(head, now: start), [.cancel, .discard])
    }

    @Test func a416WithinTheFileMeansThatRangesAreRefused() {
        var plan = asking(makePlan(known: knowledge([0..<50], length: 100)))
        let head = unsatisfiable(100)
        expectEqual(plan.head(head, now: start), [.cancel, request(0, ranged: false)])
    }

    @Test func anEmptyFileFails() {
        let empty = MediaFailure(.notAudio, "h sent an empty file")
        var plan = asking()
        expectEqual(plan.head(whole(0), now: start), [])
        expectEqual(plan.ended(nil, now: start), [.cancel, .discard])
        expectEqual(plan.phase, .failed(empty))
        var ranged = asking()
        expectEqual(ranged.head(unsatisfiable(0), now: start).last, .discard)
        expectEqual(ranged.phase, .failed(empty))
    }

    @Test(
        arguments: [
            (404, .notFound), (410, .notFound), (401, .forbidden), (403, .forbidden), (400, .network), (302, .network),
            (204, .network),
        ] as [(Int, MediaFailure.Kind)])
    func someAnswersAreFinal(code: Int, kind: MediaFailure.Kind) {
        var plan = asking()
        expectEqual(plan.head(status(code), now: start), [.cancel])
        expectEqual(plan.failureKind, kind)
    }

    @Test func theTargetOfRedirectsIsUsedUntilItIsGone() {
        var known = knowledge([0..<50], length: 100)
        known.redirectTarget = "http://cdn/x"
        var plan = makePlan(known: known)
        expectEqual(plan.want(from: 0, now: start), [request(50, place: "http://cdn/x")])
        expectEqual(plan.head(status(403), now: start), [.cancel, request(50)])
        expectEqual(plan.head(status(403), now: start), [.cancel])
        expectEqual(plan.failureKind, .forbidden)
    }

    @Test func redirectsArePinned() {
        var plan = asking()
        var head = partial(0, 100, of: 100)
        head.effectiveURL = "http://cdn/x"
        head.hops = [HTTPHop(status: 302, from: "http://h/x", to: "http://cdn/x")]
        _ = plan.head(head, now: start)
        _ = plan.bytes(20)
        expectEqual(plan.lose(), [request(20, place: "http://cdn/x")])
    }

    @Test func aFileThatIsTooLongIsRefused() {
        var settings = FetchPlan.Settings()
        settings.maximumLength = 1000
        var plan = FetchPlan(host: "h", settings: settings)
        _ = plan.want(from: 0, now: start)
        expectEqual(plan.head(whole(1001), now: start), [.cancel, .discard])
        var endless = FetchPlan(host: "h", settings: settings)
        _ = endless.want(from: 0, now: start)
        expectEqual(endless.head(whole(nil), now: start), [])
        expectEqual(endless.bytes(1001), [.cancel, .discard])
        // The file is as long at every further try.
        #expect(plan.failureKind == .notAudio && endless.failureKind == .notAudio)
    }
}

extension FetchPlan {
    var failureKind: MediaFailure.Kind? {
        guard case .failed(let failure) = phase else { return nil }
        return failure.kind
    }
}
