internal import SystemCalls

/// A clock that a test moves. One thread at a time may wait in it.
///
/// The test sees the waiting thread come to rest with `awaitRest`, moves the time, and looks at what happened:
/// no test sleeps, and none depends on the machine's speed.
public final class VirtualClock: OutputClock {
    private struct State {
        var now: Int64
        var waiting: Waiting?
    }
    private struct Waiting {
        var first: Int32
        var second: Int32
        var writable: Int32
        var deadline: Int64
    }

    private let state: Monitor<State>
    private let moved: EventDescriptor
    private let rested: EventDescriptor
    private let isAutomatic: Bool

    /// A clock that stands.
    ///
    /// - Parameters:
    ///   - start: where it stands.
    ///   - isAutomatic: whether waiting for a time moves the clock there at once.
    /// - Throws: `SystemError` when the process has no descriptors left.
    public init(start: Int64 = 1_000_000_000, isAutomatic: Bool = false) throws {
        state = Monitor(State(now: start))
        moved = try EventDescriptor()
        rested = try EventDescriptor()
        self.isAutomatic = isAutomatic
    }

    /// Where the clock stands.
    public var now: Int64 { state.update { $0.now } }

    /// Waits until a descriptor is ready, or until the test has moved the clock to the deadline.
    public func wait(readable first: Int32, _ second: Int32, writable: Int32, until deadline: Int64) {
        while true {
            if waitForDescriptors(readable: first, second, writable: writable, until: 0) { return }
            let isDue = state.update { state in
                if isAutomatic, deadline != .max { state.now = max(state.now, deadline) }
                if state.now >= deadline { return true }
                state.waiting = Waiting(first: first, second: second, writable: writable, deadline: deadline)
                return false
            }
            if isDue { return }
            rested.signal()
            waitForDescriptors(readable: first, second, moved.raw, writable: writable, until: .max)
            moved.clear()
            state.update { $0.waiting = nil }
        }
    }

    /// Waits until the other thread waits for something that has not happened. Hangs if it has ended.
    public func awaitRest() {
        while true {
            let isAtRest = state.update { state in
                guard let waiting = state.waiting, waiting.deadline > state.now else { return false }
                return !waitForDescriptors(
                    readable: waiting.first, waiting.second, moved.raw, writable: waiting.writable, until: 0)
            }
            if isAtRest { return }
            waitForDescriptors(readable: rested.raw, until: .max)
            rested.clear()
        }
    }

    /// Moves the clock and waits until the other thread has done what was due.
    ///
    /// It stops at every deadline on the way, as time does.
    public func advance(seconds: Double) {
        let target = now + Int64((seconds * 1e9).rounded())
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

    /// Moves the clock by hand, for a thread that is not waiting.
    public func jump(seconds: Double) {
        state.update { $0.now += Int64((seconds * 1e9).rounded()) }
        moved.signal()
    }
}
