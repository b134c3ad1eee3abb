internal import Configuration
internal import ControlProtocol
internal import JSON

/// Answers `settings`.
struct SettingsHandler: CommandHandler {
    let decisions: DecisionThread
    let settings: SettingsService

    func answer(_ call: CommandCall) -> CommandAnswer {
        let parameters = call.parameters
        switch call.command(of: SettingsCommand.self) {
        case .list?:
            let current = settings.current
            return .value(["settings": .array(SettingTable.all.map { Self.json($0, current) })])
        case .get?:
            let key = parameters.text("key") ?? ""
            guard let declaration = SettingTable.declaration(key) else { return .error(Self.unknown(key)) }
            return .value(Self.json(declaration, settings.current))
        case .set?:
            let key = parameters.text("key") ?? ""
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
                return Self.json(declaration, settings.current)
            }
        case nil: return .error(.unknownCommand(call.declaration.name))
        }
    }

    private static func unknown(_ key: String) -> ControlError {
        ControlError(.notFound, "no setting is called \(key)", hint: "podcastctl settings lists them")
    }

    private static func json(_ declaration: SettingDeclaration, _ settings: Settings) -> JSONValue {
        [
            "key": .string(declaration.key), "value": .string(settings[declaration.key]),
            "default": .string(declaration.defaultValue),
            "origin": .string(settings.origin(of: declaration.key).name),
            "needsRestart": .bool(declaration.needsRestart), "isClientSettable": .bool(declaration.isClientSettable),
            "help": .string(declaration.help.joined(separator: " ")),
        ]
    }
}
