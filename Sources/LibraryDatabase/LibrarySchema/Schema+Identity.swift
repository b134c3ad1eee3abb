extension Schema {
    // What a merge decides is kept when it was not plain, at most `DecisionLog.kept` for each feed and one for each episode and
    // kind, so that a host that renews everything every hour fills nothing.

    /// What was decided about the identity of episodes.
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
