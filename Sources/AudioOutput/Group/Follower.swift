internal import MediaPorts
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// An output that follows the one that leads its group, on its own thread. Methods may be called from any thread.
final class Follower: Sendable {
    struct Commands {
        /// Outer nil: no change. Inner nil: the group is closed.
        var feed: LaneFeed??
        /// Whether the rest is heard before the group is closed.
        var playsToTheEnd = false
        var isPaused: Bool?
        var isEmpty = true
        var ends = false
        /// Whether the sink stays open at the end, for the thread that writes to the sink next.
        var keepsOpen = false
    }

    let lane: OutputLane
    private let commands = Mutex(Commands())
    private let wakeUp: EventDescriptor

    /// Starts the thread.
    init(
        _ lane: OutputLane, clock: any OutputClock, anchor: Mutexed<GroupAnchor?>, settings: RendererSettings
    ) throws(SystemError) {
        self.lane = lane
        wakeUp = try EventDescriptor()
        let loop = ThreadConfined(FollowLoop(lane, clock: clock, anchor: anchor, settings: settings, wakeUp: wakeUp))
        try lane.follow { [self] in loop.state.run(takeCommands, while: { !hasCommands }) }
    }

    var isPlaying: Bool { lane.isFollowing }

    /// A feed for the frames of a group that was opened.
    func makeFeed(_ format: PCMFormat, from number: Int64, capacity: Int) -> LaneFeed {
        let feed = LaneFeed(format, from: number, capacity: capacity, wakeUp: wakeUp)
        post {
            $0.feed = .some(feed)
            $0.playsToTheEnd = false
        }
        return feed
    }

    func closeFeed(playsToTheEnd: Bool) {
        post {
            $0.feed = .some(nil)
            $0.playsToTheEnd = playsToTheEnd
        }
    }

    func setPaused(_ isPaused: Bool) { post { $0.isPaused = isPaused } }

    /// Closes the sink soon.
    func end() { post { $0.ends = true } }

    /// Ends, and leaves the sink open. Waits until the thread has ended.
    func handOver() {
        post {
            $0.ends = true
            $0.keepsOpen = true
        }
        lane.join()
    }

    private func post(_ edit: (inout Commands) -> Void) {
        commands.withLock {
            edit(&$0)
            $0.isEmpty = false
        }
        wakeUp.signal()
        lane.sink.interrupt()
    }

    private var hasCommands: Bool { commands.withLock { !$0.isEmpty } }
    private func takeCommands() -> Commands { commands.withLock { exchange(&$0, with: Commands()) } }
}

/// A value behind a lock, for several owners.
final class Mutexed<Value: Sendable>: Sendable {
    private let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
    func get() -> Value { value.withLock { $0 } }
    /// Sets the value, unless another thread has the lock; for the sink thread, which does not wait.
    func trySet(_ new: Value) { _ = value.withLockIfAvailable { $0 = new } }
    func set(_ new: Value) { value.withLock { $0 = new } }
}

/// Which frame of a group is heard when, on the output that leads.
struct GroupAnchor: Equatable {
    var number: Int64
    var instant: Instant
    var rate: Int

    func instant(of frame: Int64) -> Instant {
        let away = frame - number
        let time = PacedBuffer.duration(of: Swift.abs(away), rate: rate)
        return instant + (away < 0 ? .zero - time : time)
    }
}
