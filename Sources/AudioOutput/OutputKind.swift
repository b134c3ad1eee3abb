internal import MediaPorts

/// A kind of output: how users write it, and how its sink is made and checked. `all` is the registry: another kind is a value
/// there, and a folder with its sink.
public struct OutputKind: Sendable {
    /// What follows the name and a colon: a device, a path, a command.
    enum Parameter: Sendable {
        case none
        /// - Parameter name: as help shows it.
        case optional(_ name: String, default: String)
        case required(_ name: String)
    }

    /// Without the parameter: `alsa`.
    let name: String
    let parameter: Parameter
    /// What users should know about a usable output.
    public internal(set) var note: String?
    /// Whether an output with this parameter can be used now. Must not start programs or open named pipes.
    var inspect: @Sendable (String) -> OutputCondition = { _ in .usable }
    /// Makes the sink of a specification; opens nothing.
    let makeSink: @Sendable (OutputSpecification, SinkFactory) throws -> any Sink

    /// In the order in which help lists them.
    static let all: [OutputKind] = [.alsa, .pipe, .fifo, .wav, .raw, .null]

    /// All kinds in one line for help: `alsa[:DEVICE], wav:PATH or null`.
    public static let usage: String = {
        let kinds = all.map(\.usage)
        return kinds.dropLast().joined(separator: ", ") + " or " + kinds[kinds.count - 1]
    }()

    private var usage: String {
        switch parameter {
        case .none: name
        case .optional(let what, _): "\(name)[:\(what)]"
        case .required(let what): "\(name):\(what)"
        }
    }

    /// - Parameter text: what follows the colon; nil without a colon.
    func parse(_ text: String?) throws(OutputSpecificationError) -> String {
        switch parameter {
        case .none:
            guard text == nil else { throw .parameterUnwanted(kind: name) }
            return ""
        case .optional(_, let standard): return text.flatMap { $0.isEmpty ? nil : $0 } ?? standard
        case .required(let what):
            guard let text, !text.isEmpty else { throw .parameterMissing(kind: name, what: what) }
            return text
        }
    }
}

extension OutputKind: Hashable {
    public static func == (one: OutputKind, other: OutputKind) -> Bool { one.name == other.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Whether an output can be used now.
public enum OutputCondition: Equatable, Sendable {
    /// Yes, as far as can be determined without playing.
    case usable
    /// The cause and what to do, as text for users.
    case unusable(Obstacle, String, fix: String)

    public enum Obstacle: Sendable {
        case inUse
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
