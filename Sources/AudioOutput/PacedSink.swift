internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// A sink that takes frames when half of its buffer is free, so that its thread wakes up seldom. The sink thread sleeps by the clock.
protocol PacedSink: Sink {
    var clock: any OutputClock { get }
    /// Signalled by `interrupt`.
    var wakeUp: EventDescriptor { get }
    /// The time within which something is taken; nil waits as long as it takes.
    var timeout: Duration? { get }
    /// The failure of a sink that takes nothing in this time.
    var stalled: SinkError { get }
    /// Writes whole frames, if enough of them fit; does not wait.
    func attempt(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> WriteAttempt
}

enum WriteAttempt {
    /// At least one frame was taken, with this number of bytes.
    case took(Int)
    /// The next attempt makes sense then, or when a descriptor is ready; negative for none.
    case full(until: Instant, readable: Int32 = -1, writable: Int32 = -1)
    case interrupted
}

extension PacedSink {
    func interrupt() { wakeUp.signal() }

    /// Waits until half the buffer is free.
    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        let limit = timeout.map { clock.now + $0 } ?? .distantFuture
        while true {
            switch try attempt(frames) {
            case .took(let bytes): return bytes
            case .interrupted: return 0
            case .full(let instant, let readable, let writable):
                guard clock.now < limit else { throw stalled }
                clock.wait(readable: wakeUp.raw, readable, writable: writable, until: min(limit, instant))
                if wakeUp.clear() { return 0 }
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The frames that must fit at least: half of a buffer.
    func needed(_ format: PCMFormat, ofBuffer frames: Int) -> Int {
        Swift.min(count / format.frameSize, Swift.max(1, frames / 2))
    }

    /// At most this number of frames.
    func prefix(_ frames: Int, _ format: PCMFormat) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[..<(Swift.min(count / format.frameSize, frames) * format.frameSize)])
    }
}
