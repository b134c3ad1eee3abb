extension Schema {
    // What a merge decides is kept when it was not plain, at most `DecisionLog.kept` for each feed and one for each episode
    // and kind, so that a host that renews everything every hour fills nothing.
    //
    // An episode that the listener joined into another goes to the shelf: a feed of kind 2 with an address, which other
    // feeds of that kind lack, and a mark of 0, so that nothing on it is visible. `joined_episode` has what is needed to
    // bring it back, `episode_alias` what its item is recognized by.

    /// What was decided about the identity of episodes, and episodes that were joined.
    static let identity = """
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

        CREATE TABLE joined_bookmark( -- bookmarks that were the absorbed one's
          decision INTEGER NOT NULL REFERENCES identity_decision ON DELETE CASCADE,
          bookmark INTEGER NOT NULL,
          PRIMARY KEY (decision, bookmark)
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
        """
}
