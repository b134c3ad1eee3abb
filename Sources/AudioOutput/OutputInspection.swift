/// Whether an output can be used now.
public enum OutputCondition: Equatable, Sendable {
    /// Yes, as far as can be determined without playing.
    case usable
    /// The cause and what to do, as text for users.
    case unusable(Obstacle, String, fix: String)

    public enum Obstacle: Sendable {
        /// Another program, or this one, uses it.
        case inUse
        /// This process has no permission.
        case forbidden
        case other
    }
}

/// Checks outputs without playing.
public protocol OutputInspecting: Sendable {
    /// ALSA's names of the cards' own devices, which begin with `hw:`. May take long.
    func devices() -> [String]
    /// Whether an output can be used now. Opens a device for a moment, but never a named pipe, because its reader would
    /// see an empty stream. May take long.
    func condition(of specification: OutputSpecification) -> OutputCondition
}

/// Checks the outputs of this machine.
public struct OutputInspector: OutputInspecting {
    public init() {}

    public func devices() -> [String] { ALSASink.cards }

    public func condition(of specification: OutputSpecification) -> OutputCondition {
        specification.kind.inspect(specification.parameter)
    }
}
