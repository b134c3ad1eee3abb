/// What happens by itself to new episodes.
public enum RulesCommand: String, SectionCommands {
    /// Lists rules.
    case list
    /// Adds one.
    case add
    /// Takes one away.
    case remove
    /// Moves one.
    case move
    /// Says what they would do.
    case `try`
    /// Has them judge what is stored.
    case apply

    /// The section.
    public static let section = CommandDeclaration.Section.rules
}

/// How much of a feed stays in the views.
public enum RetentionCommand: String, SectionCommands {
    /// Lists what is kept.
    case list
    /// Says what is kept.
    case set
    /// Says what would be dropped.
    case `try`

    /// The section.
    public static let section = CommandDeclaration.Section.retention
}
