extension Migration {
    // As in `undoing`: a check is edited in the schema's text, since what is stored stays the same. It has no upper bound any
    // more, so that further kinds need no migration.

    /// Stars and notes can be undone.
    static let starsAndNotes = Migration(
        version: 14,
        script: """
            -- Of a note: its text before; NULL without one.
            ALTER TABLE undo_episode ADD COLUMN note TEXT;

            UPDATE sqlite_schema SET sql = replace(sql, 'BETWEEN 0 AND 8', '>= 0')
              WHERE type = 'table' AND name = 'undo_step';
            """,
        editsSchema: true)
}
