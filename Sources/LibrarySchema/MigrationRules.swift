extension Migration {
    // `episode.aside` keeps an episode out of every view without touching what the listener did with it. It leads the
    // indexes by date, so that a named view still is one or a merge of few index ranges; the counters hold only what
    // is not hidden. Triggers unhide an episode that is played, marked, starred, noted or queued, so that no code
    // path can forget it.
    //
    // `unjudged` is written by the commit that makes new episodes visible, and only then: a refresh that is killed
    // directly afterwards leaves it for the next run of the rules, and rules run only once for each episode. The first episodes of a
    // feed are its back catalogue and never get there.

    /// Rules, retention, smart playlists, and what they do to episodes.
    static let rules = Migration(
        version: 5,
        script: """
            ALTER TABLE episode ADD COLUMN aside INTEGER NOT NULL DEFAULT 0 CHECK (aside IN (0, 1, 2)); -- skipped, archived
            DROP INDEX episode_section;
            CREATE INDEX episode_section ON episode(aside, section, published);
            DROP INDEX episode_feed;
            CREATE INDEX episode_feed ON episode(feed, aside, section, published);

            ALTER TABLE queue_entry ADD COLUMN priority INTEGER NOT NULL DEFAULT 0; -- as a rule gave it

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

            CREATE TABLE unjudged( -- feeds with new episodes that no rule has looked at
              feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
              after INTEGER NOT NULL -- the last episode that was judged
            ) STRICT;

            CREATE TABLE download_wish(
              episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
              time INTEGER NOT NULL
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
              time INTEGER NOT NULL
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
              INSERT OR IGNORE INTO unjudged(feed, after) VALUES (NEW.id, OLD.last_episode);
            END;

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
                starred = iif(NEW.last_episode = 0, 0, starred),
                downloaded = iif(NEW.last_episode = 0, 0, downloaded)
              WHERE feed = NEW.id;
            END;

            DROP TRIGGER episode_state;
            CREATE TRIGGER episode_state AFTER UPDATE OF section, starred, downloaded, aside ON episode
            WHEN OLD.section <> NEW.section OR OLD.starred <> NEW.starred OR OLD.downloaded <> NEW.downloaded
              OR OLD.aside <> NEW.aside BEGIN
              UPDATE feed_count SET
                new = new - (OLD.aside = 0 AND OLD.section = 0) + (NEW.aside = 0 AND NEW.section = 0),
                in_progress = in_progress - (OLD.aside = 0 AND OLD.section = 1) + (NEW.aside = 0 AND NEW.section = 1),
                played = played - (OLD.aside = 0 AND OLD.section = 2) + (NEW.aside = 0 AND NEW.section = 2),
                starred = starred - (OLD.aside = 0 AND OLD.starred) + (NEW.aside = 0 AND NEW.starred),
                downloaded = downloaded - (OLD.aside = 0 AND OLD.downloaded) + (NEW.aside = 0 AND NEW.downloaded)
              WHERE feed = NEW.feed;
            END;

            DROP TRIGGER episode_deleted;
            CREATE TRIGGER episode_deleted AFTER DELETE ON episode
            WHEN OLD.aside = 0 AND OLD.id <= (SELECT last_episode FROM feed WHERE id = OLD.feed) BEGIN
              UPDATE feed_count SET
                new = new - (OLD.section = 0),
                in_progress = in_progress - (OLD.section = 1),
                played = played - (OLD.section = 2),
                starred = starred - OLD.starred,
                downloaded = downloaded - OLD.downloaded
              WHERE feed = OLD.feed;
            END;

            CREATE TRIGGER aside_begun AFTER INSERT ON playback
            WHEN NEW.position > 0 OR NEW.marked IS NOT NULL BEGIN
              UPDATE episode SET aside = 0 WHERE id = NEW.episode AND aside <> 0;
            END;
            CREATE TRIGGER aside_played AFTER UPDATE OF position, marked ON playback
            WHEN (OLD.position > 0) <> (NEW.position > 0) OR OLD.marked IS NOT NEW.marked BEGIN
              UPDATE episode SET aside = 0 WHERE id = NEW.episode AND aside <> 0;
            END;
            CREATE TRIGGER aside_starred AFTER UPDATE OF starred ON episode
            WHEN NEW.starred = 1 AND NEW.aside <> 0 BEGIN
              UPDATE episode SET aside = 0 WHERE id = NEW.id;
            END;
            CREATE TRIGGER aside_noted AFTER INSERT ON note BEGIN
              UPDATE episode SET aside = 0 WHERE id = NEW.episode AND aside <> 0;
            END;
            CREATE TRIGGER aside_queued AFTER INSERT ON queue_entry BEGIN
              UPDATE episode SET aside = 0 WHERE id = NEW.episode AND aside <> 0;
            END;
            """)
}
