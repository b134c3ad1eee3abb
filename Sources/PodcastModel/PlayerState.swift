/// What the player does.
public enum PlayerState: String, Sendable, CaseIterable {
    case stopped
    /// The episode is being opened.
    case loading
    /// Audio comes too slowly.
    case buffering
    case playing
    case paused

    /// Whether the player plays, or does as soon as it can.
    public var isPlaying: Bool {
        switch self {
        case .loading, .buffering, .playing: true
        case .stopped, .paused: false
        }
    }
}

/// Whether an output can be heard.
public enum OutputPhase: String, Sendable, CaseIterable {
    /// Nothing plays, or the output is disabled.
    case idle
    /// The output is being opened, or plays silence until it is in step with the others.
    case opening
    /// The output plays what there is to play.
    case ready
    /// The output does not work; it is opened again if that makes sense.
    case failed
}

/// An output, which plays if it is enabled.
public struct OutputState: Equatable, Sendable {
    public var name = ""
    /// As in the configuration: `alsa:default`.
    public var specification = ""
    /// The beginning of `specification`: `alsa`.
    public var kind: String { String(specification.prefix { $0 != ":" && $0 != "?" }) }
    public var isEnabled = false
    public var phase = OutputPhase.idle
    /// Why the output does not play although it should.
    public var reason: String?
    /// In percent, beside the volume of all outputs.
    public var volume = 100
    /// How much later than the others the output is heard, in milliseconds.
    public var delay = 0
    /// Whether it plays at speed 1, whatever the speed is.
    public var isAtSpeedOne = false
    /// The format of the open device, frames per second, sample type and channels: `48000:s16:2`. Nil while the device is closed.
    public var format: String?

    public init() {}

    public init(name: String, specification: String, isEnabled: Bool) {
        self.name = name
        self.specification = specification
        self.isEnabled = isEnabled
    }
}
