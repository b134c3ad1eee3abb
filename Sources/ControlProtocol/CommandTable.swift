/// The commands of one section. Each case is declared where it is listed, so that a client which needs one command
/// does not build the others, and a handler's `switch` over them is exhaustive.
public protocol SectionCommands: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// The section.
    static var section: CommandDeclaration.Section { get }
    /// The command's declaration; its name is the section, a point and the raw value.
    var declaration: CommandDeclaration { get }
}

extension SectionCommands {
    /// The full name on the wire.
    public var name: String { "\(Self.section.rawValue).\(rawValue)" }

    /// A declaration with this command's name.
    func declared(
        _ summary: String, _ parameters: [ParameterDeclaration] = [], result: String,
        _ permission: CommandDeclaration.Permission, isLong: Bool = false, commandLine: CommandLineForm? = nil
    ) -> CommandDeclaration {
        CommandDeclaration(
            name, summary, parameters: parameters, result: result, permission: permission, isLong: isLong,
            commandLine: commandLine)
    }
}

/// All commands.
public enum CommandTable {
    /// The commands of a section in the order of the manual.
    public static func commands(of section: CommandDeclaration.Section) -> [CommandDeclaration] {
        func all<Commands: SectionCommands>(_ type: Commands.Type) -> [CommandDeclaration] {
            type.allCases.map(\.declaration)
        }
        return switch section {
        case .server: all(ServerCommand.self)
        case .session: all(SessionCommand.self)
        case .playback: all(PlaybackCommand.self)
        case .queue: all(QueueCommand.self)
        case .feeds: all(FeedsCommand.self)
        case .episodes: all(EpisodesCommand.self)
        case .merges: all(MergesCommand.self)
        case .playlists: all(PlaylistsCommand.self)
        case .rules: all(RulesCommand.self)
        case .retention: all(RetentionCommand.self)
        case .outputs: all(OutputsCommand.self)
        case .settings: all(SettingsCommand.self)
        case .status: all(StatusCommand.self)
        case .activities: all(ActivitiesCommand.self)
        case .metrics: all(MetricsCommand.self)
        case .library: all(LibraryCommand.self)
        case .doctor: all(DoctorCommand.self)
        }
    }

    /// Every command of every section.
    public static var all: [CommandDeclaration] { CommandDeclaration.Section.allCases.flatMap(commands) }
}
