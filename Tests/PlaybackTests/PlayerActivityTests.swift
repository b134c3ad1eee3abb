import MediaPorts
import Playback
import PodcastModel
import Reporting
import Synchronization
import TestSupport
import Testing

/// What watchers of activities see of the player.
@Suite(.timeLimit(.minutes(5)))
struct PlayerActivityTests {
    let stage = Stage()

    @Test func loadingGivesWayToBufferingAndBufferingToSound() async throws {
        try await stage.player.play(first)
        await stage.journal.reaches("render #1 0.2/3.0")
        expectEqual(stage.activities.snapshot.map(\.message), ["Loading episode"])
        expectEqual(stage.activities.snapshot.map(\.subject), ["One"])
        stage.decoders.last.frames.seconds.withLock { $0 = 0.1 }
        stage.decoders.last.tell(.opened(mp3))
        await stage.shows(.buffering)
        expectEqual(stage.activities.snapshot.map(\.kind), [.buffering])
        expectEqual(stage.activities.snapshot.map(\.progress), [0.5])
        stage.renderer.tell(.started(generation: 1))
        await stage.shows(.playing)
        #expect(stage.activities.snapshot.isEmpty)
    }

    @Test func aBufferingsProgressIsLookedAtFourTimesASecond() async throws {
        try await stage.playFirst()
        stage.renderer.tell(.underrun(generation: 1))
        await stage.shows(.buffering)
        expectEqual(stage.activities.snapshot.map(\.message), ["Buffering audio"])
        let (changes, announce) = AsyncStream.makeStream(of: Void.self)
        stage.activities.watch { announce.yield() }
        stage.decoders.last.frames.seconds.withLock { $0 = 1.5 }
        stage.clock.advance(by: 0.25)
        for await _ in changes { break }
        expectEqual(stage.activities.snapshot.map(\.progress), [0.5])
    }

    @Test func anOutputThatTakesNothingIsNotShownAsBuffering() async throws {
        try await stage.playFirst()
        stage.renderer.tell(.sinkFailed(SinkError("no program reads /tmp/x yet; start one", isTemporary: true)))
        await stage.shows(.buffering)
        let activity = try #require(stage.activities.snapshot.first)
        #expect(activity.message == "Waiting for the output" && activity.progress == nil)
        expectEqual(activity.subject, "no program reads /tmp/x yet; start one")
        stage.renderer.tell(.sinkRecovered)
        await stage.shows(.playing)
        #expect(stage.activities.snapshot.isEmpty)
    }

    @Test func noTimerIsLeftOnceItSounds() async throws {
        try await stage.playFirst()
        stage.renderer.tell(.underrun(generation: 1))
        await stage.shows(.buffering)
        expectEqual(stage.clock.pending, 1)
        stage.renderer.tell(.resumed(generation: 1))
        await stage.shows(.playing)
        expectEqual(stage.clock.pending, 0)
    }

    @Test func aSeekIsShownUntilTheDecoderArrives() async throws {
        try await stage.playFirst()
        try await stage.player.seek(.absolute(seconds(500)))
        expectEqual(stage.activities.snapshot.map(\.kind), [.seeking])
        stage.decoders.last.tell(.positioned(generation: 2, at: seconds(500)))
        await stage.shows { $0.reason != "seeking" }
        expectEqual(stage.activities.snapshot.map(\.kind), [.buffering])
    }

    @Test func theEndOfTheQueueIsNotShownAsLoading() async throws {
        stage.library.entries.withLock { $0 = [first] }
        try await stage.playFirst()
        let shown = Mutex<[String]>([])
        stage.activities.watch { [activities = stage.activities] in
            shown.withLock { $0 += activities.snapshot.map(\.message) }
        }
        stage.renderer.tell(.ended(generation: 1))
        await stage.shows(.stopped)
        expectEqual(shown.withLock { $0 }, [])
    }

    @Test func stoppingEndsEveryActivity() async throws {
        try await stage.player.play(first)
        try await stage.player.stop()
        #expect(stage.activities.snapshot.isEmpty)
        expectEqual(stage.clock.pending, 0)
    }
}
