internal import MediaPorts
package import PodcastModel

/// Simulates the buffer of a device that plays in real time: a value that receives the time as a parameter.
///
/// Files and pipes use it in place of a sound device: they are written only as fast as it has room.
package struct PacedBuffer {
    /// Playback rate in frames per second.
    package let rate: Int
    /// Capacity in frames.
    package let capacity: Int
    /// Time from the delivery of the first frame until it is heard.
    package let delay: Duration
    package private(set) var delivered: Int64 = 0
    /// `anchorFrames` had been played at `anchor`; later frames follow at the rate.
    private var anchor = Instant.distantPast
    private var anchorFrames: Int64 = 0
    private var isHeld = false

    package init(rate: Int, capacity: Int, delay: Duration = .zero) {
        self.rate = rate
        self.delay = delay
        self.capacity = max(1, capacity)
    }

    package func played(at now: Instant) -> Int64 {
        guard !isHeld, now > anchor else { return anchorFrames }
        return min(delivered, anchorFrames + Self.frames(in: now - anchor, rate: rate))
    }

    package func latency(at now: Instant) -> Int { Int(delivered - played(at: now)) }

    /// Delay in frames before the next delivered frame is heard; before playback starts it includes the start delay.
    package func lag(at now: Instant) -> Int {
        let unplayed = latency(at: now)
        guard !isHeld, unplayed > 0, now < anchor else { return unplayed }
        return unplayed + Int(Self.frames(in: anchor - now + .nanoseconds(1_000_000_000 / rate - 1), rate: rate))
    }

    package func room(at now: Instant) -> Int { max(0, capacity - latency(at: now)) }

    /// When this number of frames, at most the capacity, will fit; `distantFuture` while paused.
    package func instant(whenRoomFor frames: Int) -> Instant {
        instant(whenPlayed: delivered + Int64(min(frames, capacity)) - Int64(capacity))
    }

    /// When all delivered frames will have been played; `distantFuture` while paused.
    package var instantWhenEmpty: Instant { instant(whenPlayed: delivered) }

    package mutating func deliver(_ frames: Int, at now: Instant) {
        let played = played(at: now)
        if isHeld || played < delivered {
            // Moving the anchor by whole seconds keeps the sum exact, and small in a session of days.
            let seconds = isHeld ? 0 : max(.zero, now - anchor).components.seconds
            anchor += .seconds(seconds)
            anchorFrames += seconds * Int64(rate)
        } else {
            anchor = now + delay
            anchorFrames = played
        }
        delivered += Int64(frames)
    }

    package mutating func drop(at now: Instant) -> Int {
        let played = played(at: now)
        let dropped = Int(delivered - played)
        delivered = played
        anchorFrames = played
        anchor = now
        isHeld = false
        return dropped
    }

    /// Discards up to this number of the last frames, if they were not played.
    /// - Returns: number of frames discarded.
    package mutating func takeBack(_ frames: Int, at now: Instant) -> Int {
        let taken = max(0, min(frames, latency(at: now)))
        delivered -= Int64(taken)
        return taken
    }

    package mutating func hold(at now: Instant) {
        anchorFrames = played(at: now)
        anchor = now
        isHeld = true
    }

    package mutating func release(at now: Instant) {
        guard isHeld else { return }
        anchor = now
        isHeld = false
    }

    private func instant(whenPlayed target: Int64) -> Instant {
        guard !isHeld else { return .distantFuture }
        let left = target - anchorFrames
        guard left > 0 else { return anchor }
        return anchor + Self.duration(of: left, rate: rate)
    }

    /// Number of whole frames in a duration; does not overflow for any uptime.
    package static func frames(in duration: Duration, rate: Int) -> Int64 {
        let (seconds, rest) = duration.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds * Int64(rate) + rest * Int64(rate) / 1_000_000_000
    }

    /// Duration of a number of frames, rounded up; does not overflow for any uptime.
    package static func duration(of frames: Int64, rate: Int) -> Duration {
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(rate))
        return .nanoseconds(seconds * 1_000_000_000 + (rest * 1_000_000_000 + Int64(rate) - 1) / Int64(rate))
    }
}

extension PCMFormat {
    func frames(in duration: Duration) -> Int { Int(PacedBuffer.frames(in: duration, rate: rate)) }
    func duration(of frames: Int) -> Duration { PacedBuffer.duration(of: Int64(frames), rate: rate) }
}
