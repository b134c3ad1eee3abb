internal import Configuration
internal import INIFile
internal import TableUI

/// Keys, colours and pictures from the configuration file.
struct TerminalSettings {
    var keys = TerminalAction.defaultKeys
    /// Nil to follow the terminal's `COLORFGBG`.
    var background: Theme.Background?
    /// Roles with their colours.
    var looks: [(role: Role, text: String)] = []
    /// Whether and how covers are shown.
    var pictures = TerminalGraphics.Choice.automatic
    /// Whether a line names the keys of the screen.
    var showsKeys = true

    static var file: SettingsFile<TerminalSettings> {
        SettingsFile(
            "tui.conf", manual: "podcast-tui(1)", TerminalSettings(),
            [
                SettingRow("keys", nil, "KEY = ACTION") { settings, entry throws(SettingsProblem) in
                    do throws(KeyMap.Failure) {
                        try settings.keys.bind(entry.name, to: entry.value)
                    } catch {
                        switch error {
                        case .unknownKey(let key):
                            throw entry.problem("no key is called '\(key)'; examples: a, ^R, f2, page-down")
                        case .unknownAction(let action):
                            throw entry.problem("no action is called '\(action)'; see podcast-tui(1) for their names")
                        }
                    }
                },
                SettingRow("colors", "theme", "dark or light") { settings, entry throws(SettingsProblem) in
                    guard let theme = Theme.Background(rawValue: entry.value) else {
                        throw entry.problem("theme is dark or light, not '\(entry.value)'")
                    }
                    settings.background = theme
                },
                SettingRow("colors", nil, "ROLE = COLOUR") { settings, entry throws(SettingsProblem) in
                    guard let role = Role(rawValue: entry.name) else {
                        throw entry.problem("no colour is called '\(entry.name)'")
                    }
                    var theme = Theme(colors: 256, background: .dark)
                    guard theme.set(role, entry.value) else {
                        throw entry.problem(
                            "a colour is a number from 0 to 255 or #RRGGBB, such as '4', '#ffaf00' or 'bold 0 on 12'")
                    }
                    settings.looks.append((role, entry.value))
                },
                SettingRow("pictures", "protocol", "auto") { settings, entry throws(SettingsProblem) in
                    guard let choice = TerminalGraphics.Choice(word: entry.value) else {
                        let words = TerminalGraphics.Choice.words.joined(separator: ", ")
                        throw entry.problem("protocol is one of \(words), not '\(entry.value)'")
                    }
                    settings.pictures = choice
                },
                SettingRow("screen", "keys", "on") { settings, entry throws(SettingsProblem) in
                    guard ["on", "off"].contains(entry.value) else {
                        throw entry.problem("keys is on or off, not '\(entry.value)'")
                    }
                    settings.showsKeys = entry.value == "on"
                },
            ])
    }

    /// The theme for a terminal.
    ///
    /// - Parameter colorVariable: `COLORFGBG`, whose last number is the background's.
    func theme(colors: Int, colorVariable: String?) -> Theme {
        let number = colorVariable?.split(separator: ";").last.flatMap { Int($0) }
        let background = background ?? (number == 7 || number == 15 ? .light : .dark)
        var theme = Theme(colors: colors, background: background)
        if colors > 0 { for (role, text) in looks { _ = theme.set(role, text) } }
        return theme
    }
}
