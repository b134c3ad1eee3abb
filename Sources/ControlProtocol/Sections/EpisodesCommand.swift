/// Episodes and what the listener did with them.
public enum EpisodesCommand: String, SectionCommands {
    /// Lists episodes.
    case list
    /// Shows one.
    case show
    /// Marks as played or not.
    case mark
    /// Stars.
    case star
    /// Takes stars away.
    case unstar
    /// Writes a note.
    case note
    /// Has files kept on disk.
    case download
    /// Takes files away.
    case delete
    /// Lists what was heard and marked.
    case history
    /// Shows what is said in one.
    case transcript
    /// Finds what is said.
    case said

    /// The section.
    public static let section = CommandDeclaration.Section.episodes
}

/// Computed and named lists.
public enum PlaylistsCommand: String, SectionCommands {
    /// Lists them.
    case list
    /// Shows one.
    case show
    /// Saves a filter by name.
    case save
    /// Removes a saved one.
    case remove

    /// The section.
    public static let section = CommandDeclaration.Section.playlists
}
