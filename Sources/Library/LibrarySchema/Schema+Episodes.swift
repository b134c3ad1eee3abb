extension Schema {
    // - `feed.last_episode` makes a merge visible as a whole: views ignore episodes with larger ids. A large merge
    //   stores rows in many small commits; the last commit raises `last_episode`. After a crash the next merge deletes
    //   the rows above it.
    // - `section` (0 new, 1 in progress, 2 played) and `visibility` lead the two indexes by date, so that every named
    //   view is one index range or a merge of a few.
    // - A check `x IN (0, 1, 2)` makes SQLite build a tree per stored row, a quarter of its cost; BETWEEN does not.
    // - The `_key` columns are 64-bit hashes made by `ItemKeys`.

    /// Gives the episodes of one second an order, newest in the feed first, until the next refresh reads every document again
    /// (`ListedOrder`). Undated episodes of the day of subscribing become older than the subscription.
    static let orderedDates = """
        UPDATE episode SET dated = 0, published = first_seen WHERE published > first_seen + 86400000;
        UPDATE episode SET published = r.time + r.place FROM (
          SELECT id, time, row_number() OVER (PARTITION BY feed, time
            ORDER BY iif(dated, 0, published), coalesce(season, 0), number, first_seen, id DESC) - 1 AS place
          FROM (SELECT e.id, e.feed, e.dated, e.published, e.season, e.number, e.first_seen, iif(e.dated, e.published,
              e.first_seen / 1000 * 1000 - iif(e.first_seen < f.subscribed + 86400000, 86400000, 0)) AS time
            FROM episode e JOIN feed f ON f.id = e.feed WHERE f.kind <> 1)) r
        WHERE r.id = episode.id AND r.time + r.place <> episode.published;
        UPDATE fetch_state SET etag = NULL, last_modified = NULL, body_digest = NULL;
        """

    /// Marks the episodes that are new although they are dated before the subscription: those that came after the first refresh,
    /// and the newest one of the first refresh. Of earlier refreshes only the newest one is known.
    static let freshEpisodes = """
        ALTER TABLE episode ADD COLUMN fresh INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX episode_fresh ON episode(feed) WHERE fresh = 1;
        UPDATE episode SET fresh = 1 FROM feed f WHERE f.id = episode.feed AND f.kind <> 1 AND episode.published =
          (SELECT max(n.published) FROM episode n WHERE n.feed = f.id AND n.published <= f.subscribed AND n.id <= f.last_episode);
        """

    /// Episodes with their publishers' data.
    static let episodes = """
        CREATE TABLE episode(
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
          section INTEGER NOT NULL DEFAULT 0 CHECK (section BETWEEN 0 AND 2), -- Section
          starred INTEGER NOT NULL DEFAULT 0 CHECK (starred BETWEEN 0 AND 1),
          downloaded INTEGER NOT NULL DEFAULT 0 CHECK (downloaded BETWEEN 0 AND 1),
          visibility INTEGER NOT NULL DEFAULT 0 CHECK (visibility BETWEEN 0 AND 2), -- Visibility
          gone INTEGER NOT NULL DEFAULT 0 CHECK (gone BETWEEN 0 AND 1), -- the feed's document lacks it now
          dated INTEGER NOT NULL, -- whether the feed gave the date
          published INTEGER NOT NULL,
          first_seen INTEGER NOT NULL,
          guid_key INTEGER, title_key INTEGER NOT NULL, url_key INTEGER NOT NULL, media_key INTEGER NOT NULL,
          duration INTEGER,
          digest INTEGER NOT NULL, notes_digest INTEGER NOT NULL,
          bytes INTEGER NOT NULL DEFAULT 0, -- of the episode and its texts
          measured_duration INTEGER, length INTEGER, season INTEGER, number INTEGER, explicit INTEGER,
          title TEXT NOT NULL, url TEXT NOT NULL, type TEXT, link TEXT, guid TEXT, author TEXT, image TEXT,
          episode_type TEXT, chapters_url TEXT
        ) STRICT;
        CREATE INDEX episode_section ON episode(visibility, section, published);
        CREATE INDEX episode_feed ON episode(feed, visibility, section, published);

        -- With what else a filter asks, so that rows which do not fit need not be read.
        CREATE INDEX episode_starred ON episode(published, id, visibility, section, downloaded) WHERE starred = 1;
        CREATE INDEX episode_downloaded ON episode(published, id, visibility, section, starred) WHERE downloaded = 1;
        CREATE INDEX episode_feed_starred ON episode(feed, published) WHERE starred = 1;
        CREATE INDEX episode_feed_downloaded ON episode(feed, published) WHERE downloaded = 1;
        CREATE INDEX episode_gone ON episode(published) WHERE gone = 1;
        CREATE INDEX episode_feed_gone ON episode(feed, published) WHERE gone = 1;

        CREATE TABLE episode_notes( -- converted to words, with their marks apart
          episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
          summary TEXT, summary_marks TEXT,
          content TEXT, content_marks TEXT
        ) STRICT;

        CREATE TABLE episode_details(
          episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
          document TEXT NOT NULL
        ) STRICT;

        \(["chapter", "fetched_chapter"].map { table in
            """
            CREATE TABLE \(table)(
              episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
              place INTEGER NOT NULL,
              start INTEGER NOT NULL, "end" INTEGER, title TEXT, link TEXT, image TEXT, listed INTEGER NOT NULL,
              PRIMARY KEY (episode, place)
            ) STRICT, WITHOUT ROWID;
            """
        }.joined(separator: "\n\n"))

        CREATE TABLE transcript(
          episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
          place INTEGER NOT NULL,
          url TEXT NOT NULL, type TEXT, language TEXT, rel TEXT,
          PRIMARY KEY (episode, place)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE passage( -- about a minute of a transcript
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
          words TEXT NOT NULL, -- what is said, a line for each cue
          cues TEXT NOT NULL -- when and by whom, a line for each: `PassageText`
        ) STRICT;
        CREATE INDEX passage_episode ON passage(episode);

        -- How fetching an episode's chapters (0) or transcript (1) went.
        CREATE TABLE text_state(
          episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
          kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
          url TEXT NOT NULL,
          tried INTEGER NOT NULL,
          failures INTEGER NOT NULL,
          etag TEXT, last_modified TEXT, language TEXT, error TEXT,
          PRIMARY KEY (episode, kind)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE person(
          episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
          place INTEGER NOT NULL,
          name TEXT NOT NULL, role TEXT, href TEXT, image TEXT,
          PRIMARY KEY (episode, place)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE loudness( -- of whole recordings
          episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
          hundredths INTEGER NOT NULL -- of LUFS
        ) STRICT;
        """
}
