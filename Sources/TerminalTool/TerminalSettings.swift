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

    /// What is wrong, with its line.
    struct Failure: Error, Equatable, CustomStringConvertible {
        var line: Int
        var what: String
        var description: String { "line \(line): \(what)" }
    }

    init() {}

    init(parsing text: String) throws(Failure) {
        let file = INIFile(parsing: text)
        if let line = file.badLines.first {
            throw Failure(line: line, what: "this line is neither a section nor 'name = value'")
        }
        for entry in file.entries {
            if let what = take(entry) { throw Failure(line: entry.line, what: what) }
        }
    }

    /// - Returns: what is wrong with the entry; nil if nothing is.
    private mutating func take(_ entry: INIEntry) -> String? {
        let (name, value) = (entry.name, entry.value)
        switch entry.section {
        case "keys":
            do throws(KeyMap.Failure) {
                try keys.bind(name, to: value)
            } catch {
                return switch error {
                case .unknownKey(let key): "no key is called '\(key)'; examples: a, ^R, f2, page-down"
                case .unknownAction(let action):
                    "no action is called '\(action)'; see podcast-tui(1) for their names"
                }
            }
        case "colors" where name == "theme":
            background = Theme.Background(rawValue: value)
            if background == nil { return "theme is dark or light, not '\(value)'" }
        case "colors":
            guard let role = Role(rawValue: name) else { return "no colour is called '\(name)'" }
            var theme = Theme(colors: 256, background: .dark)
            guard theme.set(role, value) else {
                return "a colour is a number from 0 to 255 or #RRGGBB, such as '4', '#ffaf00' or 'bold 0 on 12'"
            }
            looks.append((role, value))
        case "pictures":
            guard name == "protocol" else { return "the setting of [pictures] is protocol, not '\(name)'" }
            guard let choice = TerminalGraphics.Choice(word: value) else {
                return "protocol is one of \(TerminalGraphics.Choice.words.joined(separator: ", ")), not '\(value)'"
            }
            pictures = choice
        case "screen":
            guard name == "keys", ["on", "off"].contains(value) else {
                return "the setting of [screen] is keys, which is on or off"
            }
            showsKeys = value == "on"
        default: return "the sections are [keys], [colors], [pictures] and [screen], not [\(entry.section)]"
        }
        return nil
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
