internal import AudioOutput
internal import Configuration
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import Library
internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import SerialThreads

/// Outputs: what clients may change of them, and the changes as acts that can be undone.
struct OutputsHandler {
    let decisions: DecisionThread
    let now: @Sendable () -> Timestamp
    let outputSet: OutputSet
    let search: DeviceSearch
    let player: Player
    let session: SessionFile
    let settings: SettingsService
    let library: LibraryService
    let changes: ChangeBoard
    let upcoming: UpcomingBoard
    let places: Places
    let edits = Turns()
    /// The entry that was paused because the last output was disabled, to continue when one is enabled.
    let pausedWithoutOutput = LateBound<EntryID>()

    /// Each has a thread while it plays, and a line in the session's file.
    private static let mostOutputs = 32

    var answers: [AnsweredCommand] {
        [
            .atOnce { (_: ListOutputs) in OutputListReply(outputSet.states) },
            decisions.answer { (request: EnableOutput) in try await change(request.name) { $0.isEnabled = true } },
            decisions.answer { (request: DisableOutput) in try await change(request.name) { $0.isEnabled = false } },
            decisions.answer { (request: PlayOnOutput) in
                try await changeOutputs(request.name, request.name) { (outputs, chosen) in
                    for index in outputs.indices { outputs[index].isEnabled = chosen.contains(index) }
                }
            },
            decisions.answer { (request: SetOutputVolume) in
                guard (request.volume == nil) != (request.change == nil) else {
                    throw ControlError(.invalidArgument, "give either a volume or a change of it", hint: "50, +5 or -5")
                }
                return try await change(request.name, "volume of ", joins: true) {
                    $0.volume = request.volume ?? min(max($0.volume + (request.change ?? 0), 0), 100)
                }
            },
            decisions.answer { (request: SetOutputDelay) in
                let unit = ["ms", "s"].first { request.delay.hasSuffix($0) } ?? ""
                let number = unit.isEmpty && request.delay != "0" ? nil : Double(request.delay.dropLast(unit.count))
                let milliseconds = number.flatMap { Int(exactly: ($0 * (unit == "s" ? 1000 : 1)).rounded()) }
                guard let delay = milliseconds, OutputSetup.delays.contains(delay) else {
                    throw ControlError(
                        .invalidArgument, "'\(request.delay)' is not a delay",
                        hint: "give a time of at most a second: 80ms or 0.5s")
                }
                return try await change(request.name, "delay of ") { $0.delay = delay }
            },
            decisions.answer { (request: AddOutput) in try await add(request.name, request.specification) },
            decisions.answer { (request: RemoveOutput) in try await remove(request.name) },
            decisions.answer { (_: FindOutputs) in FoundOutputsReply(await search.run(), beside: outputSet.setups) },
        ]
    }

    var hasOutput: Bool { outputSet.setups.contains(where: \.isEnabled) }

    private func change(
        _ name: String, _ what: String = "", joins: Bool = false, _ edit: (inout OutputSetup) -> Void
    ) async throws -> OutputReply {
        try await changeOutputs(name, what + name, joins: joins) { (outputs, chosen) in
            for index in chosen { edit(&outputs[index]) }
        }
    }

    /// Changes outputs as one act.
    /// - Parameters:
    ///   - name: of an output, or of a group, whose outputs have names that begin with the group's and a slash.
    ///   - joins: whether the same change within a minute is the same act.
    private func changeOutputs(
        _ name: String, _ title: String, joins: Bool = false, _ edit: (inout [OutputSetup], [Int]) -> Void
    ) async throws -> OutputReply {
        var first = ""
        try await self.edit(title, joins: joins) { outputs in
            let single = outputs.indices.filter { outputs[$0].name == name }
            let chosen = single.isEmpty ? outputs.indices.filter { outputs[$0].name.hasPrefix(name + "/") } : single
            guard !chosen.isEmpty, !name.isEmpty else { throw Self.unknownOutput(name) }
            first = outputs[chosen[0]].name
            edit(&outputs, chosen)
        }
        return try output(first)
    }

    private func add(_ name: String, _ text: String) async throws -> OutputReply {
        let specification = try mapError(of: OutputSpecification(parsing: text)) { (error: OutputSpecificationError) in
            ControlError(.invalidArgument, "\(error)")
        }
        if let missing = specification.kind.missingProgram {
            throw ControlError(
                .unavailable, "\(specification.name) needs \(missing.name), which is not installed",
                hint: "install \(missing.package)")
        }
        try await edit(name) { outputs in
            try check(specification, as: name, beside: outputs)
            outputs.append(OutputSetup(name, specification.description))
        }
        return try output(name)
    }

