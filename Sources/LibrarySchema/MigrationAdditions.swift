extension Migration {
    // As in `undoing`: a check is edited in the schema's text, since what is stored stays the same.

    /// Additions to the queue can be undone.
    static let additions = Migration(
        version: 11,
        script: """
            UPDATE sqlite_schema SET sql = replace(sql, 'BETWEEN 0 AND 7', 'BETWEEN 0 AND 8')
              WHERE type = 'table' AND name = 'undo_step';
            """,
        editsSchema: true)
}
