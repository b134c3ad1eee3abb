import AudioOutput
import EpisodeCache
import Playback
import SystemCalls

/// The time of a daemon's sound, timers and tries, moved by a test.
final class SimulatedTime: PlaybackClock {
    /// Time and waiting of the sink thread.
    let output: VirtualClock
    private let timers = Monitor(Timers())

    private struct Timers {
        var last: UInt64 = 0
        var pending: [UInt64: (instant: Int64, action: @Sendable () -> Void)] = [:]
    }

    init() throws { output = try VirtualClock() }

    var now: Int64 { output.now }

    func schedule(after seconds: Double, _ action: @escaping @Sendable () -> Void) -> any PlaybackTimer {
        SimulatedTimer(time: self, number: add(after: Int64(max(0, seconds) * 1e9), action))
    }

    fileprivate func add(after delay: Int64, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        let instant = now + delay
        return timers.update { timers in
            timers.last += 1
            timers.pending[timers.last] = (instant, action)
            return timers.last
        }
    }

    fileprivate func cancel(_ number: UInt64) { timers.update { _ = $0.pending.removeValue(forKey: number) } }

    /// Moves the time to the next thing that is due, at most to an instant, and calls the timers that are.
    /// - Returns: whether any was.
    func step(to target: Int64) -> Bool {
        let timer = timers.read { $0.pending.values.map(\.instant).min() } ?? .max
        let next = max(now, min(target, timer, output.restDeadline ?? .max))
        output.jump(to: next)
        let due = timers.update { timers in
            let due = timers.pending.filter { $0.value.instant <= next }.sorted { $0.value.instant < $1.value.instant }
            for timer in due { timers.pending[timer.key] = nil }
            return due.map(\.value.action)
        }
        for action in due { action() }
        return !due.isEmpty
    }
}

private final class SimulatedTimer: PlaybackTimer {
    private let time: SimulatedTime
    private let number: UInt64

    init(time: SimulatedTime, number: UInt64) {
        self.time = time
        self.number = number
    }

    deinit { time.cancel(number) }

    func cancel() { time.cancel(number) }
}

/// The same time, for fetches that are tried again; the network has no word while one of them waits for its time.
struct SimulatedFetchTime: FetchClock {
    let time: SimulatedTime
    let network: SimulatedNetwork

    func now() -> Int64 { time.now }

    func schedule(after delay: Int64, _ step: @escaping @Sendable () -> Void) {
        network.hold()
        _ = time.add(after: delay) {
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