    /// Whether a client may add an output to others.
    private func check(
        _ specification: OutputSpecification, as name: String, beside before: [OutputSetup]
    ) throws(ControlError) {
        guard specification.isClientAddable else {
            throw ControlError(
                .notPermitted,
                "a client cannot add '\(specification.name)': it may start programs or write files, or is not a known card",
                hint: "write '\(name) = \(specification)' below [outputs] in \(places.changeableConfigFile), "
                    + "then reload podcastd")
        }
        guard !before.contains(where: { $0.name == name }) else {
            throw ControlError(.conflict, "there is an output '\(name)' already", hint: "choose another name")
        }
        if before.contains(where: { $0.name.hasPrefix(name + "/") || name.hasPrefix($0.name + "/") }) {
            throw ControlError(.conflict, "'\(name)' would be an output and a group", hint: "choose another name")
        }
        if let other = before.first(where: { $0.usesDevice(of: specification) }) {
            throw ControlError(
                .conflict, "'\(other.name)' plays there already ('\(other.specification)')",
                hint: "give each output a separate device")
        }
        guard SafeText.isOneLine(name), (1...64).contains(name.utf8.count), specification.description.utf8.count <= 256
        else {
            throw ControlError(
                .invalidArgument, "a name is one line of 1 to 64 bytes, and a specification has at most 256")
        }
        guard before.count < Self.mostOutputs else {
            throw ControlError(.conflict, "there are \(before.count) outputs already", hint: "remove one first")
        }
    }

    private func remove(_ name: String) async throws -> OutputReply {
        var removed = OutputReply()
        try await edit(name) { outputs in
            if outputs.contains(where: { $0.name.hasPrefix(name + "/") }) {
                throw ControlError(.invalidArgument, "'\(name)' is a group", hint: "remove its outputs one by one")
            }
            removed = try output(name)
            let configuration = try configuration
            if configuration.contains(name) {
                throw ControlError(
                    .notPermitted, "'\(name)' comes from podcastd's \(configuration.origin.rawValue)",
                    hint: "switch it off: podcastctl output disable \(name)")
            }
            outputs.removeAll { $0.name == name }
        }
        return removed
    }

    private func output(_ name: String) throws(ControlError) -> OutputReply {
        guard let output = outputSet.states.first(where: { $0.name == name }) else { throw Self.unknownOutput(name) }
        return output
    }

    private static func unknownOutput(_ name: String) -> ControlError {
        ControlError(.notFound, "no output matches '\(name)'", hint: "podcastctl outputs lists them")
    }

    // MARK: editing

    private var configuration: ConfiguredOutputs {
        get throws { try ConfiguredOutputs(settings.current.settings) }
    }

    /// Edits the outputs. One edit comes after another, because a pause takes time, during which another edit would be lost.
    /// - Parameter title: of the act; nil if the change is not recorded.
    /// - Returns: the changes; a trial does not apply them.
    @discardableResult
    private func edit(
        _ title: String?, joins: Bool = false, isTrial: Bool = false, _ edit: (inout [OutputSetup]) throws -> Void
    ) async throws -> [SettingChange] {
        try await edits.take {
            let before = outputSet.setups
            var after = before
            try edit(&after)
            let made = try changes(from: before, to: after)
            if isTrial { return made }
            try await replace(before, with: after)
            if let title, !made.isEmpty {
                await library.record(made, as: .output, title: title, joins: joins, at: now())
            }
            try await save()
            return made
        }
    }

    private func replace(_ before: [OutputSetup], with after: [OutputSetup]) async throws {
        let hadOutput = before.contains(where: \.isEnabled)
        let hasOutput = after.contains(where: \.isEnabled)
        if hadOutput, !hasOutput, player.status.state.isPlaying {
            try await player.pause()
            pausedWithoutOutput.value = player.status.entry?.id
        }
        try mapError(of: outputSet.replace(with: after)) { (error: SinkError) in
            ControlError(.unavailable, error.message)
        }
        if !hadOutput, hasOutput {
            let status = player.status
            let paused = pausedWithoutOutput.value
            pausedWithoutOutput.value = nil
            let wasPaused = status.state == .paused && paused != nil && status.entry?.id == paused
            let couldNotPlay = status.state == .stopped && status.error?.kind == .noOutput
            if wasPaused || couldNotPlay { try await player.resume() }
        }
        changes.changed(.outputs)
        // The speed that is heard, and the times that are left at it.
        await upcoming.refresh()
        changes.changed(.player)
    }

