/// An output as the user set it up. Files, undo steps and clients have it in one form.
public struct OutputSetup: Equatable, Sendable {
    /// In milliseconds. Frames for the outputs that are heard later stay in memory for that time.
    public static let delays = -1_000...1_000

    public var name: String
    /// As in the configuration: `alsa:default`. Empty in a record of an output whose specification the configuration has.
    public var specification: String
    public var isEnabled: Bool
    /// In percent, beside the volume of all outputs.
    public var volume: Int
    /// How much later than the others the output is heard, in milliseconds.
    public var delay: Int

    public init(
        _ name: String = "", _ specification: String = "", isEnabled: Bool = true, volume: Int = 100, delay: Int = 0
    ) {
        self.name = name
        self.specification = specification
        self.isEnabled = isEnabled
        self.volume = volume
        self.delay = delay
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

/// An output and what it does.
public struct OutputState: Equatable, Sendable {
    public var setup: OutputSetup
    public var phase = OutputPhase.idle
    /// Why the output does not play although it should.
    public var reason: String?
    /// The format of the open device, frames per second, sample type and channels: `48000:s16:2`. Nil while the device is closed.
    public var format: String?
    /// Whether it plays at speed 1, whatever the speed is.
    public var isAtSpeedOne = false

    public init() { self.init(OutputSetup(isEnabled: false)) }
    public init(_ setup: OutputSetup) { self.setup = setup }

    public var name: String { setup.name }
    public var specification: String { setup.specification }
    /// The beginning of `specification`: `alsa`.
    public var kind: String { String(specification.prefix { $0 != ":" && $0 != "?" }) }
    public var isEnabled: Bool { setup.isEnabled }
    public var volume: Int { setup.volume }
    public var delay: Int { setup.delay }
}
