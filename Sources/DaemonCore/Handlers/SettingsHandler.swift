internal import Configuration
internal import ControlLanguage
internal import ControlProtocol
internal import DaemonState
internal import Library
internal import LibraryUpkeep
internal import PodcastModel
internal import Queueing
internal import Reporting
internal import SerialThreads

extension DaemonParts {
    var settingAnswers: [AnsweredCommand] {
        [
            .atOnce(list), .atOnce(get),
            decisions.answer { [self] (request: SetSetting, caller) in
                try await change(request.key, to: request.value, by: caller)
            },
            decisions.answer { [self] (request: ResetSetting, caller) in
                try await change(request.key, to: nil, by: caller)
            },
        ]
    }

    private func list(_ request: ListSettings) -> SettingListReply {
        let current = settings.current
        return SettingListReply(SettingTable.all.map { SettingReply($0, in: current) })
    }

    private func get(_ request: GetSetting) throws(ControlError) -> SettingReply {
        SettingReply(try Self.declaration(request.key), in: settings.current)
    }

    private func change(_ key: String, to value: String?, by caller: Caller) async throws -> SettingReply {
        let declaration = try Self.declaration(key)
        guard declaration.isClientSettable else {
            throw ControlError(
                .notPermitted, "\(key) can only be set in \(places.configFile ?? "podcastd.conf")",
                hint: "edit it, then reload or restart podcastd")
        }
        if key == "playback.after_queue", case .playlist(let what)? = value.flatMap({ AfterQueue(parsing: $0) }) {
            try await checkPlaylist(what)
        }
        let user = caller.peer.user
        try await settingChanges.set(key, to: value, as: .set)
        let stored = settings.current.settings.value(of: key, from: .client)
        logger.log(.info, .settings, "user \(user) \(stored.map { "set \(key) to \($0)" } ?? "reset \(key)")")
        return SettingReply(declaration, in: settings.current)
    }

    /// A playlist that is missing would end playback without a word.
    private func checkPlaylist(_ what: String) async throws {
        let now = now()
        _ = try await library.read { store in
            try EpisodeChoice.choices(Name(what, number: .episode), word: what, isExact: true, in: store, at: now)
        }
    }

    private static func declaration(_ key: String) throws(ControlError) -> SettingDeclaration {
        guard let declaration = SettingTable.declaration(key) else {
            throw ControlError(.notFound, Settings.unknown(key), hint: "podcastctl settings lists them")
        }
        return declaration
    }
}
