internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// A sink that takes frames when half of its buffer is free, so that its thread wakes up seldom. The sink thread sleeps by the clock.
protocol PacedSink: Sink {
    var clock: any OutputClock { get }
    /// Signalled by `interrupt`.
    var wakeUp: EventDescriptor { get }
    /// The open sink's format and buffer; nil while it is closed.
    var pacing: Pacing? { get }
    /// Frames for which there is room.
    /// - Parameter needed: frames without which nothing is written.
    /// - Returns: nil if interrupted.
    func room(for needed: Int) throws(SinkError) -> Room?
    /// Writes whole frames for which there is room.
    /// - Returns: number of bytes taken; 0 if there was no room.
    func put(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int
    /// What to wait for after `put` took nothing.
    var obstacle: Obstacle { get }
    /// The failure of a sink that takes nothing for longer than its timeout.
    var stalled: SinkError { get }
}

struct Pacing {
    var format: PCMFormat
    /// In frames.
    var capacity: Int
    /// Nil waits as long as it takes.
    var timeout: Duration?
}

struct Room {
    var frames: Int
    /// When there should be room for as many as are needed.
    var instant: Instant
    /// Readable when there may be room earlier; negative for none.
    var news: Int32 = -1
}

struct Obstacle {
    /// The descriptor that must become writable; negative for none.
    var descriptor: Int32 = -1
    /// The time after which to try again; nil for the descriptor only.
    var retry: Duration?
}

extension PacedSink {
    /// A device says that it has room, and takes nothing for a moment.
    var obstacle: Obstacle { Obstacle(retry: .milliseconds(1)) }

    func interrupt() { wakeUp.signal() }

    /// Waits until half the buffer is free.
    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        guard let pacing else { throw SinkError("the output is closed") }
        let frameSize = pacing.format.frameSize
        let offered = frames.count / frameSize
        let needed = min(offered, max(1, pacing.capacity / 2))
        let limit = pacing.timeout.map { clock.now + $0 } ?? .distantFuture
        while true {
            guard let room = try room(for: needed) else { return 0 }
            if room.frames < needed {
                clock.wait(readable: wakeUp.raw, room.news, writable: -1, until: min(limit, room.instant))
            } else {
                let bytes = min(offered, room.frames) * frameSize
                let taken = try put(UnsafeRawBufferPointer(rebasing: frames[..<bytes]))
                if taken > 0 { return taken }
                let retry = obstacle.retry.map { clock.now + $0 } ?? .distantFuture
                clock.wait(
                    readable: wakeUp.raw, room.news, writable: obstacle.descriptor, until: min(limit, retry))
            }
            if wakeUp.clear() { return 0 }
            guard clock.now < limit else { throw stalled }
        }
    }
}
