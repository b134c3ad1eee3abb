internal import Configuration
internal import ControlProtocol
internal import Diagnostics
internal import LiveSettings
internal import SerialThreads
internal import WireMapping

/// Answers `settings`.
struct SettingsHandler: CommandHandler {
    let decisions: DecisionThread
    let settings: SettingsService
    let logger: Logger

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
        case .set?: return change(call, to: parameters.text(required: "value"))
        case .reset?: return change(call, to: nil)
        case nil: return .error(.unknownCommand(call.declaration.name))
        }
    }

    private func change(_ call: CommandCall, to value: String?) -> CommandAnswer {
        let key = call.parameters.text(required: "key")
        guard let declaration = SettingTable.declaration(key) else { return .error(Self.unknown(key)) }
        guard declaration.isClientSettable else {
            return .error(
                ControlError(
                    .notPermitted, "\(key) is set in the config file only",
                    hint: "edit podcastd.conf, then restart or reload podcastd"))
        }
        let user = call.caller.peer.user
        return decisions.answer { [settings, logger] in
            try await settings.set(key, to: value)
            logger.log(.info, .settings, "user \(user) \(value.map { "set \(key) to \($0)" } ?? "reset \(key)")")
            return SettingReply(declaration, in: settings.current)
        }
    }

    private static func unknown(_ key: String) -> ControlError {
        ControlError(.notFound, Settings.unknown(key), hint: "podcastctl settings lists them")
    }
}
