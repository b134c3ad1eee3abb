@testable import EpisodeCache
import HTTP
import MediaPorts
import PodcastModel
import Testing
import TestSupport

/// Recognizing changed files by comparing received bytes with available ones.
struct FetchPlanOverlapTests {
    /// Half of a file is available.
    private func makeHalf(etag: String? = "\"1\"", modified: String? = nil) -> FetchPlan {
        makePlan(known: knowledge([0..<500], length: 1000, etag: etag, modified: modified), overlap: 16)
    }

    /// A 206 for what was asked for, of a version.
    private func answer(_ start: Int64, _ end: Int64 = 1000, etag: String? = "\"1\"", modified: String? = nil)
        -> HTTPHead
    {
        partial(start, end, of: 1000, etag: etag, modified: modified)
    }

    @Test func aRequestOverlapsAvailableBytesOnBothSides() {
        var plan = makePlan(known: knowledge([0..<500, 700..<705], length: 1000), overlap: 16)
        expectEqual(plan.want(from: 0, now: start), [request(484, 705)])
        _ = plan.head(answer(484, 705), now: start)
        expectEqual(plan.part(of: 300), .compare(offset: 484, count: 16))
        _ = plan.compared(16, areEqual: true)
        expectEqual(plan.part(of: 284), .store(offset: 500, count: 200))
        plan.stored(200, now: start)
        expectEqual(plan.part(of: 84), .compare(offset: 700, count: 5))
    }

    @Test func aWebPageInsteadOfTheRestIsNamedAndTheBytesAreKept() {
        var plan = makeHalf()
        plan.known.contentType = "audio/mpeg"
        plan = asking(plan)
        expectEqual(plan.head(whole(20, etag: nil, type: "text/html; charset=utf-8"), now: start), [.cancel])
        expectEqual(plan.phase, .failed(MediaFailure(.notAudio, "h: h sent a web page instead of audio")))
        expectEqual(plan.known.have.ranges, [0..<500])
    }

    @Test func aFarRequestHasNothingToCompare() {
        var plan = makeHalf()
        expectEqual(plan.want(from: 900, now: start), [request(900)])
    }

    @Test(arguments: [nil, "\"1\""] as [String?])
    func anOverlapThatDiffersIsAnotherFileWhateverItsNameIs(_ etag: String?) {
        var plan = asking(makeHalf(etag: etag))
        expectEqual(plan.head(answer(484, etag: etag), now: start), [])
        expectEqual(plan.compared(16, areEqual: false), [.cancel, .discard])
        expectEqual(plan.failureKind, .changed)
    }

    /// Validators of the available bytes and of the answer.
    @Test(
        arguments: [
            (("\"1\"", nil), ("\"2\"", nil)), (("W/\"1\"", nil), ("W/\"2\"", nil)),
            ((nil, "yesterday"), (nil, "today")),
            (("\"1\"", "yesterday"), ("\"2\"", "yesterday")),
        ] as [((String?, String?), (String?, String?))])
    func theSameBytesUnderAnotherNameAreTakenOnceMoreOfThemWereCompared(
        _ mine: (String?, String?), _ theirs: (String?, String?)
    ) {
        var plan = asking(makeHalf(etag: mine.0, modified: mine.1))
        expectEqual(plan.head(answer(484, etag: theirs.0, modified: theirs.1), now: start), [.cancel, request(460)])
        expectEqual(plan.head(answer(460, etag: theirs.0, modified: theirs.1), now: start), [])
        expectEqual(plan.part(of: 100), .compare(offset: 460, count: 40))
        expectEqual(plan.compared(40, areEqual: true), [])
        _ = plan.bytes(500)
        expectEqual(plan.ended(nil, now: start), [])
        #expect(plan.isWhole)
    }

    @Test func differentBytesOfAnotherVersionMeanAnotherFile() {
        var plan = asking(makeHalf())
        _ = plan.head(answer(484, etag: "\"2\""), now: start)
        expectEqual(plan.head(answer(460, etag: "\"3\""), now: start), [])
        expectEqual(plan.compared(40, areEqual: false), [.cancel, .discard])
        expectEqual(plan.failureKind, .changed)
    }

    @Test func nothingIsStoredBeforeAllBytesWereCompared() {
        var plan = asking(makeHalf())
        _ = plan.head(answer(484, etag: "\"2\""), now: start)
        _ = plan.head(answer(460, etag: "\"2\""), now: start)
        _ = plan.compared(39, areEqual: true)
        _ = plan.lose()
        // The next answer is doubted like the first.
        _ = plan.timer(number: 1, now: start)
        _ = plan.head(answer(481, etag: "\"2\""), now: start)
        expectEqual(plan.known.have.end(from: 0), 500)
        #expect(plan.versions != .varying)
    }

