@testable import RefreshTool
import HTTP
import Library
import PodcastModel
import Reporting
import TestSupport
import Testing

/// Documents that take more than their share of the processor, or that ended a run.
struct CostlyDocumentTests {
    private let transport = ScriptedTransport()
    private let store = RecordingStore()

    /// Remembers in memory what a file remembers otherwise.
    private final class RememberedAttempts: AttemptRecorder {
        var unfinished: DocumentAttempt?
        var begun: [DocumentAttempt] = []
        func begin(_ attempt: DocumentAttempt) {
            unfinished = attempt
            begun.append(attempt)
        }
        func end() { unfinished = nil }
    }

    private func target(_ number: Int64, isBrokenOff: Bool = false) -> RefreshTarget {
        var target = RefreshTarget(id: FeedID(number), url: "https://show.test/\(number)", title: "Show \(number)")
        target.isBrokenOff = isBrokenOff
        return target
    }

    private func serve(_ target: RefreshTarget, pieces: Int = 1) {
        let body = FeedText.rss(episodes: 2)
        transport.scripts[target.url] =
            [.answer(HTTPHead(200, of: target.url)), .body(body)]
            + Array(repeating: .body("<!-- more -->"), count: pieces) + [.end]
    }

    private func refresher(workTime: @escaping () -> Duration = { .zero }) -> FeedRefresher {
        FeedRefresher(
            store: store, fetcher: FeedFetcher(transport: transport, workTime: workTime), clock: SteppingClock(),
            activities: ActivityBoard { Timestamp(seconds: 0) }, limits: .init(total: 8, perHost: 8, spacing: .zero))
    }

    @Test func aDocumentThatTakesTooMuchOfTheProcessorIsAFailureOfItsFeedAlone() throws {
        let (costly, honest) = (target(1), target(2))
        serve(costly, pieces: 100)
        serve(honest)
        // Each piece takes a second.
        var work = Duration.zero
        let refresher = refresher {
            work += .seconds(1)
            return work
        }
        var reports: [FeedID: FeedReport] = [:]
        _ = try refresher.refresh([costly, honest]) { reports[$0.target.id] = $0 }
        expectEqual(reports[costly.id]?.outcome, .failed(.tooCostly(seconds: 20)))
        guard case .merged = reports[honest.id]?.outcome else { throw Unexpected() }
    }

    @Test func aFeedWhoseDocumentEndedARunIsFetchedAfterTheOthersAreStored() throws {
        let (suspect, honest) = (target(1, isBrokenOff: true), target(2))
        serve(suspect)
        serve(honest)
        _ = try refresher().refresh([suspect, honest]) { _ in }
        expectEqual(transport.requests.map(\.url), [honest.url, suspect.url])
        let merged = store.calls.compactMap { call -> FeedID? in
            if case .merged(let id, _, _) = call { id } else { nil }
        }
        expectEqual(merged, [honest.id, suspect.id])
    }

    @Test func theDocumentThatIsReadIsRememberedOnlyWhileItIsRead() throws {
        let attempts = RememberedAttempts()
        let feed = target(3)
        serve(feed)
        store.rememberedAttempts = attempts
        var wasIdle = true
        _ = try refresher().refresh([feed], tick: { wasIdle = wasIdle && attempts.unfinished == nil }) { _ in }
        #expect(attempts.begun.contains(DocumentAttempt(feed: feed.id)) && attempts.unfinished == nil && wasIdle)
    }
}
