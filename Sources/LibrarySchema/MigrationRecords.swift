extension Migration {
    // As in `undoing`, a check is edited in the schema's text. SQLite's reader of changesets does not end on some damaged ones, so
    // each has a checksum that is compared first. Acts that were recorded without one are forgotten.

    /// Records of acts that are checked before use, marks in the history, and names of feeds that are gone.
    static let records = Migration(
        version: 16,
        script: """
            DELETE FROM undo_step;
            DROP TABLE undo_change;
            CREATE TABLE undo_change( -- what a step changed, in the order of its commits
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              step INTEGER NOT NULL REFERENCES undo_step ON DELETE CASCADE,
              checksum INTEGER NOT NULL, -- of the changes and their length
              changes BLOB NOT NULL -- a changeset
            ) STRICT;
            CREATE INDEX undo_change_step ON undo_change(step);

            CREATE TABLE deleted_feed( -- feeds that playlists name
              feed INTEGER PRIMARY KEY,
              title TEXT NOT NULL
            ) STRICT;
            CREATE TRIGGER feed_deleted BEFORE DELETE ON feed
            WHEN EXISTS (SELECT 1 FROM smart_playlist WHERE filter GLOB '*feed:*' AND instr(filter, OLD.id)) BEGIN
              INSERT OR REPLACE INTO deleted_feed(feed, title) VALUES (OLD.id, OLD.title);
            END;

            UPDATE sqlite_schema SET sql = replace(sql, 'event IN (0, 1, 2, 3)), -- heard until, left by a seek, played, unplayed',
              'event >= 0), -- HistoryRecord.Event')
              WHERE type = 'table' AND name = 'history';
            """,
        editsSchema: true)
}
