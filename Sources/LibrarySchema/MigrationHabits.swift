extension Migration {
    /// Bookmarks, and how long which feeds were heard.
    static let habits = Migration(
        version: 17,
        script: """
            CREATE TABLE bookmark( -- places in episodes with the user's text
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
              position INTEGER NOT NULL CHECK (position >= 0), -- milliseconds
              text TEXT NOT NULL, -- may be empty
              created INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX bookmark_episode ON bookmark(episode, position);
            CREATE TRIGGER aside_bookmarked AFTER INSERT ON bookmark BEGIN
              UPDATE episode SET aside = 0 WHERE id = NEW.episode AND aside <> 0;
            END;

            CREATE TABLE joined_bookmark( -- bookmarks that were the absorbed one's
              decision INTEGER NOT NULL REFERENCES identity_decision ON DELETE CASCADE,
              bookmark INTEGER NOT NULL,
              PRIMARY KEY (decision, bookmark)
            ) STRICT, WITHOUT ROWID;

            -- Bookmarks that wait with their episode: a JSON array of [position, created, text].
            ALTER TABLE carried_episode ADD COLUMN bookmarks TEXT;

            CREATE TABLE listening( -- what was heard, in milliseconds of playing time
              day INTEGER NOT NULL, -- days since 1970 by the local calendar
              feed INTEGER NOT NULL, -- may be gone
              heard INTEGER NOT NULL,
              saved_by_speed INTEGER NOT NULL,
              saved_by_silence INTEGER NOT NULL,
              PRIMARY KEY (day, feed)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE heard_feed( -- titles of feeds in `listening` that are gone
              feed INTEGER PRIMARY KEY,
              title TEXT NOT NULL
            ) STRICT;
            CREATE TRIGGER heard_feed_deleted BEFORE DELETE ON feed
            WHEN EXISTS (SELECT 1 FROM listening WHERE feed = OLD.id) BEGIN
              INSERT OR REPLACE INTO heard_feed(feed, title) VALUES (OLD.id, OLD.title);
            END;
            """)
}
