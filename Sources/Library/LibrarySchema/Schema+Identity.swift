extension Schema {
    // Stores doubtful decisions of merges: at most `DecisionLog.kept` per feed, and one per episode and kind, so that a
    // host that replaces all items every hour does not fill the table.

    static let identity = """
        CREATE TABLE identity_decision(
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
          kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 6), -- IdentityDecision.Kind
          episode INTEGER REFERENCES episode ON DELETE CASCADE, -- none where it is about the feed
          item_key INTEGER NOT NULL, -- tells apart several of one kind about one episode
          time INTEGER NOT NULL,
          other INTEGER, -- the episode whose GUID was reused
          old_title TEXT, old_guid TEXT, old_url TEXT,
          new_title TEXT, new_guid TEXT, new_url TEXT
        ) STRICT;
        CREATE UNIQUE INDEX identity_decision_once ON identity_decision(feed, kind, episode, item_key);
        CREATE INDEX identity_decision_feed ON identity_decision(feed);
        CREATE INDEX identity_decision_episode ON identity_decision(episode);
        """
}
