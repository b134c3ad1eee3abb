extension Migration {
    // Both are bounded when they are written (`LibraryStore.historyLength`, `undoDepth`). Undoing works with indexes
    // in the queue, not with its places: those change whenever entries are renumbered.

    /// What was heard and marked, and what of the listener's acts can be undone.
    static let history = Migration(
        version: 3,
        script: """
            CREATE TABLE history(
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              time INTEGER NOT NULL,
              event INTEGER NOT NULL CHECK (event IN (0, 1, 2, 3)), -- heard until, left by a seek, played, unplayed
              episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
              position INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX history_episode ON history(episode);

            CREATE TABLE undo_step(
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 6), -- UndoneStep.Kind
              time INTEGER -- of a seek
            ) STRICT;

            CREATE TABLE undo_episode( -- an episode as it was before
              step INTEGER NOT NULL REFERENCES undo_step ON DELETE CASCADE,
              episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
              section INTEGER NOT NULL,
              position INTEGER NOT NULL,
              marked INTEGER,
              PRIMARY KEY (step, episode)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX undo_episode_episode ON undo_episode(episode);

            CREATE TABLE undo_entry( -- an entry of the queue as it was before
              step INTEGER NOT NULL REFERENCES undo_step ON DELETE CASCADE,
              "index" INTEGER NOT NULL,
              entry INTEGER NOT NULL,
              episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
              is_current INTEGER NOT NULL,
              PRIMARY KEY (step, "index")
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX undo_entry_episode ON undo_entry(episode);
            """)
}