    @Test func afterwardsTheVersionsOfThisServerAreIgnored() {
        var plan = asking(makeHalf())
        _ = plan.head(answer(484, etag: "\"2\""), now: start)
        _ = plan.head(answer(460, etag: "\"2\""), now: start)
        _ = plan.bytes(60)
        expectEqual(plan.want(from: 900, now: start), [.cancel, request(900)])
        expectEqual(plan.head(answer(900, etag: "\"3\""), now: start), [])
    }

    @Test func aFarAnswerOfAnotherVersionIsAcceptedOnceOtherBytesWereCompared() {
        var plan = asking(makeHalf(), from: 900)
        expectEqual(plan.head(answer(900, etag: "\"2\""), now: start), [.cancel, request(460, 500)])
        expectEqual(plan.head(answer(460, 500, etag: "\"3\""), now: start), [])
        expectEqual(plan.bytes(40), [])
        expectEqual(plan.ended(nil, now: start), [request(900)])
        expectEqual(plan.head(answer(900, etag: "\"4\""), now: start), [])
    }

    @Test func aFarAnswerOfAnotherVersionIsAnotherFileIfOtherBytesDiffer() {
        var plan = asking(makeHalf(), from: 900)
        _ = plan.head(answer(900, etag: "\"2\""), now: start)
        _ = plan.head(answer(460, 500, etag: "\"2\""), now: start)
        expectEqual(plan.compared(40, areEqual: false), [.cancel, .discard])
    }

    @Test func aServerThatAlternatesVersionsIsGivenUp() {
        var plan = makeHalf()
        var actions = plan.want(from: 900, now: start)
        var requests = 0
        while case .request(let request)? = actions.last, requests < 100 {
            requests += 1
            // The far bytes are of another version, those that were compared of ours.
            let isFar = request.start == 900
            actions = plan.head(answer(request.start, request.end ?? 1000, etag: isFar ? "\"2\"" : "\"1\""), now: start)
            if actions.isEmpty {
                _ = plan.bytes(Int((request.end ?? 1000) - request.start))
                actions = plan.ended(nil, now: start)
            }
        }
        #expect(requests < 12)
        expectEqual(plan.failureKind, .changed)
    }

    @Test func aWholeFileOfAnotherVersionIsComparedFromItsBeginning() {
        var plan = asking(makeHalf())
        expectEqual(plan.head(whole(1000, etag: "\"2\""), now: start), [])
        expectEqual(plan.part(of: 1000), .compare(offset: 0, count: 500))
        _ = plan.bytes(1000)
        expectEqual(plan.ended(nil, now: start), [])
        #expect(plan.isWhole)
    }

    @Test func aWholeFileOfAnotherVersionIsAnotherFileIfItsBeginningIsMissing() {
        var plan = asking(makePlan(known: knowledge([100..<500], length: 1000), overlap: 16))
        expectEqual(plan.head(whole(1000, etag: "\"2\""), now: start), [.cancel, .discard])
    }

    // MARK: Answers that break off

    @Test func aServerThatBreaksOffEarlySendsNewBytesEachTime() {
        var plan = makePlan(overlap: 16, useful: 4)
        var (now, position) = (start, Int64(0))
        var actions = plan.want(from: 0, now: now)
        for _ in 0..<50 {
            guard case .request(let request)? = actions.last else { break }
            #expect(request.start <= position && position - request.start <= 16)
            _ = plan.head(answer(request.start), now: now)
            _ = plan.bytes(8, at: now)
            position = plan.known.have.end(from: 0)
            actions = plan.lose(at: now)
            if case .wake(let number, let delay)? = actions.last {
                expectEqual(delay, plan.settings.retry.pause)
                now += delay
                actions = plan.timer(number: number, now: now)
            }
        }
        // Of eight bytes two are compared.
        #expect(position >= 49 * 6)
    }

    @Test func aServerThatSendsOneByteGetsAtMostTwoRequestsASecond() {
        var plan = makePlan(overlap: 16, useful: 4)
        var now = start
        var actions = plan.want(from: 0, now: now)
        for count in 1...20 {
            guard case .request(let request)? = actions.last else { break }
            _ = plan.head(answer(request.start), now: now)
            _ = plan.bytes(1, at: now)
            #expect(plan.known.have.end(from: 0) == count)
            actions = plan.lose(at: now)
            guard case .wake(let number, let delay)? = actions.last else { break }
            expectEqual(delay, second / 2)
            now += delay
            actions = plan.timer(number: number, now: now)
        }
        expectEqual(plan.known.have.end(from: 0), 20)
    }
}
