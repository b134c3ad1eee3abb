internal import Configuration
internal import PodcastModel

/// Keys, colours and pictures from the configuration file.
struct TerminalSettings {
    var keys = TerminalAction.defaultKeys
    /// Nil to follow the terminal's `COLORFGBG`.
    var background: Theme.Background?
    /// Roles with their colours.
    var looks: [(role: Role, text: String)] = []
    /// Whether and how covers are shown.
    var pictures = KittyGraphics.Choice.automatic
    /// Whether a line names the keys of the screen.
    var showsKeys = true

    static var file: SettingsFile<TerminalSettings> {
        SettingsFile(
            "tui.conf", manual: "podcast-tui(1)", TerminalSettings(),
            [
                SettingRow("keys", nil, "KEY = ACTION") { settings, entry throws(SettingProblem) in
                    if let problem = settings.keys.bind(entry.name, to: entry.value) { throw entry.problem(problem) }
                },
                choice("colors", "theme", Theme.Background.words, "dark or light") {
                    $0.background = Theme.Background(rawValue: $1)
                },
                SettingRow("colors", nil, "ROLE = COLOUR") { settings, entry throws(SettingProblem) in
                    guard let role = Role(rawValue: entry.name) else {
                        throw entry.problem("no colour is called '\(entry.name)'")
                    }
                    var theme = Theme(colors: 256, background: .dark)
                    guard theme.set(role, entry.value) else {
                        throw entry.problem("a colour is a number from 0 to 255, such as '4' or 'bold 0 on 12'")
                    }
                    settings.looks.append((role, entry.value))
                },
                choice("pictures", "protocol", KittyGraphics.Choice.words, "auto") {
                    $0.pictures = KittyGraphics.Choice(rawValue: $1) ?? .automatic
                },
                choice("screen", "keys", ["on", "off"], "on") { $0.showsKeys = $1 == "on" },
            ])
    }

    /// - Parameter form: the value in the manual.
    private static func choice(
        _ section: String, _ name: String, _ words: [String], _ form: String,
        set: @escaping (inout TerminalSettings, String) -> Void
    ) -> SettingRow<TerminalSettings> {
        SettingRow(section, name, form) { settings, entry throws(SettingProblem) in
            guard words.contains(entry.value) else {
                throw entry.problem("\(name) is one of \(words.joinedText(", ")), not '\(entry.value)'")
            }
            set(&settings, entry.value)
        }
    }

    /// - Parameter colorVariable: `COLORFGBG`, whose last number is the background's.
    func theme(colors: Int, colorVariable: String?) -> Theme {
        let number = colorVariable?.split(separator: ";").last.flatMap { Int($0) }
        let background = background ?? (number == 7 || number == 15 ? .light : .dark)
        var theme = Theme(colors: colors, background: background)
        if colors > 0 { for (role, text) in looks { _ = theme.set(role, text) } }
        return theme
    }
}
