internal import AudioOutput
internal import Configuration
internal import PodcastModel

/// An output of the configuration that cannot be used.
struct InvalidOutput: Error, CustomStringConvertible {
    /// Nil for the setting `output.sink`.
    let name: String?
    let error: OutputSpecificationError

    var description: String { (name.map { "'\($0)' below [outputs]" } ?? "output.sink") + ": \(error)" }
}

/// The outputs of the configuration: those of the section `outputs`, else `output.sink`, which the command line sets too.
struct ConfiguredOutputs {
    let setups: [OutputSetup]
    let origin: SettingOrigin

    /// - Throws: `InvalidOutput`.
    init(_ settings: Settings) throws(InvalidOutput) {
        let sink = settings.origin(of: "output.sink")
        guard sink != .commandLine, !settings.outputs.isEmpty else {
            origin = sink
            let specification = try Self.parse(settings["output.sink"], name: nil)
            setups = [OutputSetup(specification.name, specification.description)]
            return
        }
        origin = .configFile
        var known: [(name: String, specification: OutputSpecification)] = []
        for output in settings.outputs {
            let specification = try Self.parse(output.specification, name: output.name)
            if let other = known.first(where: { $0.specification.isSameDevice(as: specification) }) {
                throw InvalidOutput(name: output.name, error: .used(output.name, by: other.name))
            }
            known.append((output.name, specification))
        }
        setups = known.map { OutputSetup($0.name, $0.specification.description) }
    }

    private static func parse(_ text: String, name: String?) throws(InvalidOutput) -> OutputSpecification {
        try mapError(of: OutputSpecification(parsing: text)) { InvalidOutput(name: name, error: $0) }
    }

    func contains(_ name: String) -> Bool { setups.contains { $0.name == name } }

    /// The record of an output for files and undo steps, which do not repeat the configuration.
    func record(of setup: OutputSetup) -> OutputSetup {
        var record = setup
        if contains(setup.name) { record.specification = "" }
        return record
    }

    /// The output of a record; nil if the configuration no longer has the output, or if the record is invalid.
    func setup(of record: OutputSetup) -> OutputSetup? {
        var setup = record
        let given = setups.first { $0.name == record.name }?.specification ?? record.specification
        guard let specification = try? OutputSpecification(parsing: given) else { return nil }
        setup.specification = specification.description
        return setup
    }

    /// The records of the outputs that are not as the configuration has them.
    func changes(in outputs: [OutputSetup]) -> [OutputSetup] { outputs.filter { !setups.contains($0) }.map(record) }

    /// The outputs of the configuration and of clients, as they were set last.
    func setups(with records: [OutputSetup]) -> [OutputSetup] {
        let known = records.compactMap(setup)
        return setups.map { output in known.first { $0.name == output.name } ?? output }
            + known.filter { !contains($0.name) }
    }
}
