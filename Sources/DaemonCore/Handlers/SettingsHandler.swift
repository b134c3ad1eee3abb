internal import Configuration
internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import Playback
internal import PodcastModel
internal import Reporting

extension DaemonParts {
    var settingAnswers: [AnsweredCommand] {
        [
            .atOnce { [self] (_: ListSettings) in
                let current = settings.current
                return SettingListReply(SettingTable.all.map { SettingReply($0, in: current) })
            },
            .atOnce { [self] (request: GetSetting) throws(ControlError) in
                SettingReply(try Self.declaration(request.key), in: settings.current)
            },
            decisions.answer { [self] (request: SetSetting, caller) in
                try await change(request.key, to: request.value, by: caller)
            },
            decisions.answer { [self] (request: ResetSetting, caller) in
                try await change(request.key, to: nil, by: caller)
            },
        ]
    }

    private func change(_ key: String, to value: String?, by caller: Caller) async throws -> SettingReply {
        let declaration = try Self.declaration(key)
        guard declaration.isClientSettable else {
            throw ControlError(
                .notPermitted, "\(key) can only be set in \(places.changeableConfigFile)",
                hint: "edit it, then reload or restart podcastd")
        }
        // A playlist that is missing would end playback without a message.
        if key == "playback.after_queue", case .playlist(let what)? = value.flatMap({ AfterQueue(parsing: $0) }) {
            _ = try await library.read { [now] store in
                try EpisodeChoice.choices(Name(what, number: .episode), word: what, isExact: true, in: store, at: now())
            }
        }
        try await changeSetting(key, to: value, as: .set)
        let stored = settings.current.settings.value(of: key, from: .client)
        logger.log(
            .info, .settings, "user \(caller.peer.user) \(stored.map { "set \(key) to \($0)" } ?? "reset \(key)")")
        return SettingReply(declaration, in: settings.current)
    }

    private static func declaration(_ key: String) throws(ControlError) -> SettingDeclaration {
        guard let declaration = SettingTable.declaration(key) else {
            throw ControlError(.notFound, Settings.unknown(key), hint: "podcastctl settings lists them")
        }
        return declaration
    }

    // MARK: acts

    /// Changes a setting as an act; nil removes the value that clients set. The setting is on disk before the act is recorded, so this
    /// does not fail if the disk is too full for an undo step.
    /// - Parameter title: what lists of acts show; nil for the key.
    func changeSetting(_ key: String, to value: String?, as kind: Act, title: String? = nil) async throws {
        let (before, after) = try await settings.set(key, to: value)
        await library.record([.init(.key(key), from: before, to: after)], as: kind, title: title ?? key, at: now())
    }

    /// Gives a setting or the volume the value from before an act.
    func restore(_ setting: ClientSetting) async throws {
        switch setting.name {
        case .volume:
            guard let volume = setting.value.flatMap({ Int($0) }) else { return }
            await player.setVolume(volume)
            try await session.save { $0.volume = volume }
        case .key(let key): try await settings.set(key, to: setting.value)
        case .output: break
        }
    }

    /// Takes the valid settings of an imported document that clients may set and have not set here.
    /// - Parameters:
    ///   - document: its name, which the import's act has too.
    ///   - isTrial: whether to count only.
    /// - Returns: the number of settings that were set.
    func importSettings(
        _ given: [ClientSetting], _ outputs: [OutputSetup], of document: String?, isTrial: Bool
    ) async -> Int {
        var done: [SettingChange] = []
        for setting in given {
            guard let change = importedChange(setting) else { continue }
            if !isTrial, (try? await restore(setting)) == nil { continue }
            done.append(change)
        }
        done += (try? await self.outputs.add(outputs, isTrial: isTrial)) ?? []
        if !isTrial, !done.isEmpty { await library.record(done, as: .imported, title: document ?? "-", at: now()) }
        return done.count
    }

    /// The change that a setting of the document makes; nil if the value here must stay, or if the document's is not valid.
    private func importedChange(_ given: ClientSetting) -> SettingChange? {
        guard let value = given.value else { return nil }
        switch given.name {
        case .volume:
            let volume = player.status.volume
            let isWanted = volume == PlayerSession().volume && Int(value).map { 0...100 ~= $0 && $0 != volume } == true
            return isWanted ? SettingChange(.volume, from: "\(volume)", to: value) : nil
        case .key(let key):
            guard let declaration = SettingTable.declaration(key), declaration.isClientSettable,
                declaration.objection(to: value) == nil, settings.current.settings.value(of: key, from: .client) == nil
            else { return nil }
            return SettingChange(given.name, from: nil, to: value)
        case .output: return nil
        }
    }
}
