extension Schema {
    // Frequently changed columns are separate from large ones: an unchanged feed rewrites only its `fetch_state`.
    // Details that few publishers give are one document per feed (`FeedDetails`).

    /// Feeds, their refresh state, and the user's settings for them.
    static let feeds = """
        CREATE TABLE feed(
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          kind INTEGER NOT NULL DEFAULT 0 CHECK (kind IN (0, 1, 2)), -- subscribed, single files, being removed
          last_episode INTEGER NOT NULL DEFAULT 0,
          subscribed INTEGER NOT NULL,
          digest INTEGER NOT NULL DEFAULT 0,
          url TEXT UNIQUE,
          title TEXT NOT NULL,
          author TEXT, link TEXT, language TEXT, image TEXT,
          type TEXT, medium TEXT, guid TEXT, explicit INTEGER, complete INTEGER,
          summary TEXT -- converted to text
        ) STRICT;
        CREATE INDEX feed_title ON feed(title COLLATE NOCASE) WHERE kind = 0;
        CREATE INDEX feed_removed ON feed(id) WHERE kind = 2;
        CREATE UNIQUE INDEX feed_loose ON feed(kind) WHERE kind = 1;
        CREATE INDEX feed_guid ON feed(guid) WHERE kind = 0 AND guid IS NOT NULL;
        CREATE INDEX feed_digest ON feed(digest) WHERE kind = 0 AND digest <> 0;

        CREATE TABLE former_url(
          url TEXT PRIMARY KEY,
          feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX former_url_feed ON former_url(feed);

        CREATE TABLE feed_details(
          feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
          document TEXT NOT NULL
        ) STRICT;

        CREATE TABLE feed_setting(
          feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
          name TEXT NOT NULL,
          value TEXT NOT NULL,
          PRIMARY KEY (feed, name)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE feed_tag(
          feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
          tag TEXT NOT NULL,
          PRIMARY KEY (feed, tag)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE fetch_state(
          feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
          failures INTEGER NOT NULL DEFAULT 0,
          stopped INTEGER NOT NULL DEFAULT 0, -- gone, or stopped by the user
          next_due INTEGER, due_reason TEXT, last_try INTEGER, last_success INTEGER, last_full INTEGER,
          http_status INTEGER, false_304 INTEGER NOT NULL DEFAULT 0,
          etag TEXT, last_modified TEXT, body_digest TEXT, error TEXT,
          patience INTEGER, planned_gap INTEGER, gap INTEGER, newest INTEGER,
          quiet_hours INTEGER NOT NULL DEFAULT 0, quiet_days INTEGER NOT NULL DEFAULT 0, -- a bit for each
          complete INTEGER NOT NULL DEFAULT 0,
          moved_to TEXT, move_reason TEXT, move_sightings INTEGER NOT NULL DEFAULT 0, move_obstacle TEXT,
          broken_off INTEGER NOT NULL DEFAULT 0 -- runs in a row that ended in its document
        ) STRICT;

        -- Written at every try of every feed, so nothing but an end to append to; read seldom, by a scan.
        CREATE TABLE refresh_log(
          id INTEGER PRIMARY KEY,
          feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
          time INTEGER NOT NULL, next_due INTEGER NOT NULL, http_status INTEGER,
          bytes INTEGER NOT NULL, new_episodes INTEGER NOT NULL,
          etag TEXT, last_modified TEXT, body_digest TEXT, moved_to TEXT, error TEXT
        ) STRICT;

        CREATE TABLE page_walk( -- of feeds that name older pages
          feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
          reason TEXT NOT NULL, -- PageWalk.Reason
          time INTEGER NOT NULL,
          pages INTEGER NOT NULL,
          episodes INTEGER NOT NULL,
          since INTEGER,
          ending TEXT, -- PageWalk.End
          next_url TEXT, next_place INTEGER NOT NULL DEFAULT 0, next_oldest INTEGER, -- PageWalk.Pending
          failures INTEGER NOT NULL DEFAULT 0, error TEXT, due INTEGER
        ) STRICT;

        CREATE TABLE host_pause( -- hosts that want no requests for a while
          host TEXT PRIMARY KEY,
          noted INTEGER NOT NULL,
          until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE removed_feed(
          feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
          time INTEGER NOT NULL,
          url TEXT NOT NULL,
          former_urls TEXT, -- a line for each
          last_episode INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX removed_feed_url ON removed_feed(url);

        CREATE TRIGGER feed_added AFTER INSERT ON feed BEGIN
          INSERT INTO feed_count(feed) VALUES (NEW.id);
          INSERT INTO fetch_state(feed) VALUES (NEW.id);
        END;
        """
}
