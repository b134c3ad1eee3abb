extension Migration {
    // What was brought in of an episode that no refresh has brought yet waits in `carried_episode`, with what its
    // publisher says of it; the merge that brings the episode applies it and deletes the row.

    /// Tags of feeds, and what was brought in of episodes that are not there yet.
    static let moving = Migration(
        version: 4,
        script: """
            CREATE TABLE feed_tag(
              feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
              tag TEXT NOT NULL,
              PRIMARY KEY (feed, tag)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE carried_episode(
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
              guid TEXT, url TEXT NOT NULL, title TEXT, published INTEGER, duration INTEGER,
              played INTEGER NOT NULL CHECK (played IN (0, 1)),
              position INTEGER NOT NULL,
              last_played INTEGER,
              marked INTEGER,
              starred INTEGER NOT NULL CHECK (starred IN (0, 1)),
              note TEXT,
              queue_place INTEGER, -- like queue_entry.place
              is_current INTEGER NOT NULL CHECK (is_current IN (0, 1))
            ) STRICT;
            CREATE UNIQUE INDEX carried_identity ON carried_episode(feed, url, coalesce(guid, ''));
            """)
}
