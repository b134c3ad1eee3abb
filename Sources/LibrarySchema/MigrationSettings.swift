extension Migration {
    // The daemon's settings are in a separate file, which people can read. The table has what undoing needs of those that
    // were changed through the daemon: the changes of its rows are recorded as those of all other acts.

    /// Undo for the daemon's settings.
    static let settings = Migration(
        version: 19,
        script: """
            CREATE TABLE client_setting( -- as the last act left it; without a row, nothing was set
              name TEXT PRIMARY KEY,
              value TEXT NOT NULL
            ) STRICT;
            """)
}
