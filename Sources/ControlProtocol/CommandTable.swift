public import ControlLanguage

/// All sections in the order of the manual. A new section is one row here.
public enum CommandTable {
    public static let sections: [CommandSection] = [
        .server, .session, .playback, .queue, .feeds, .episodes, .bookmarks, .playlists, .rules, .retention,
        .outputs, .sync,
        .settings, .status, .activities, .metrics, .library, .doctor,
    ]

    public static var all: [CommandDeclaration] { sections.flatMap(\.declarations) }

    /// The section of a command; nil if there is none of that name.
    public static func section(ofCommand name: String) -> CommandSection? {
        let word = CommandSection.name(ofCommand: name)
        return sections.first { $0.name == word }
    }
}
