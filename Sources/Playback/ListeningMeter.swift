public import PodcastModel

/// Measures how long an episode was heard, and what speed and shortened silence saved. Its input is the
/// position at each record of it; between two of them the speed may have changed, which counts from the next on.
public struct ListeningMeter: Equatable, Sendable {
    /// What was measured of an episode since the last `take`.
    public struct Measured: Equatable, Sendable {
        public var episode: EpisodeID
        public var heard = Duration.zero
        public var savedBySpeed = Duration.zero
        public var savedBySilence = Duration.zero
    }

    private struct Run: Equatable, Sendable {
        var episode: EpisodeID
        var instant: Instant
        var position: MediaTime
        /// Progress of the position since the run began, beyond what speed explains.
        var surplus = Duration.zero
    }

    /// Smaller differences between clock and position come from the sound device.
    private static let tolerance = Duration.milliseconds(200)

    private var run: Run?
    private var measured: Measured?

    public init() {}

    /// The sound is at a position.
    ///
    /// - Parameters:
    ///   - speed: seconds of the episode per second since the last position.
    ///   - shortensSilence: whether the position may advance faster than that.
    public mutating func hear(
        _ episode: EpisodeID, at position: MediaTime, speed: Double, shortensSilence: Bool, now: Instant
    ) {
        guard var run, run.episode == episode else {
            run = Run(episode: episode, instant: now, position: position)
            return
        }
        let elapsed = now - run.instant
        let progress = Duration.nanoseconds((position - run.position).nanoseconds)
        (run.instant, run.position) = (now, position)
        defer { self.run = run }
        guard elapsed > .zero, progress > .zero else { return }
        var sum = measured?.episode == episode ? measured ?? Measured(episode: episode) : Measured(episode: episode)
        sum.heard += elapsed
        // Slower than normal saves nothing.
        let bySpeed = elapsed * max(0, speed - 1)
        sum.savedBySpeed += bySpeed
        if shortensSilence {
            run.surplus += progress - elapsed - bySpeed
            if run.surplus > Self.tolerance {
                sum.savedBySilence += run.surplus
                run.surplus = .zero
            }
        }
        measured = sum
    }

    /// The sound has ended or jumped.
    public mutating func end() { run = nil }

    /// Time measured so far.
    public var heard: Duration { measured?.heard ?? .zero }

    /// Of which episode there is something to take.
    public var episode: EpisodeID? { measured?.episode }

    /// Returns what was measured, and starts at zero.
    public mutating func take() -> Measured? {
        defer { measured = nil }
        return measured
    }
}
