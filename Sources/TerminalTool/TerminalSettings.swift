internal import INIFile
internal import TableUI

/// Keys, colours and pictures from the configuration file.
struct TerminalSettings {
    var keys = KeyMap<TerminalAction>()
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
            switch entry.section {
            case "keys":
                do throws(KeyMap<TerminalAction>.Failure) {
                    try keys.bind(entry.name, to: entry.value)
                } catch {
                    switch error {
                    case .unknownKey(let key):
                        throw Failure(
                            line: entry.line, what: "no key is called '\(key)'; examples: a, ^R, f2, page-down")
                    case .unknownAction(let action):
                        throw Failure(
                            line: entry.line,
                            what: "no action is called '\(action)'; see podcast-tui(1) for their names")
                    }
                }
            case "colors":
                if entry.name == "theme" {
                    guard let theme = Theme.Background(rawValue: entry.value) else {
                        throw Failure(line: entry.line, what: "theme is dark or light, not '\(entry.value)'")
                    }
                    background = theme
                    continue
                }
                guard let role = Role(name: entry.name) else {
                    throw Failure(line: entry.line, what: "no colour is called '\(entry.name)'")
                }
                var theme = Theme(colors: 256, background: .dark)
                guard theme.set(role, entry.value) else {
                    throw Failure(
                        line: entry.line,
                        what: "a colour is a number from 0 to 255 or #RRGGBB, such as '4', '#ffaf00' or 'bold 0 on 12'")
                }
                looks.append((role, entry.value))
            case "pictures": try takePictures(entry)
            case "screen":
                guard entry.name == "keys", ["on", "off"].contains(entry.value) else {
                    throw Failure(line: entry.line, what: "the setting of [screen] is keys, which is on or off")
                }
                showsKeys = entry.value == "on"
            default:
                throw Failure(
                    line: entry.line,
                    what: "the sections are [keys], [colors], [pictures] and [screen], not [\(entry.section)]")
            }
        }
    }

    private mutating func takePictures(_ entry: INIEntry) throws(Failure) {
        guard entry.name == "protocol" else {
            throw Failure(line: entry.line, what: "the setting of [pictures] is protocol, not '\(entry.name)'")
        }
        guard let choice = TerminalGraphics.Choice(word: entry.value) else {
            let words = TerminalGraphics.Choice.words.joined(separator: ", ")
            throw Failure(line: entry.line, what: "protocol is one of \(words), not '\(entry.value)'")
        }
        pictures = choice
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
