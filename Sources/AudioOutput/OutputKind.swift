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
