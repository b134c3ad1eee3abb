extension Schema {
    // SQLite's session extension records the data for undo as changes of rows, the same for all actions
    // (`RecordedTable`). SQLite's reader of changesets does not end on some damaged ones, so each has a checksum that
    // is compared first.
    //
    // A feed that was unsubscribed becomes a feed of kind 2 without URL and with `last_episode` 0, so that nothing of
    // it is visible. `removed_feed` has the data to restore it, and protects it from being deleted.
    //
    // The daemon's settings are in a separate file, which people can read. `client_setting` has the undo data of
    // settings that were changed through the daemon.

    static let undo = """
        CREATE TABLE undo_step(
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          kind TEXT NOT NULL, -- Act
          undone INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1)), -- can be done again
          is_automatic INTEGER NOT NULL DEFAULT 0, -- the end of an episode, not an act of the user
          time INTEGER NOT NULL,
          feed INTEGER REFERENCES feed ON DELETE CASCADE, -- one without which nothing is left to undo
          title TEXT, -- what it was done to, unless undo_episode says it
          count INTEGER NOT NULL DEFAULT 0,
          obstacle TEXT -- why it cannot be undone
        ) STRICT;
        CREATE INDEX undo_step_feed ON undo_step(feed);

        CREATE TABLE undo_change( -- what a step changed, in the order of its commits
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          step INTEGER NOT NULL REFERENCES undo_step ON DELETE CASCADE,
          checksum INTEGER NOT NULL, -- of the changes and their length
          changes BLOB NOT NULL -- a changeset
        ) STRICT;
        CREATE INDEX undo_change_step ON undo_change(step);

        CREATE TABLE undo_episode( -- the episodes of a step
          step INTEGER NOT NULL REFERENCES undo_step ON DELETE CASCADE,
          episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
          PRIMARY KEY (step, episode)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX undo_episode_episode ON undo_episode(episode);

        CREATE TABLE client_setting( -- as the last act left it; without a row, nothing was set
          name TEXT PRIMARY KEY,
          value TEXT NOT NULL
        ) STRICT;
        """
}
