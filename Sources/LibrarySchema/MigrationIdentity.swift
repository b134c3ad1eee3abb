extension Migration {
    // What a merge decides is kept when it was not plain, at most `DecisionLog.kept` for each feed and one for each
    // episode and kind, so that a host that renews everything every hour fills nothing.
    //
    // An episode that the listener joined into another goes to the shelf: a feed of kind 2 with an address, which other
    // feeds of that kind lack, and a mark of 0, so that nothing on it is visible. `joined_episode` has what is needed to
    // bring it back, `episode_alias` what its item is recognized by.

    /// What was decided about identities, and episodes that were joined.
    static let identity = Migration(
        version: 8,
        script: """
            CREATE TABLE identity_decision(
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
              kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 8), -- IdentityDecision.Kind
              episode INTEGER REFERENCES episode ON DELETE CASCADE, -- none where it is about the feed
              item_key INTEGER NOT NULL, -- tells apart several of one kind about one episode
              time INTEGER NOT NULL,
              undone INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1)),
              other INTEGER,
              old_guid TEXT, old_url TEXT, old_title TEXT, old_published INTEGER, old_duration INTEGER,
              new_guid TEXT, new_url TEXT, new_title TEXT
            ) STRICT;
            CREATE UNIQUE INDEX identity_decision_once ON identity_decision(feed, kind, episode, item_key);
            CREATE INDEX identity_decision_feed ON identity_decision(feed);
            CREATE INDEX identity_decision_episode ON identity_decision(episode);

            CREATE TABLE joined_episode(
              decision INTEGER PRIMARY KEY REFERENCES identity_decision ON DELETE CASCADE,
              kept INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
              absorbed INTEGER NOT NULL UNIQUE REFERENCES episode ON DELETE CASCADE,
              -- The kept one as it was before.
              section INTEGER NOT NULL, starred INTEGER NOT NULL,
              position INTEGER, last_played INTEGER, marked INTEGER, note TEXT
            ) STRICT;
            CREATE INDEX joined_episode_kept ON joined_episode(kept);

            CREATE TABLE joined_entry( -- entries of the queue that were the absorbed one's
              decision INTEGER NOT NULL REFERENCES identity_decision ON DELETE CASCADE,
              entry INTEGER NOT NULL,
              PRIMARY KEY (decision, entry)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE episode_alias(
              decision INTEGER PRIMARY KEY REFERENCES identity_decision ON DELETE CASCADE,
              feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
              guid_key INTEGER, title_key INTEGER NOT NULL, url_key INTEGER NOT NULL, media_key INTEGER NOT NULL,
              published INTEGER, duration INTEGER,
              swapped INTEGER NOT NULL DEFAULT 0 CHECK (swapped IN (0, 1)) -- these are the kept one's own keys
            ) STRICT;
            CREATE INDEX episode_alias_feed ON episode_alias(feed);

            -- A joined episode lives as long as the one it was joined into.
            CREATE TRIGGER joined_deleted AFTER DELETE ON joined_episode BEGIN
              DELETE FROM episode WHERE id = OLD.absorbed
                AND feed = (SELECT id FROM feed WHERE kind = 2 AND url IS NOT NULL);
            END;

            CREATE TRIGGER episode_moved AFTER UPDATE OF feed ON episode WHEN OLD.feed <> NEW.feed AND NEW.aside = 0 BEGIN
              UPDATE feed_count SET
                new = new - (OLD.section = 0), in_progress = in_progress - (OLD.section = 1),
                played = played - (OLD.section = 2), starred = starred - OLD.starred,
                downloaded = downloaded - OLD.downloaded
              WHERE feed = OLD.feed AND OLD.id <= (SELECT last_episode FROM feed WHERE id = OLD.feed);
              UPDATE feed_count SET
                new = new + (NEW.section = 0), in_progress = in_progress + (NEW.section = 1),
                played = played + (NEW.section = 2), starred = starred + NEW.starred,
                downloaded = downloaded + NEW.downloaded
              WHERE feed = NEW.feed AND NEW.id <= (SELECT last_episode FROM feed WHERE id = NEW.feed);
            END;

            -- Who else claims to be a feed, and what feeds have dropped.
            CREATE INDEX feed_guid ON feed(guid) WHERE kind = 0 AND guid IS NOT NULL;
            CREATE INDEX feed_digest ON feed(digest) WHERE kind = 0 AND digest <> 0;
            CREATE INDEX episode_gone ON episode(published) WHERE gone = 1;
            CREATE INDEX episode_feed_gone ON episode(feed, published) WHERE gone = 1;
            """)
}
