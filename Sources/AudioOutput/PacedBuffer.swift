/// The buffer of a device that plays at its rate as time goes on: a value that is told the time.
///
/// It stands in for a sound device where there is none: files and pipes are written no faster than it has room.
struct PacedBuffer {
    /// Frames per second at which it plays.
    let rate: Int
    /// Frames that it holds.
    let capacity: Int
    /// Nanoseconds between the first frame's delivery and its sound.
    let delay: Int64
    private(set) var delivered: Int64 = 0
    /// At `anchor`, `anchorFrames` had been played; the rest follows at the rate.
    private var anchor: Int64 = 0
    private var anchorFrames: Int64 = 0
    private var isHeld = false

    init(rate: Int, capacity: Int, delay: Int64 = 0) {
        self.rate = rate
        self.delay = delay
        self.capacity = max(1, capacity)
    }

    /// Frames played by now.
    func played(at now: Int64) -> Int64 {
        guard !isHeld, now > anchor else { return anchorFrames }
        return min(delivered, anchorFrames + Self.frames(in: now - anchor, rate: rate))
    }

    /// Frames delivered and not yet played.
    func latency(at now: Int64) -> Int { Int(delivered - played(at: now)) }

    /// Frames that go by until what is delivered next would be heard: at a beginning its delay counts on top.
    func lag(at now: Int64) -> Int {
        let unplayed = latency(at: now)
        guard !isHeld, unplayed > 0, now < anchor else { return unplayed }
        return unplayed + Int(Self.frames(in: anchor - now + Int64(1_000_000_000 / rate) - 1, rate: rate))
    }

    /// Frames it would take now.
    func room(at now: Int64) -> Int { max(0, capacity - latency(at: now)) }

    /// When there will be room for so many frames, at most the capacity; `Int64.max` while it is held.
    func instant(whenRoomFor frames: Int) -> Int64 {
        instant(whenPlayed: delivered + Int64(min(frames, capacity)) - Int64(capacity))
    }

    /// When all that was delivered will have been played; `Int64.max` while it is held.
    var instantWhenEmpty: Int64 { instant(whenPlayed: delivered) }

    mutating func deliver(_ frames: Int, at now: Int64) {
        let played = played(at: now)
        if isHeld || played < delivered {
            // Whole seconds leave the sum exact, and keep it small in a session of days.
            let seconds = isHeld ? 0 : max(0, now - anchor) / 1_000_000_000
            anchor += seconds * 1_000_000_000
            anchorFrames += seconds * Int64(rate)
        } else {
            anchor = now + delay
            anchorFrames = played
        }
        delivered += Int64(frames)
    }

    /// Forgets what was not played.
    /// - Returns: how many frames that was.
    mutating func drop(at now: Int64) -> Int {
        let played = played(at: now)
        let dropped = Int(delivered - played)
        delivered = played
        anchorFrames = played
        anchor = now
        isHeld = false
        return dropped
    }

    /// Forgets the last frames that were not played, at most so many.
    /// - Returns: how many that was.
    mutating func takeBack(_ frames: Int, at now: Int64) -> Int {
        let taken = max(0, min(frames, latency(at: now)))
        delivered -= Int64(taken)
        return taken
    }

    mutating func hold(at now: Int64) {
        anchorFrames = played(at: now)
        anchor = now
        isHeld = true
    }

    mutating func release(at now: Int64) {
        guard isHeld else { return }
        anchor = now
        isHeld = false
    }

    private func instant(whenPlayed target: Int64) -> Int64 {
        guard !isHeld else { return .max }
        let left = target - anchorFrames
        guard left > 0 else { return anchor }
        return anchor + Self.nanoseconds(for: left, rate: rate)
    }

    /// Whole frames in a time, without overflow for any uptime.
    static func frames(in nanoseconds: Int64, rate: Int) -> Int64 {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds * Int64(rate) + rest * Int64(rate) / 1_000_000_000
    }

    /// The time that frames take, rounded up, without overflow for any uptime.
    static func nanoseconds(for frames: Int64, rate: Int) -> Int64 {
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(rate))
        return seconds * 1_000_000_000 + (rest * 1_000_000_000 + Int64(rate) - 1) / Int64(rate)
    }
}
