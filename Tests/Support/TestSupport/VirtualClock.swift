import AudioOutput
package import PodcastModel
import MachineSupport
import SystemCalls

/// A clock that a test advances. One thread at a time may wait for it.
///
/// The test waits with `awaitRest` until the thread waits, advances the time, and checks the result: no test sleeps,
/// and none depends on the machine's speed.
package final class VirtualClock: OutputClock {
    private struct State {
        var now: Instant
        var waiting: Waiting?
    }
    private struct Waiting {
        var first: Int32
        var second: Int32
        var writable: Int32
        var deadline: Instant
    }

    private let state: Monitor<State>
    private let moved: EventDescriptor
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
        moved = try EventDescriptor()
        rested = try EventDescriptor()
        self.isAutomatic = isAutomatic
    }

    /// The clock's time.
    package var now: Instant { state.update { $0.now } }

    /// Waits until a descriptor is ready, or until the test has advanced the clock to the deadline.
    package func wait(readable first: Int32, _ second: Int32, writable: Int32, until deadline: Instant) {
        while true {
            if waitForDescriptors(readable: first, second, writable: writable, until: .distantPast) { return }
            let isDue = state.update { state in
                if isAutomatic, deadline != .distantFuture { state.now = max(state.now, deadline) }
                if state.now >= deadline { return true }
                state.waiting = Waiting(first: first, second: second, writable: writable, deadline: deadline)
                return false
            }
            if isDue { return }
            rested.signal()
            waitForDescriptors(readable: first, second, moved.raw, writable: writable, until: .distantFuture)
            moved.clear()
            state.update { $0.waiting = nil }
        }
    }

    /// The deadline for which the other thread waits; nil if it is not waiting.
    package var restDeadline: Instant? { state.update { restDeadline(&$0) } }

    private func restDeadline(_ state: inout State) -> Instant? {
        guard let waiting = state.waiting, waiting.deadline > state.now else { return nil }
        let isWoken = waitForDescriptors(
            readable: waiting.first, waiting.second, moved.raw, writable: waiting.writable, until: .distantPast)
        return isWoken ? nil : waiting.deadline
    }

    /// Waits until the other thread waits for something that has not happened yet, or has ended.
    ///
    /// - Parameter isThere: whether the other thread exists; omit it for a thread that always exists.
    package func awaitRest(while isThere: (() -> Bool)? = nil) {
        while restDeadline == nil {
            if let isThere, !isThere() { return }
            // The end of a thread signals no descriptor, so it is polled.
            waitForDescriptors(readable: rested.raw, until: isThere == nil ? .distantFuture : .now + .milliseconds(1))
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
                let next = min(target, state.waiting?.deadline ?? target)
                state.now = max(state.now, next)
                return state.now >= target
            }
            moved.signal()
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
            return true
        }
        if isResting { moved.signal() }
        return isResting
    }

    /// Advances the clock, for a thread that is not waiting.
    package func jump(seconds: Double) { jump(to: now + .nanoseconds(Int64((seconds * 1e9).rounded()))) }

    /// Sets the clock to a later time; never moves it back.
    package func jump(to instant: Instant) {
        state.update { $0.now = max($0.now, instant) }
        moved.signal()
    }
}
