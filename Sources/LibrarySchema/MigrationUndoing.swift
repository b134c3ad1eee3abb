extension Migration {
    // `x IN (0, 1, 2)` makes SQLite build a little tree for every row that is stored: a quarter of what storing an episode
    // costs. ALTER TABLE cannot change a check; editing the schema's text can, where what is stored stays the same
    // (https://sqlite.org/lang_altertable.html, section 7). Columns are added before, since that counts characters of the text.

    /// Undo for rules, retention that unhides episodes, and cheaper checks.
    static let undoing = Migration(
        version: 9,
        script: """
            -- Where giving back what retention kept out of sight goes on, by feed; NULL when nothing is to be given back.
            ALTER TABLE retention_run ADD COLUMN restore_from INTEGER;
            CREATE INDEX rule_act_queued ON rule_act(time) WHERE action GLOB 'queue*' OR action GLOB 'next*';

            UPDATE sqlite_schema SET sql = replace(replace(sql, ' IN (0, 1, 2))', ' BETWEEN 0 AND 2)'),
              ' IN (0, 1))', ' BETWEEN 0 AND 1)') WHERE type = 'table' AND name = 'episode';
            UPDATE sqlite_schema SET sql = replace(sql, 'BETWEEN 0 AND 6', 'BETWEEN 0 AND 7')
              WHERE type = 'table' AND name = 'undo_step';
            """,
        editsSchema: true)
}
