extension Migration {
    // What undoing needs is recorded by SQLite's session extension as the changes of rows, whatever the act was
    // (`RecordedTable`). Acts that an earlier version recorded in another form are forgotten.
    //
    // A feed that was unsubscribed from becomes a feed of kind 2 without an address and with a mark of 0, as one that is
    // being removed: nothing of it is visible. `removed_feed` has what brings it back, and keeps it from being swept.

    /// Undo and redo for all acts; feeds that are kept for a while after they were unsubscribed from.
    static let acts = Migration(
        version: 15,
        script: """
            DROP TABLE undo_entry;
            DROP TABLE undo_episode;
            DROP TABLE undo_step;

            CREATE TABLE undo_step(
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              kind INTEGER NOT NULL CHECK (kind >= 0), -- UndoneStep.Kind
              undone INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1)), -- can be done again
              time INTEGER, -- of a seek or of rules
              feed INTEGER REFERENCES feed ON DELETE CASCADE, -- one without which nothing is left to undo
              title TEXT, -- what it was done to, unless undo_episode says it
              count INTEGER NOT NULL DEFAULT 0,
              obstacle TEXT -- why it cannot be undone
            ) STRICT;
            CREATE INDEX undo_step_feed ON undo_step(feed);

            CREATE TABLE undo_change( -- what a step changed, in the order of its commits
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              step INTEGER NOT NULL REFERENCES undo_step ON DELETE CASCADE,
              changes BLOB NOT NULL -- a changeset
            ) STRICT;
            CREATE INDEX undo_change_step ON undo_change(step);

            CREATE TABLE undo_episode( -- the episodes of a step
              step INTEGER NOT NULL REFERENCES undo_step ON DELETE CASCADE,
              episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
              PRIMARY KEY (step, episode)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX undo_episode_episode ON undo_episode(episode);

            CREATE TABLE removed_feed(
              feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
              time INTEGER NOT NULL,
              url TEXT NOT NULL,
              former_urls TEXT, -- a line for each
              last_episode INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX removed_feed_url ON removed_feed(url);

            CREATE TABLE removed_entry( -- its entries of the queue
              id INTEGER PRIMARY KEY,
              episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
              place INTEGER NOT NULL,
              priority INTEGER NOT NULL,
              is_current INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX removed_entry_episode ON removed_entry(episode);

            -- The counts of a feed that comes back are as they were: only visible episodes are ever starred or downloaded, so
            -- moving the mark forward from anywhere else keeps those two.
            DROP TRIGGER feed_published;
            CREATE TRIGGER feed_published AFTER UPDATE OF last_episode ON feed
            WHEN OLD.last_episode <> NEW.last_episode BEGIN
              UPDATE feed_count SET
                new = (SELECT count(*) FROM episode
                       WHERE feed = NEW.id AND aside = 0 AND section = 0 AND id <= NEW.last_episode),
                in_progress = (SELECT count(*) FROM episode
                       WHERE feed = NEW.id AND aside = 0 AND section = 1 AND id <= NEW.last_episode),
                played = (SELECT count(*) FROM episode
                       WHERE feed = NEW.id AND aside = 0 AND section = 2 AND id <= NEW.last_episode),
                starred = CASE 0 WHEN NEW.last_episode THEN 0
                  WHEN OLD.last_episode THEN (SELECT count(*) FROM episode
                    WHERE feed = NEW.id AND aside = 0 AND starred = 1 AND id <= NEW.last_episode)
                  ELSE starred END,
                downloaded = CASE 0 WHEN NEW.last_episode THEN 0
                  WHEN OLD.last_episode THEN (SELECT count(*) FROM episode
                    WHERE feed = NEW.id AND aside = 0 AND downloaded = 1 AND id <= NEW.last_episode)
                  ELSE downloaded END
              WHERE feed = NEW.id;
            END;
            """)
}
