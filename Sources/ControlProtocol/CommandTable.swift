/// All commands.
public enum CommandTable {
    /// The commands of a section in the order of the manual.
    public static func types(of section: CommandDeclaration.Section) -> [any Command.Type] {
        switch section {
        case .server: ServerSection.commands.types
        case .session: SessionSection.commands.types
        case .playback: PlaybackSection.commands.types
        case .queue: QueueSection.commands.types
        case .feeds: FeedsSection.commands.types
        case .episodes: EpisodesSection.commands.types
        case .merges: MergesSection.commands.types
        case .playlists: PlaylistsSection.commands.types
        case .rules: RulesSection.commands.types
        case .retention: RetentionSection.commands.types
        case .outputs: OutputsSection.commands.types
        case .settings: SettingsSection.commands.types
        case .status: StatusSection.commands.types
        case .activities: ActivitiesSection.commands.types
        case .metrics: MetricsSection.commands.types
        case .library: LibrarySection.commands.types
        case .doctor: DoctorSection.commands.types
        }
    }

    /// The declarations of a section's commands in the order of the manual.
    public static func commands(of section: CommandDeclaration.Section) -> [CommandDeclaration] {
        types(of: section).map { $0.declaration }
    }

    /// Every command of every section.
    public static var all: [CommandDeclaration] { CommandDeclaration.Section.allCases.flatMap(commands) }
}
