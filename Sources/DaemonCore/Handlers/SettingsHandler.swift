internal import Configuration
internal import ControlProtocol

/// Answers `settings`.
struct SettingsHandler: CommandHandler {
    let decisions: DecisionThread
    let settings: SettingsService

    func answer(_ call: CommandCall) -> CommandAnswer {
        let parameters = call.parameters
        switch call.command(of: SettingsCommand.self) {
        case .list?:
            let current = settings.current
            return .reply(SettingListReply(SettingTable.all.map { SettingReply($0, in: current) }))
        case .get?:
            let key = parameters.text(required: "key")
            guard let declaration = SettingTable.declaration(key) else { return .error(Self.unknown(key)) }
            return .reply(SettingReply(declaration, in: settings.current))
        case .set?:
            let key = parameters.text(required: "key")
            let value = parameters.text("value")
            guard let declaration = SettingTable.declaration(key) else { return .error(Self.unknown(key)) }
            guard declaration.isClientSettable else {
                return .error(
                    ControlError(
                        .notPermitted, "\(key) is set in the config file only",
                        hint: "edit podcastd.conf, then restart or reload podcastd"))
            }
            return decisions.answer { [settings] in
                try await settings.set(key, to: value)
                return SettingReply(declaration, in: settings.current)
            }
        case nil: return .error(.unknownCommand(call.declaration.name))
        }
    }

    private static func unknown(_ key: String) -> ControlError {
        ControlError(.notFound, "no setting is called \(key)", hint: "podcastctl settings lists them")
    }
}
