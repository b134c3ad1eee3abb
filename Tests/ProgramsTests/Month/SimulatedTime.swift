import AudioOutput
import EpisodeCache
import MachineSupport
import PodcastModel
import SystemCalls
import TestSupport

/// The time of a daemon's sound, timers and tries, moved by a test.
final class SimulatedTime: TimerClock {
    /// Time and waiting of the sink thread.
    let output: VirtualClock
    private let timers = Monitor(Timers())

    private struct Timers {
        var last: UInt64 = 0
        var pending: [UInt64: (instant: Instant, action: @Sendable () -> Void)] = [:]
    }

    init() throws { output = try VirtualClock() }

    var now: Instant { output.now }

    @discardableResult
    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        let instant = now + max(.zero, delay)
        let number = timers.update { timers in
            timers.last += 1
            timers.pending[timers.last] = (instant, action)
            return timers.last
        }
        return SimulatedTimer(time: self, number: number)
    }

    fileprivate func cancel(_ number: UInt64) { timers.update { _ = $0.pending.removeValue(forKey: number) } }

    /// Moves the time to the next thing that is due, at most to an instant, and calls the timers that are. Does nothing while the
    /// sink thread is at work.
    /// - Parameter hasSinkThread: whether there is a sink thread.
    /// - Returns: whether any timer was due.
    func step(to target: Instant, hasSinkThread: Bool) -> Bool {
        let timer = timers.read { $0.pending.values.map(\.instant).min() } ?? .distantFuture
        let next = min(target, timer)
        if hasSinkThread {
            guard output.jumpAtRest(to: next) else { return false }
        } else {
            output.jump(to: next)
        }
        let now = now
        let due = timers.update { timers in
            let due = timers.pending.filter { $0.value.instant <= now }.sorted { $0.value.instant < $1.value.instant }
            for timer in due { timers.pending[timer.key] = nil }
            return due.map(\.value.action)
        }
        for action in due { action() }
        return !due.isEmpty
    }
}

private struct SimulatedTimer: ScheduledTimer {
    let time: SimulatedTime
    let number: UInt64
    func cancel() { time.cancel(number) }
}

/// The same time, for fetches that are tried again; the network has no word while one of them waits for its time.
struct SimulatedFetchTime: TimerClock {
    let time: SimulatedTime
    let network: SimulatedNetwork

    var now: Instant { time.now }

    func schedule(after delay: Duration, _ step: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        network.hold()
        return time.schedule(after: delay) {
            network.letGo()
            step()
        }
    }
}

/// Whether bytes are held back until the simulated time has moved on or the test says so. While nothing holds them they
/// come in no time.
final class SimulatedNetwork: Sendable {
    private let holds = Monitor(0)
    /// Readable while bytes are held back.
    let bell: EventDescriptor

    init() throws { bell = try EventDescriptor() }

    var isHeld: Bool { holds.read { $0 > 0 } }

    func hold() {
        holds.update { holds in
            holds += 1
            bell.signal()
        }
    }

    func letGo() {
        holds.update { holds in
            holds -= 1
            if holds == 0 { bell.clear() }
        }
    }
}
