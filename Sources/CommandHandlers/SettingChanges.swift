internal import LibraryModel
internal import LiveSettings

/// Changes the daemon's settings as acts that can be undone.
struct SettingChanges: Sendable {
    let settings: SettingsService
    let library: any LibraryAccess

    /// Nil removes what clients set. The setting is on disk already, so it does not fail if a full disk cannot take the undo step.
    ///
    /// - Parameter title: what lists of acts show; nil for the key.
    func set(_ key: String, to value: String?, as kind: UndoneStep.Kind, title: String? = nil) async throws {
        let (before, now) = try await settings.set(key, to: value)
        try? await library.perform {
            try $0.history.recordSetting(key, from: before, to: now, as: kind, title: title ?? key)
        }
    }
}