    private func save() async throws {
        let configuration = try configuration
        do { try await session.save { [outputSet] in $0.outputs = configuration.changes(in: outputSet.setups) } } catch
        {
            throw ControlError(done: "outputs changed", notKept: error)
        }
    }

    private func changes(from before: [OutputSetup], to after: [OutputSetup]) throws -> [SettingChange] {
        let configuration = try configuration
        let names = before.map(\.name) + after.map(\.name).filter { name in !before.contains { $0.name == name } }
        return names.compactMap { name -> SettingChange? in
            let pair = [before, after].map { outputs in outputs.first { $0.name == name } }
            if pair[0] == pair[1] { return nil }
            let records = pair.map { $0.map { configuration.record(of: $0).json.text } }
            return SettingChange(.output(name), from: records[0], to: records[1])
        }
    }

    // MARK: for other sections

    /// Applies the outputs of the configuration, with what clients have set.
    func reload(_ settings: Settings) async throws {
        try await edit(nil) { $0 = try ConfiguredOutputs(settings).setups(with: session.session.outputs) }
    }

    /// Keeps a volume that the desktop or a device has set.
    func keep() {
        guard let configuration = try? configuration else { return }
        session.saveSoon { [outputSet] in $0.outputs = configuration.changes(in: outputSet.setups) }
    }

    /// Adds the outputs of a document that clients may add, and sets those that are as the configuration has them.
    func add(_ records: [OutputSetup], isTrial: Bool) async throws -> [SettingChange] {
        if records.isEmpty { return [] }
        return try await edit(nil, isTrial: isTrial) { outputs in
            let configuration = try configuration
            for record in records {
                guard let wanted = configuration.setup(of: record) else { continue }
                if let index = outputs.firstIndex(where: { $0.name == wanted.name }) {
                    if configuration.setups.contains(outputs[index]) { outputs[index] = wanted }
                } else {
                    append(wanted, to: &outputs)
                }
            }
        }
    }

    /// Adds an output if a client may.
    private func append(_ output: OutputSetup, to outputs: inout [OutputSetup]) {
        if let specification = try? OutputSpecification(parsing: output.specification),
            (try? check(specification, as: output.name, beside: outputs)) != nil
        {
            outputs.append(output)
        }
    }

    /// Output of an act that is undone: its record before the act, nil if it was not there, and its record after the act.
    typealias Restored = (name: String, record: OutputSetup?, replaced: OutputSetup?)

    /// Gives outputs what an act has changed of them. What the configuration says of an output stays, and so does an output that the
    /// configuration has now; only an output that a client may add beside the present ones comes back.
    func restore(_ wanted: [Restored]) async throws {
        try await edit(nil) { outputs in
            let configuration = try configuration
            for (name, record, replaced) in wanted {
                switch (outputs.firstIndex { $0.name == name }, record) {
                case (let index?, let record?): outputs[index].restore(record, insteadOf: replaced)
                case (let index?, nil): if !configuration.contains(name) { outputs.remove(at: index) }
                case (nil, let record?): if !configuration.contains(name) { append(record, to: &outputs) }
                case (nil, nil): break
                }
            }
        }
    }
}

extension OutputSetup {
    /// Takes the members in which two records differ.
    fileprivate mutating func restore(_ record: OutputSetup, insteadOf replaced: OutputSetup?) {
        if record.isEnabled != replaced?.isEnabled { isEnabled = record.isEnabled }
        if record.volume != replaced?.volume { volume = record.volume }
        if record.delay != replaced?.delay { delay = record.delay }
    }

    /// Whether it uses the device of another output.
    func usesDevice(of other: OutputSpecification) -> Bool {
        (try? OutputSpecification(parsing: specification))?.isSameDevice(as: other) == true
    }
}

extension LibraryAccess {
    /// Records changes that are in effect as one act.
    /// - Parameter joins: whether this and the same change within a minute before are one act.
    func record(
        _ changes: [SettingChange], as kind: Act, title: String, joins: Bool = false, at time: Timestamp
    ) async {
        try? await perform {
            try $0.history.recordSettings(changes, as: kind, title: title, joins: joins, at: time)
        }
    }
}
