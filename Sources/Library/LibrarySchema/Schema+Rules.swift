extension Schema {
    // `episode.visibility` hides an episode from every view and leaves the user's data unchanged. Triggers show an
    // episode again when it is played, marked, starred, noted, bookmarked or queued, so that all code paths do so.
    //
    // `rule_backlog` is written only by the commit that makes new episodes visible: if a refresh is killed directly
    // afterwards, the next run of the rules finds the backlog, and rules run only once for each episode. The first
    // episodes of a feed are its back catalogue and are never added.

    /// Rules, retention, smart playlists, and their effects on episodes.
    static let rules = """
        CREATE TABLE rule(
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          place INTEGER NOT NULL,
          feed INTEGER REFERENCES feed ON DELETE CASCADE, -- NULL looks at all
          text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX rule_feed ON rule(feed);

        CREATE TABLE rule_act( -- what a rule did; the rule may be gone
          episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
          rule INTEGER NOT NULL,
          action TEXT NOT NULL,
          time INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE rule_backlog( -- feeds with new episodes that no rule has looked at
          feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
          after INTEGER NOT NULL, -- the last episode that was judged
          through INTEGER -- what came after is a back catalogue
        ) STRICT;

        CREATE TABLE retention(
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          feed INTEGER REFERENCES feed ON DELETE CASCADE, -- NULL for feeds without their own
          policy TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX retention_feed ON retention(feed);
        CREATE UNIQUE INDEX retention_all ON retention(feed IS NULL) WHERE feed IS NULL;

        CREATE TABLE retention_run(
          id INTEGER PRIMARY KEY CHECK (id = 1),
          time INTEGER NOT NULL,
          restore_from INTEGER -- the next feed whose hidden episodes are shown again; NULL if there is none
        ) STRICT;
        INSERT INTO retention_run(id, time) VALUES (1, 0);

        CREATE TABLE smart_playlist(
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          name TEXT NOT NULL UNIQUE COLLATE NOCASE,
          filter TEXT NOT NULL,
          oldest_first INTEGER NOT NULL CHECK (oldest_first IN (0, 1))
        ) STRICT;

        CREATE TRIGGER feed_judged AFTER UPDATE OF last_episode ON feed
        WHEN NEW.kind = 0 AND OLD.last_episode > 0 AND NEW.last_episode > OLD.last_episode
          AND EXISTS (SELECT 1 FROM rule WHERE feed IS NULL OR feed = NEW.id) BEGIN
          INSERT OR IGNORE INTO rule_backlog(feed, after) VALUES (NEW.id, OLD.last_episode);
        END;

        CREATE TRIGGER visible_begun AFTER INSERT ON playback
        WHEN NEW.position > 0 OR NEW.marked IS NOT NULL BEGIN
          UPDATE episode SET visibility = 0 WHERE id = NEW.episode AND visibility <> 0;
        END;

        CREATE TRIGGER visible_played AFTER UPDATE OF position, marked ON playback
        WHEN (OLD.position > 0) <> (NEW.position > 0) OR OLD.marked IS NOT NEW.marked BEGIN
          UPDATE episode SET visibility = 0 WHERE id = NEW.episode AND visibility <> 0;
        END;

        CREATE TRIGGER visible_in_progress AFTER UPDATE OF section ON episode
        WHEN NEW.section = 1 AND NEW.visibility <> 0 BEGIN
          UPDATE episode SET visibility = 0 WHERE id = NEW.id;
        END;

        CREATE TRIGGER visible_starred AFTER UPDATE OF starred ON episode
        WHEN NEW.starred = 1 AND NEW.visibility <> 0 BEGIN
          UPDATE episode SET visibility = 0 WHERE id = NEW.id;
        END;

        \(["note", "queue_entry", "bookmark"].map { table in
            """
            CREATE TRIGGER visible_\(table) AFTER INSERT ON \(table) BEGIN
              UPDATE episode SET visibility = 0 WHERE id = NEW.episode AND visibility <> 0;
            END;
            """
        }.joined(separator: "\n"))
        """
}
