internal import MediaPorts
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// An output that follows the one that leads its group, on its own thread. Methods may be called from any thread.
final class Follower: Sendable {
    struct Commands {
        var group: GroupChange?
        var isPaused: Bool?
        var end: End?
    }

    enum GroupChange {
        case opened(LaneRing)
        /// - Parameter isHeardToTheEnd: whether the frames so far are heard before the output is closed.
        case closed(isHeardToTheEnd: Bool)
    }

    enum End {
        case closing
        /// The sink stays open, for the thread that writes to the sink next.
        case handingOver
    }

    let lane: OutputLane
    private let commands = Mutex(Commands())
    private let wakeUp: EventDescriptor

    /// Starts the thread.
    init(
        _ lane: OutputLane, clock: any OutputClock, anchor: GroupAnchor, settings: RendererSettings
    ) throws(SystemError) {
        self.lane = lane
        wakeUp = try EventDescriptor()
        let loop = ThreadConfined(FollowLoop(lane, clock: clock, anchor: anchor, settings: settings, wakeUp: wakeUp))
        try lane.follow { [self] in loop.state.run(takeCommands) }
    }

    /// A ring for the frames of a group that was opened.
    func makeRing(_ format: PCMFormat, from number: Int64, capacity: Int, isPaused: Bool) -> LaneRing {
        let ring = LaneRing(format, from: number, capacity: capacity, wakeUp: wakeUp)
        post {
            $0.isPaused = isPaused
            $0.group = .opened(ring)
        }
        return ring
    }

    func closeRing(isHeardToTheEnd: Bool) { post { $0.group = .closed(isHeardToTheEnd: isHeardToTheEnd) } }

    func setPaused(_ isPaused: Bool) { post { $0.isPaused = isPaused } }

    /// Closes the sink soon.
    func end() { post { $0.end = .closing } }

    /// Ends, and leaves the sink open. Waits a moment for the thread.
    /// - Returns: false if the thread still waits for a device or a host; then it closes the sink at its end.
    func handOver() -> Bool {
        post { $0.end = .handingOver }
        if lane.hasEnded() { return true }
        end()
        return false
    }

    private func post(_ edit: (inout Commands) -> Void) {
        commands.withLock { edit(&$0) }
        wakeUp.signal()
        lane.sink.interrupt()
    }

    private func takeCommands() -> Commands { commands.withLock { exchange(&$0, with: Commands()) } }
}
