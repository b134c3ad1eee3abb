extension Migration {
    /// Tells acts of the user from ends of episodes.
    static let automaticActs = Migration(
        version: 20,
        script: """
            ALTER TABLE undo_step ADD COLUMN is_automatic INTEGER NOT NULL DEFAULT 0;
            """)
}
