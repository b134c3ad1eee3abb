import PodcastModel
import Reporting
import Synchronization
import TestSupport
import Testing

/// Counts the reports to an observer.
final class Counter: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func increment() { number.withLock { $0 += 1 } }
}

struct ActivityBoardTests {
    let board = ActivityBoard { Timestamp(seconds: 1_000) }

    @Test func anActivityIsShownFromItsBeginningToItsEnd() {
        #expect(board.snapshot.isEmpty)
        let handle = board.begin(.loading, "Loading playlist", subject: "News")
        var begun = Activity()
        (begun.id, begun.kind, begun.since) = (handle.id, .loading, Timestamp(seconds: 1_000))
        (begun.message, begun.subject) = ("Loading playlist", "News")
        expectEqual(board.snapshot, [begun])
        handle.end()
        #expect(board.snapshot.isEmpty)
    }

    @Test func whatAnUpdateLeavesOutStays() {
        let handle = board.begin(.refreshing, "Refreshing", subject: "News", progress: 0.25, parent: nil)
        handle.update(message: "Refreshing 3 of 4 feeds")
        expectEqual(board.snapshot.first?.message, "Refreshing 3 of 4 feeds")
        expectEqual(board.snapshot.first?.subject, "News")
        expectEqual(board.snapshot.first?.progress, 0.25)
        handle.update(progress: 0.75)
        expectEqual(board.snapshot.first?.message, "Refreshing 3 of 4 feeds")
        expectEqual(board.snapshot.first?.progress, 0.75)
    }

    @Test func messageAndSubjectAreBoundedAndHoldNoControlCharacters() {
        let hostile = String(repeating: "\u{1}a\u{9B}\u{202E}\u{2067}\u{2028}", count: 4000)
        let handle = board.begin(.loading, hostile, subject: hostile)
        func check() {
            for text in [board.snapshot[0].message, board.snapshot[0].subject ?? ""] {
                expectEqual(text.unicodeScalars.count, Activity.maximumLength)
                expectEqual(Set(text.unicodeScalars), ["a", " ", "…"])
            }
        }
        check()
        handle.update(message: "-", subject: "-")
        handle.update(message: hostile, subject: hostile)
        check()
    }

    @Test func anActivityEndsWhenItsHandleGoes() {
        do {
            let handle = board.begin(.seeking, "Seeking")
            expectEqual(board.snapshot.map(\.id), [handle.id])
        }
        #expect(board.snapshot.isEmpty)
    }

    @Test func anActivityEndsWhenTheWorkThrows() {
        struct Fault: Error {}
        func work() throws {
            let activity = board.begin(.subscribing, "Subscribing")
            defer { withExtendedLifetime(activity) {} }
            throw Fault()
        }
        #expect(throws: Fault.self) { try work() }
        #expect(board.snapshot.isEmpty)
    }

    @Test func anActivityEndsWhenItsTaskIsCancelled() async {
        let board = self.board
        let (began, announce) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            let activity = board.begin(.downloading, "Downloading")
            announce.yield()
            let (never, hold) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            withExtendedLifetime((activity, hold)) {}
        }
        for await _ in began { break }
        expectEqual(board.snapshot.count, 1)
        task.cancel()
        await task.value
        #expect(board.snapshot.isEmpty)
    }

    @Test func endingTwiceAndUpdatingAfterTheEndDoNothing() {
        let told = Counter()
        let handle = board.begin(.loading, "Loading")
        board.watch { told.increment() }
        handle.end()
        handle.end()
        handle.update(message: "Still loading", progress: 1)
        #expect(board.snapshot.isEmpty)
        expectEqual(told.count, 1)
    }

    @Test func activitiesNestAndRunSideBySideInTheOrderOfTheirBeginnings() {
        let outer = board.begin(.loading, "Loading playlist")
        let inner = board.begin(.refreshing, "Refreshing", subject: nil, progress: nil, parent: outer)
        let other = board.begin(.buffering, "Buffering audio")
        expectEqual(board.snapshot.map(\.id), [outer.id, inner.id, other.id])
        expectEqual(board.snapshot.map(\.parent), [nil, outer.id, nil])
        outer.end()
        expectEqual(board.snapshot.map(\.id), [inner.id, other.id])
    }

    @Test func progressIsHeldBetweenNothingAndAll() {
        let handle = board.begin(.buffering, "Buffering audio", subject: nil, progress: -2, parent: nil)
        expectEqual(board.snapshot.first?.progress, 0)
        handle.update(progress: 17)
        expectEqual(board.snapshot.first?.progress, 1)
    }

    @Test func progressThatIsNoNumberIsPassedOver() {
        let told = Counter()
        let handle = board.begin(.buffering, "Buffering audio", subject: nil, progress: .nan, parent: nil)
        expectEqual(board.snapshot.first?.progress, nil)
        board.watch { told.increment() }
        handle.update(progress: 0.5)
        handle.update(progress: .nan)
        expectEqual(board.snapshot.first?.progress, 0.5)
        expectEqual(told.count, 1)
    }

    @Test func smallStepsOfProgressAddUpBeforeWatchersAreTold() {
        let told = Counter()
        let handle = board.begin(.downloading, "Downloading", subject: nil, progress: 0, parent: nil)
        board.watch { told.increment() }
        for step in 1...1_000 { handle.update(progress: Double(step) / 1_000) }
        expectEqual(board.snapshot.first?.progress, 1)
        #expect((90...101).contains(told.count))
        let nearlyDone = board.begin(.downloading, "Downloading", subject: nil, progress: 0.995, parent: nil)
        let before = told.count
        nearlyDone.update(progress: 1)
        expectEqual(told.count, before + 1, "the last step to full is always reported")
    }

    @Test func aChangeThatChangesNothingIsNotTold() {
        let told = Counter()
        let handle = board.begin(.loading, "Loading", subject: "News")
        board.watch { told.increment() }
        handle.update(message: "Loading", subject: "News")
        expectEqual(told.count, 0)
    }

    @Test func aWatcherMayReadAndReportWhileItIsTold() {
        let board = self.board
        let seen = Mutex<[Int]>([])
        board.watch {
            let count = board.snapshot.count
            let isFirst = seen.withLock { seen in
                seen.append(count)
                return seen.count == 1
            }
            if isFirst { board.begin(.seeking, "Inside").end() }
        }
        let handle = board.begin(.loading, "Loading")
        handle.end()
        expectContains(seen.withLock { $0 }, 2)
    }

    @Test func manyThreadsMayReportAtOnce() async {
        let board = self.board
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for step in 0..<100 {
                        let handle = board.begin(.refreshing, "Refreshing")
                        handle.update(progress: Double(step) / 100)
                    }
                }
            }
        }
        #expect(board.snapshot.isEmpty)
    }
}
