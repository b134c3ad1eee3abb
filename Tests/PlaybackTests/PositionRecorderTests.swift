import PodcastModel
import Synchronization
import Testing
import TestSupport

@testable import Playback

// The recorder's only outside is the library file, second by second; a clock that a test moves has to reach it from inside.
@Suite struct PositionRecorderTests {
    private struct Fault: Error {}
    private struct Act: Sendable {
        var act: @Sendable () -> Void = {}
    }

    private final class Writes: Sendable {
        let positions = Mutex<[MediaTime]>([])
        let isBroken = Mutex(false)
        let failures = Mutex(0)
        /// What happens while a position is written, once.
        let duringSave = Mutex(Act())
        let heard = Mutex<MediaTime?>(MediaTime(seconds: 10))
    }

    private let clock = ManualTimers()
    private let writes = Writes()
    private let recorder: PositionRecorder

    init() {
        recorder = PositionRecorder(timers: clock) { [writes] position, _ in
            if writes.isBroken.withLock({ $0 }) { throw Fault() }
            let act = writes.duringSave.withLock { duringSave in
                defer { duringSave.act = {} }
                return duringSave.act
            }
            act()
            writes.positions.withLock { $0.append(position) }
        }
    }

    private func sounding(_ episode: Int64 = 1) -> SoundingEpisode {
        SoundingEpisode(episode: EpisodeID(episode)) { [writes] in
            writes.heard.withLock { $0 }.map { HeardPlace(position: $0) }
        } recordFailed: { [writes] _ in
            writes.failures.withLock { $0 += 1 }
        }
    }

    private var positions: [MediaTime] { writes.positions.withLock { $0 } }

    private func hear(_ seconds: Double) { writes.heard.withLock { $0 = MediaTime(seconds: seconds) } }

    @Test func aRecordIsMadeEachIntervalOfWhatIsHeardThen() {
        recorder.follow(sounding(), every: .milliseconds(900))
        hear(10.9)
        clock.advance(by: 0.9)
        hear(11.8)
        clock.advance(by: 0.9)
        expectEqual(positions, [MediaTime(seconds: 10.9), MediaTime(seconds: 11.8)])
    }

    @Test func nothingIsRecordedAndNoTimerRunsOnceNothingIsFollowed() {
        recorder.follow(sounding(), every: .milliseconds(900))
        recorder.follow(nil, every: .milliseconds(900))
        expectEqual(clock.pending, 0)
        clock.advance(by: 5)
        #expect(positions.isEmpty)
    }

    @Test func silencesInARowDoNotPutTheRecordOff() {
        for _ in 0..<4 {
            recorder.follow(sounding(), every: .milliseconds(900))
            clock.advance(by: 0.3)
            recorder.follow(nil, every: .milliseconds(900))
            clock.advance(by: 0.1)
        }
        expectEqual(positions.count, 1)
    }

    @Test func aSlowDiskGetsTheNewestPositionAndNotThoseThatItMissed() {
        recorder.follow(sounding(), every: .milliseconds(900))
        clock.advance(by: 10)
        expectEqual(positions.count, 1)
        clock.advance(by: 0.8)
        expectEqual(positions.count, 1)
        clock.advance(by: 0.1)
        expectEqual(positions.count, 2)
    }

    @Test func aSaveThatTakesLongerThanTheIntervalIsFollowedByAWholeOne() {
        recorder.follow(sounding(), every: .milliseconds(900))
        writes.duringSave.withLock { $0.act = { [clock] in clock.advance(by: 2) } }
        clock.advance(by: 0.9)
        expectEqual(positions.count, 1)
        expectEqual(clock.pending, 1)
        // What was asked of the thread meanwhile has it for as long.
        clock.advance(by: 0.8)
        expectEqual(positions.count, 1)
        clock.advance(by: 0.1)
        expectEqual(positions.count, 2)
    }

    @Test func aSaveThatIsQuickerThanTheIntervalDoesNotPutTheNextOneOff() {
        recorder.follow(sounding(), every: .milliseconds(900))
        writes.duringSave.withLock { $0.act = { [clock] in clock.advance(by: 0.5) } }
        clock.advance(by: 0.9)
        clock.advance(by: 0.4)
        expectEqual(positions.count, 2)
    }

    @Test func whatIsFollowedWhileItIsSavedHasOneTimer() {
        recorder.follow(sounding(), every: .milliseconds(900))
        writes.duringSave.withLock { duringSave in
            duringSave.act = { [recorder, sounding = sounding(2)] in
                recorder.follow(sounding, every: .milliseconds(900))
            }
        }
        clock.advance(by: 0.9)
        expectEqual(clock.pending, 1)
        writes.duringSave.withLock { $0.act = { [recorder] in recorder.follow(nil, every: .milliseconds(900)) } }
        clock.advance(by: 0.9)
        expectEqual(clock.pending, 0)
    }

    @Test func whatIsHeardNoMoreIsNotRecorded() {
        recorder.follow(sounding(), every: .milliseconds(900))
        writes.heard.withLock { $0 = nil }
        clock.advance(by: 0.9)
        #expect(positions.isEmpty)
    }

    @Test func aDiskThatStaysFullIsToldOfOnce() {
        recorder.follow(sounding(), every: .milliseconds(900))
        writes.isBroken.withLock { $0 = true }
        for _ in 0..<5 { clock.advance(by: 0.9) }
        expectEqual(writes.failures.withLock { $0 }, 1)
        writes.isBroken.withLock { $0 = false }
        clock.advance(by: 0.9)
        expectEqual(positions.count, 1)
        writes.isBroken.withLock { $0 = true }
        clock.advance(by: 0.9)
        expectEqual(writes.failures.withLock { $0 }, 2)
    }
}

/// Timers that a test lets come, on its own thread.
private final class ManualTimers: TimerClock {
    private struct State {
        var now = Instant(nanoseconds: 0)
        var lastID = 0
        var due: [(id: Int, time: Instant, action: @Sendable () -> Void)] = []
    }
    private struct Timer: ScheduledTimer {
        let id: Int
        let timers: ManualTimers
        func cancel() { timers.state.withLock { state in state.due.removeAll { $0.id == id } } }
    }
    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var pending: Int { state.withLock { $0.due.count } }

    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        state.withLock { state in
            state.lastID += 1
            state.due.append((state.lastID, state.now + delay, action))
            return Timer(id: state.lastID, timers: self)
        }
    }

    func advance(by seconds: Double) {
        let due = state.withLock { state in
            state.now = state.now + .seconds(seconds)
            let now = state.now
            defer { state.due.removeAll { $0.time <= now } }
            return state.due.filter { $0.time <= now }
        }
        for timer in due { timer.action() }
    }
}
