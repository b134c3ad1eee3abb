import AudioOutput
package import PodcastModel
import Glibc
import MachineSupport
import SystemCalls

/// A clock that a test advances.
///
/// The test waits with `awaitRest` until the threads wait, advances the time, and checks the result: no test sleeps,
/// and none depends on the machine's speed.
package final class VirtualClock: OutputClock {
    private struct State {
        var now: Instant
        /// By the thread's folder in /proc.
        var waiting: [String: Waiting] = [:]
        /// The threads that have waited and may still run.
        var known: Set<String> = []
        /// Descriptors of waits that ended.
        var free: [EventDescriptor] = []
        var threads = 1

        func wakeAll() { for wait in waiting.values { wait.moved.signal() } }
    }
    private struct Waiting {
        var first: Int32
        var second: Int32
        var writable: Int32
        var deadline: Instant
        let moved: EventDescriptor
    }

    private let state: Monitor<State>
    private let rested: EventDescriptor
    private let isAutomatic: Bool

    /// Creates a stopped clock.
    ///
    /// - Parameters:
    ///   - start: its time.
    ///   - isAutomatic: whether waiting for a time advances the clock there at once.
    /// - Throws: `SystemError` if the process has no descriptors left.
    package init(start: Instant = Instant(nanoseconds: 1_000_000_000), isAutomatic: Bool = false) throws {
        state = Monitor(State(now: start))
        rested = try EventDescriptor()
        self.isAutomatic = isAutomatic
    }

    /// The clock's time.
    package var now: Instant { state.update { $0.now } }

    /// Waits until a descriptor is ready, or until the test has advanced the clock to the deadline.
    package func wait(readable first: Int32, _ second: Int32, writable: Int32, until deadline: Instant) {
        while true {
            if waitForDescriptors(readable: first, second, writable: writable, until: .distantPast) { return }
            let thread = Self.thread
            let moved: EventDescriptor? = state.update { state in
                if isAutomatic, deadline != .distantFuture { state.now = max(state.now, deadline) }
                guard state.now < deadline, let moved = state.free.popLast() ?? (try? EventDescriptor()) else {
                    return nil
                }
                state.known.insert(thread)
                state.waiting[thread] = Waiting(
                    first: first, second: second, writable: writable, deadline: deadline, moved: moved)
                return moved
            }
            guard let moved else { return }
            rested.signal()
            waitForDescriptors(readable: first, second, moved.raw, writable: writable, until: .distantFuture)
            state.update { state in
                state.waiting[thread] = nil
                moved.clear()
                state.free.append(moved)
            }
        }
    }

    private static var thread: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            let count = max(0, readlink("/proc/thread-self", buffer.baseAddress!, buffer.count))
            return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    /// The number of threads that must wait before the test continues; one at first.
    package func setThreads(_ count: Int) { state.update { $0.threads = count } }

    /// The next deadline for which a thread waits; nil if not all are waiting.
    package var restDeadline: Instant? { state.update { restDeadline(&$0) } }

    private func restDeadline(_ state: inout State) -> Instant? {
        guard state.waiting.count >= state.threads else { return nil }
        for thread in state.known where state.waiting[thread] == nil {
            if access("/proc/\(thread)", F_OK) == 0 { return nil }
            state.known.remove(thread)
        }
        for wait in state.waiting.values {
            let isWoken = waitForDescriptors(
                readable: wait.first, wait.second, wait.moved.raw, writable: wait.writable, until: .distantPast)
            if isWoken || wait.deadline <= state.now { return nil }
        }
        return state.waiting.values.map(\.deadline).min()
    }

    /// Waits until the other threads wait for something that has not happened yet, or have ended.
    ///
    /// - Parameter isThere: whether the other thread exists; omit it for a thread that always exists.
    package func awaitRest(while isThere: (() -> Bool)? = nil) {
        while restDeadline == nil {
            if let isThere, !isThere() { return }
            // The end of a thread signals no descriptor, so it is polled.
            waitForDescriptors(readable: rested.raw, until: .now + .milliseconds(1))
            rested.clear()
        }
    }

    /// Advances the clock and waits until the other thread has done what was due.
    ///
    /// Stops at every deadline on the way, as real time does.
    package func advance(seconds: Double) {
        let target = now + .nanoseconds(Int64((seconds * 1e9).rounded()))
        while true {
            awaitRest()
            let isThere = state.update { state in
                let next = min(target, state.waiting.values.map(\.deadline).min() ?? target)
                state.now = max(state.now, next)
                state.wakeAll()
                return state.now >= target
            }
            if isThere { return awaitRest() }
        }
    }

    /// Sets the clock to a later time, at most to the deadline for which the other thread waits. Does nothing while that thread is
    /// at work, because something else woke it, so that its work takes no time.
    ///
    /// - Returns: whether the other thread was waiting.
    package func jumpAtRest(to instant: Instant) -> Bool {
        let isResting = state.update { state in
            guard let deadline = restDeadline(&state) else { return false }
            state.now = max(state.now, min(instant, deadline))
            state.wakeAll()
            return true
        }
        return isResting
    }

    /// Advances the clock, for a thread that is not waiting.
    package func jump(seconds: Double) { jump(to: now + .nanoseconds(Int64((seconds * 1e9).rounded()))) }

    /// Sets the clock to a later time; never moves it back.
    package func jump(to instant: Instant) {
        state.update { state in
            state.now = max(state.now, instant)
            state.wakeAll()
        }
    }
}
