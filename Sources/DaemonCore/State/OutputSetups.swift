internal import AudioOutput
internal import Configuration
internal import ControlLanguage
internal import PodcastModel

/// What a listener set of an output, for the next start.
struct StoredOutput: ReplyObject {
    private(set) var name = ""
    /// Nil for an output of the configuration.
    private var specification: String?
    private var isEnabled = true
    private var volume = 100
    private var delay = 0

    init() {}

    mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("name", &name)
        members.declare("specification", &specification)
        members.declare("enabled", &isEnabled)
        members.declare("volume", &volume)
        members.declare("delay", &delay)
    }

    /// - Parameter isConfigured: whether the configuration has the output.
    init(_ setup: OutputSetup, isConfigured: Bool) {
        name = setup.name
        isEnabled = setup.isEnabled
        volume = setup.volume
        delay = setup.delay
        specification = isConfigured ? nil : setup.specification.description
    }

    /// The output; nil if the configuration no longer has the output.
    func setup(_ configured: [OutputSetup]) -> OutputSetup? {
        let given = configured.first { $0.name == name }?.specification
        guard let specification = given ?? specification.flatMap({ try? OutputSpecification(parsing: $0) }) else {
            return nil
        }
        let range = OutputSetup.delays
        return OutputSetup(
            name, specification, isEnabled: isEnabled, volume: min(max(volume, 0), 100),
            delay: min(max(delay, range.lowerBound), range.upperBound))
    }
}

/// An output of the configuration that cannot be used.
struct InvalidOutput: Error, CustomStringConvertible {
    /// Nil for the setting `output.sink`.
    let name: String?
    let error: OutputSpecificationError

    var description: String { (name.map { "'\($0)' below [outputs]" } ?? "output.sink") + ": \(error)" }
}

extension OutputSetup {
    /// The outputs of the configuration: those of the section `outputs`, else `output.sink`, which the command line sets too.
    /// - Throws: `InvalidOutput`.
    static func configured(_ settings: Settings) throws -> [OutputSetup] {
        let named = settings.origin(of: "output.sink") == .commandLine ? [] : settings.outputs
        guard named.isEmpty else {
            let outputs = try named.map { output in
                OutputSetup(
                    output.name,
                    try mapError(of: OutputSpecification(parsing: output.specification)) {
                        InvalidOutput(name: output.name, error: $0)
                    })
            }
            for (index, output) in outputs.enumerated() {
                let other = outputs[..<index].first { $0.specification.isSameDevice(as: output.specification) }
                if let other { throw InvalidOutput(name: output.name, error: .used(output.name, by: other.name)) }
            }
            return outputs
        }
        let specification = try mapError(of: OutputSpecification(parsing: settings["output.sink"])) {
            InvalidOutput(name: nil, error: $0)
        }
        return [OutputSetup(specification.name, specification)]
    }

    /// The outputs of the configuration and of clients, as they were set last.
    static func all(_ settings: Settings, _ stored: [StoredOutput]) throws -> [OutputSetup] {
        let configured = try configured(settings)
        let known = stored.compactMap { $0.setup(configured) }
        return configured.map { output in known.first { $0.name == output.name } ?? output }
            + known.filter { output in !configured.contains { $0.name == output.name } }
    }

    /// For undo steps: `on 60 80 alsa:hw:1`.
    var text: String { "\(isEnabled ? "on" : "off") \(volume) \(delay) \(specification)" }

    init?(_ name: String, text: String) {
        let words = text.split(separator: " ", maxSplits: 3).map(String.init)
        guard words.count == 4, let volume = Int(words[1]), let delay = Int(words[2]),
            let specification = try? OutputSpecification(parsing: words[3])
        else { return nil }
        self.init(name, specification, isEnabled: words[0] == "on", volume: volume, delay: delay)
    }
}
