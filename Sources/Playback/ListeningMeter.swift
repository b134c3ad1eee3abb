public import PodcastModel

/// Measures, from the places at which it is recorded, how long an episode was heard and what speed and shortened silence saved.
public struct ListeningMeter: Equatable, Sendable {
    /// What was measured of an episode since the last `take`.
    public struct Measured: Equatable, Sendable {
        public var episode: EpisodeID
        public var time = ListeningTime()
    }

    private struct Run: Equatable {
        var episode: EpisodeID
        var instant: Instant
        var place: HeardPlace
    }

    private var run: Run?
    private var measured: Measured?

    public init() {}

    /// The sound is at a place. Between two calls the parameters are the same.
    public mutating func hear(
        _ episode: EpisodeID, at place: HeardPlace, _ parameters: PlaybackParameters, now: Instant
    ) {
        let former = exchange(&run, with: Run(episode: episode, instant: now, place: place))
        guard let before = former, before.episode == episode else { return }
        let elapsed = now - before.instant
        let progress = place.position - before.place.position
        guard elapsed > .zero, progress > .zero else { return }
        var sum = measured.flatMap { $0.episode == episode ? $0 : nil } ?? Measured(episode: episode)
        sum.time.heard += elapsed
        let omitted = max(.zero, place.omitted - before.place.omitted)
        // Slower than normal saves nothing. libsonic's speed differs slightly from the parameter.
        if parameters.speed > .normal {
            sum.time.savedBySpeed += .nanoseconds((progress - omitted).nanoseconds) - elapsed
        }
        if parameters.silence != nil {
            let skipped = parameters.skips.reduce(MediaTime.zero) { sum, skip in
                // A part in which playback began was played.
                let isSkipped = before.place.position <= skip.lowerBound && place.position >= skip.upperBound
                return isSkipped ? sum + (skip.upperBound - skip.lowerBound) : sum
            }
            sum.time.savedBySilence += .nanoseconds(max(.zero, omitted - skipped).nanoseconds)
        }
        measured = sum
    }

    public mutating func end() { run = nil }

    public var heard: Duration { measured?.time.heard ?? .zero }

    public var episode: EpisodeID? { measured?.episode }

    /// Returns what was measured, and starts at zero.
    public mutating func take() -> Measured? {
        defer { measured = nil }
        guard var measured else { return nil }
        measured.time.savedBySpeed = max(.zero, measured.time.savedBySpeed)
        return measured
    }
}
