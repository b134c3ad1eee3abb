/// What is going on.
public enum StatusCommand: String, SectionCommands {
    /// The whole status.
    case get
    /// Watches parts.
    case subscribe
    /// Watches them no more.
    case unsubscribe

    /// The section.
    public static let section = CommandDeclaration.Section.status
}

/// Work in progress, also of other processes.
public enum ActivitiesCommand: String, SectionCommands {
    /// Lists activities.
    case list
    /// Begins one on behalf of the caller.
    case begin
    /// Tells how it goes on.
    case update
    /// Ends it.
    case end

    /// The section.
    public static let section = CommandDeclaration.Section.activities
}

/// Sinks.
public enum OutputsCommand: String, SectionCommands {
    /// Lists outputs.
    case list
    /// Switches one on.
    case enable
    /// Switches one off.
    case disable

    /// The section.
    public static let section = CommandDeclaration.Section.outputs
}
