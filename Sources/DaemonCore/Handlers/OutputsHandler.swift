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

// Outputs: what clients may change of them, and the changes as acts that can be undone.

extension DaemonParts {
    var outputAnswers: [AnsweredCommand] {
        [
            .atOnce { [media] (_: ListOutputs) in OutputListReply(media.outputs.states) },
            decisions.answer { [self] (request: EnableOutput) in try await change(request.name) { $0.isEnabled = true }
            },
            decisions.answer { [self] (request: DisableOutput) in
                try await change(request.name) { $0.isEnabled = false }
            },
            decisions.answer { [self] (request: PlayOnOutput) in
                try await changeOutputs(request.name, Self.outputPrefix + request.name) { (outputs, chosen) in
                    for index in outputs.indices { outputs[index].isEnabled = chosen.contains(index) }
                }
            },
            decisions.answer { [self] (request: SetOutputVolume) in
                guard (request.volume == nil) != (request.change == nil) else {
                    throw ControlError(.invalidArgument, "give either a volume or a change of it", hint: "50, +5 or -5")
                }
                return try await change(request.name, "volume of ") {
                    $0.volume = request.volume ?? min(max($0.volume + (request.change ?? 0), 0), 100)
                }
            },
            decisions.answer { [self] (request: SetOutputDelay) in
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
            decisions.answer { [self] (request: AddOutput) in try await add(request.name, request.specification) },
            decisions.answer { [self] (request: RemoveOutput) in try await remove(request.name) },
        ]
    }

    var hasOutput: Bool { media.outputs.setups.contains(where: \.isEnabled) }

    private func change(
        _ name: String, _ what: String = "", _ edit: (inout OutputSetup) -> Void
    ) async throws -> OutputReply {
        try await changeOutputs(name, what + Self.outputPrefix + name) { (outputs, chosen) in
            for index in chosen { edit(&outputs[index]) }
        }
    }

    /// Changes outputs as one act.
    /// - Parameter name: of an output, or of a group, whose outputs have names that begin with the group's and a slash.
    private func changeOutputs(
        _ name: String, _ title: String, _ edit: (inout [OutputSetup], [Int]) -> Void
    ) async throws -> OutputReply {
        var first = ""
        try await setOutputs(title) { outputs in
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
        try await setOutputs(Self.outputPrefix + name) { outputs in
            let added = OutputSetup(name, specification)
            try check(added, beside: outputs)
            outputs.append(added)
        }
        return try output(name)
    }

    /// Whether a client may add an output to others.
    private func check(_ added: OutputSetup, beside before: [OutputSetup]) throws(ControlError) {
        let name = added.name
        let specification = added.specification
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
        if let other = before.first(where: { $0.specification.isSameDevice(as: specification) }) {
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
        try await setOutputs(Self.outputPrefix + name) { outputs in
            if outputs.contains(where: { $0.name.hasPrefix(name + "/") }) {
                throw ControlError(.invalidArgument, "'\(name)' is a group", hint: "remove its outputs one by one")
            }
            removed = try output(name)
            guard try !OutputSetup.configured(settings.current.settings).contains(where: { $0.name == name }) else {
                throw ControlError(
                    .notPermitted,
                    "'\(name)' comes from \(places.configFile ?? "podcastd.conf, podcastd's command line or their defaults")",
                    hint: "remove it there, or switch it off: podcastctl output disable \(name)")
            }
            outputs.removeAll { $0.name == name }
        }
        return removed
    }

    private func output(_ name: String) throws(ControlError) -> OutputReply {
        guard let output = media.outputs.states.first(where: { $0.name == name }) else {
            throw Self.unknownOutput(name)
        }
        return output
    }

    private static func unknownOutput(_ name: String) -> ControlError {
        ControlError(.notFound, "no output matches '\(name)'", hint: "podcastctl outputs lists them")
    }

    /// Applies the outputs of the configuration, with what clients have set.
    func reloadOutputs(_ settings: Settings) async throws {
        try await setOutputs(nil) { $0 = try OutputSetup.all(settings, session.session.outputs) }
    }

    /// Edits the outputs. One edit comes after another, because a pause takes time, during which another edit would be lost.
    /// - Parameter title: of the act; nil if the change is not recorded.
    /// - Returns: the changes; a trial does not apply them.
    @discardableResult
    private func setOutputs(
        _ title: String?, isTrial: Bool = false, _ edit: (inout [OutputSetup]) throws -> Void
    ) async throws -> [SettingChange] {
        try await outputChanges.take {
            let before = media.outputs.setups
            var after = before
            try edit(&after)
            let changes = Self.changes(from: before, to: after)
            if isTrial { return changes }
            try await replaceOutputs(before, with: after)
            if let title, !changes.isEmpty { await record(changes, as: .set, title: title) }
            return changes
        }
    }

    private func replaceOutputs(_ before: [OutputSetup], with after: [OutputSetup]) async throws {
        let hadOutput = before.contains(where: \.isEnabled)
        let hasOutput = after.contains(where: \.isEnabled)
        if hadOutput, !hasOutput, player.status.state.isPlaying {
            try await player.pause()
            pausedWithoutOutput.value = player.status.entry?.id
        }
        try mapError(of: media.outputs.replace(with: after)) { (error: SinkError) in
            ControlError(.unavailable, error.message)
        }
        if !hadOutput, hasOutput {
            let status = player.status
            let paused = pausedWithoutOutput.value
            pausedWithoutOutput.value = nil
            let wasPaused = status.state == .paused && paused != nil && status.entry?.id == paused
            let couldNotPlay = status.state == .stopped && status.error?.message == SinkError.noOutput.message
            if wasPaused || couldNotPlay { try await player.resume() }
        }
        changes.changed(.outputs)
        // The speed that is heard, and the time that is left at it.
        changes.changed(.player)
        do { try await session.save { [self] in $0.outputs = storedOutputs } } catch {
            throw ControlError(done: "outputs changed", notKept: error)
        }
    }

    private static func changes(from before: [OutputSetup], to after: [OutputSetup]) -> [SettingChange] {
        let names = before.map(\.name) + after.map(\.name).filter { name in !before.contains { $0.name == name } }
        return names.compactMap { name -> SettingChange? in
            let old = before.first { $0.name == name }?.text
            let new = after.first { $0.name == name }?.text
            return old == new ? nil : SettingChange(outputPrefix + name, from: old, to: new)
        }
    }

    /// Adds the outputs of a document that clients may add, and sets those that are as the configuration has them.
    /// - Parameter given: settings of the document, outputs among them.
    func importOutputs(_ given: [ClientSetting], isTrial: Bool) async throws -> [SettingChange] {
        let given = given.filter { $0.name.hasPrefix(Self.outputPrefix) }
        if given.isEmpty { return [] }
        return try await setOutputs(nil, isTrial: isTrial) { outputs in
            let configured = configuredOutputs
            for setting in given {
                let value = setting.value.flatMap { try? JSONValue(parsing: $0) }
                guard let wanted = value.flatMap(StoredOutput.init(json:))?.setup(configured) else { continue }
                if let index = outputs.firstIndex(where: { $0.name == wanted.name }) {
                    if configured.contains(outputs[index]) { outputs[index] = wanted }
                } else if (try? check(wanted, beside: outputs)) != nil {
                    outputs.append(wanted)
                }
            }
        }
    }

    private var configuredOutputs: [OutputSetup] {
        (try? OutputSetup.configured(settings.current.settings)) ?? []
    }

    /// The outputs that are not as the configuration has them.
    private var storedOutputs: [StoredOutput] {
        let configured = configuredOutputs
        return media.outputs.setups.filter { !configured.contains($0) }.map { output in
            StoredOutput(output, isConfigured: configured.contains { $0.name == output.name })
        }
    }

    /// Keeps a volume that the desktop or a device has set.
    func keepOutputs() { session.saveSoon { [self] in $0.outputs = storedOutputs } }

    /// Each has a thread while it plays, and a line in the session's file.
    private static let mostOutputs = 32

    /// Begins the keys of acts on outputs, which `podcastctl settings` does not have.
    static let outputPrefix = "output "

    /// Gives outputs what they had before an act. What the configuration says of an output stays, and so does an output that the
    /// configuration has now; only an output that a client may add comes back.
    func restoreOutputs(_ wanted: [ClientSetting]) async throws {
        try await setOutputs(nil) { outputs in
            let configured = configuredOutputs
            for setting in wanted {
                let name = String(setting.name.dropFirst(Self.outputPrefix.count))
                var old = setting.value.flatMap { OutputSetup(name, text: $0) }
                let isConfigured = configured.contains { $0.name == name }
                if let index = outputs.firstIndex(where: { $0.name == name }) {
                    old?.specification = outputs[index].specification
                    if let old { outputs[index] = old } else if !isConfigured { outputs.remove(at: index) }
                } else if let old, !isConfigured, old.specification.isClientAddable {
                    outputs.append(old)
                }
            }
        }
    }
}
