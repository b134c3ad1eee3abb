internal import AudioOutput
internal import Configuration
internal import ControlLanguage
internal import DaemonState
internal import Library
internal import Playback
internal import PodcastModel
internal import Queueing

/// Changes the daemon's settings as acts that can be undone.
struct SettingChanges: Sendable {
    let settings: SettingsService
    let library: any LibraryAccess
    let now: @Sendable () -> Timestamp

    /// Nil removes what clients set. The setting is on disk already, so it does not fail if a full disk cannot take the undo step.
    ///
    /// - Parameter title: what lists of acts show; nil for the key.
    func set(_ key: String, to value: String?, as kind: Act, title: String? = nil) async throws {
        let (before, after) = try await settings.set(key, to: value)
        await record(title ?? key, key, from: before, to: after, as: kind)
    }

    /// Records a change that is in effect.
    func record(_ title: String, _ key: String, from old: String?, to new: String?, as kind: Act) async {
        await record([.init(key, from: old, to: new)], as: kind, title: title)
    }

    /// Records changes that are in effect as one act.
    func record(_ changes: [SettingChange], as kind: Act, title: String) async {
        let time = now()
        try? await library.perform { try $0.history.recordSettings(changes, as: kind, title: title, at: time) }
    }
}

/// Takes the settings of an imported document that clients have not set here.
struct ImportedSettings: Sendable {
    let former: FormerSettings
    let changes: SettingChanges

    /// Settings that this version does not have, invalid values and those that only the config file may set are ignored.
    ///
    /// - Parameter document: its name, which the import's act has too.
    /// - Returns: the number of settings that were set.
    func take(_ given: [ClientSetting], of document: String?) async -> Int {
        var done: [SettingChange] = []
        for setting in given {
            guard let change = change(setting), (try? await former.restore(setting)) != nil else { continue }
            done.append(change)
        }
        if !done.isEmpty { await changes.record(done, as: .imported, title: document ?? "-") }
        return done.count
    }

    /// The change that a setting of the document makes; nil if the value here must stay, or if the document's is not valid.
    private func change(_ given: ClientSetting) -> SettingChange? {
        guard let value = given.value else { return nil }
        if given.name == ClientSetting.volume {
            let volume = former.player.status.volume
            let isWanted = volume == PlayerSession().volume && Int(value).map { 0...100 ~= $0 && $0 != volume } == true
            return isWanted ? SettingChange(given.name, from: "\(volume)", to: value) : nil
        }
        guard let declaration = SettingTable.declaration(given.name), declaration.isClientSettable,
            declaration.objection(to: value) == nil,
            former.settings.current.settings.value(of: given.name, from: .client) == nil
        else { return nil }
        return SettingChange(given.name, from: nil, to: value)
    }
}

/// Gives settings, the volume and outputs back what they were before an act.
struct FormerSettings: UndoSettings {
    /// Begins the keys of acts on outputs, which `podcastctl settings` does not have.
    static let outputPrefix = "output "

    let settings: SettingsService
    let player: Player
    let session: SessionFile
    let outputs: OutputSwitch
    let changes: ChangeBoard

    func restore(_ setting: ClientSetting) async throws {
        if setting.name == ClientSetting.volume {
            guard let volume = setting.value.flatMap({ Int($0) }) else { return }
            await player.setVolume(volume)
            return try await session.keep { $0.volume = volume }
        }
        if setting.name.hasPrefix(Self.outputPrefix) {
            let name = String(setting.name.dropFirst(Self.outputPrefix.count))
            _ = await session.turn(name, on: setting.value == "on", of: outputs, changes)
            return
        }
        try await settings.set(setting.name, to: setting.value)
    }
}

extension SessionFile {
    /// Enables or disables an output, also for the next start; nil for an unknown name.
    func turn(_ name: String, on: Bool, of outputs: OutputSwitch, _ changes: ChangeBoard) async -> OutputState? {
        guard let output = outputs.set(name, on: on) else { return nil }
        changes.changed(.outputs)
        try? await keep { session in
            session.disabledOutputs.removeAll { $0 == name }
            if !on { session.disabledOutputs.append(name) }
        }
        return output
    }
}
