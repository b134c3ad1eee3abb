extension Migration {
    // How the tables are meant:
    //
    // - What changes often is apart from what is large: the position of the second is one small row in `playback`,
    //   an unchanged feed rewrites its `fetch_state` alone, texts stand in `episode_notes`.
    // - `feed.last_episode` is what makes a feed visible whole: episodes get ascending numbers, and those above the
    //   feed's mark are not there yet for any view. A large merge stores rows in many small commits; the last one
    //   moves the mark. Rows above the mark after a crash are swept by the next merge.
    // - `episode.section` (0 new, 1 in progress, 2 played) leads the two indexes by date, so every named view is one
    //   or a merge of up to three index ranges.
    // - Counters hold visible rows only. They are recounted for a feed when its mark moves and kept by triggers else.
    // - Times are milliseconds; the `_key` columns are 64-bit hashes made by `ItemKeys`.

    /// Feeds, episodes, what the listener did, the queue and the refresh log.
    static let core = Migration(
        version: 1,
        script: """
            CREATE TABLE feed(
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              kind INTEGER NOT NULL DEFAULT 0 CHECK (kind IN (0, 1, 2)), -- subscribed, loose episodes, being removed
              last_episode INTEGER NOT NULL DEFAULT 0,
              subscribed INTEGER NOT NULL,
              digest INTEGER NOT NULL DEFAULT 0,
              url TEXT UNIQUE,
              title TEXT NOT NULL,
              author TEXT, link TEXT, language TEXT, image TEXT,
              type TEXT, medium TEXT, guid TEXT, explicit INTEGER, complete INTEGER,
              summary TEXT
            ) STRICT;
            CREATE INDEX feed_title ON feed(title COLLATE NOCASE) WHERE kind = 0;
            CREATE INDEX feed_removed ON feed(id) WHERE kind = 2;
            CREATE UNIQUE INDEX feed_loose ON feed(kind) WHERE kind = 1;

            CREATE TABLE former_url(
              url TEXT PRIMARY KEY,
              feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX former_url_feed ON former_url(feed);

            CREATE TABLE feed_count(
              feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
              new INTEGER NOT NULL DEFAULT 0,
              in_progress INTEGER NOT NULL DEFAULT 0,
              played INTEGER NOT NULL DEFAULT 0,
              starred INTEGER NOT NULL DEFAULT 0,
              downloaded INTEGER NOT NULL DEFAULT 0
            ) STRICT;

            CREATE TABLE library_count(
              id INTEGER PRIMARY KEY CHECK (id = 1),
              new INTEGER NOT NULL DEFAULT 0,
              in_progress INTEGER NOT NULL DEFAULT 0,
              played INTEGER NOT NULL DEFAULT 0,
              starred INTEGER NOT NULL DEFAULT 0,
              downloaded INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            INSERT INTO library_count(id) VALUES (1);

            CREATE TABLE fetch_state(
              feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE,
              failures INTEGER NOT NULL DEFAULT 0,
              next_due INTEGER, last_try INTEGER, last_success INTEGER, http_status INTEGER,
              etag TEXT, last_modified TEXT, body_digest TEXT, moved_to TEXT, error TEXT
            ) STRICT;

            -- Written at every try of every feed, so nothing but an end to append to; read seldom, by a scan.
            CREATE TABLE refresh_log(
              id INTEGER PRIMARY KEY,
              feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
              time INTEGER NOT NULL, next_due INTEGER NOT NULL, http_status INTEGER,
              bytes INTEGER NOT NULL, new_episodes INTEGER NOT NULL,
              etag TEXT, last_modified TEXT, body_digest TEXT, moved_to TEXT, error TEXT
            ) STRICT;

            CREATE TABLE feed_setting(
              feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
              name TEXT NOT NULL,
              value TEXT NOT NULL,
              PRIMARY KEY (feed, name)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE episode(
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              feed INTEGER NOT NULL REFERENCES feed ON DELETE CASCADE,
              section INTEGER NOT NULL DEFAULT 0 CHECK (section IN (0, 1, 2)),
              starred INTEGER NOT NULL DEFAULT 0 CHECK (starred IN (0, 1)),
              downloaded INTEGER NOT NULL DEFAULT 0 CHECK (downloaded IN (0, 1)),
              gone INTEGER NOT NULL DEFAULT 0 CHECK (gone IN (0, 1)), -- the feed's document lacks it now
              dated INTEGER NOT NULL, -- whether the feed gave the date
              published INTEGER NOT NULL,
              first_seen INTEGER NOT NULL,
              guid_key INTEGER, title_key INTEGER NOT NULL, url_key INTEGER NOT NULL, media_key INTEGER NOT NULL,
              duration INTEGER,
              digest INTEGER NOT NULL, notes_digest INTEGER NOT NULL,
              measured_duration INTEGER, length INTEGER, season INTEGER, number INTEGER, explicit INTEGER,
              title TEXT NOT NULL, url TEXT NOT NULL, type TEXT, link TEXT, guid TEXT, author TEXT, image TEXT,
              episode_type TEXT, chapters_url TEXT
            ) STRICT;
            CREATE INDEX episode_section ON episode(section, published);
            CREATE INDEX episode_feed ON episode(feed, section, published);
            CREATE INDEX episode_starred ON episode(published) WHERE starred = 1;
            CREATE INDEX episode_downloaded ON episode(published) WHERE downloaded = 1;
            CREATE INDEX episode_feed_starred ON episode(feed, published) WHERE starred = 1;
            CREATE INDEX episode_feed_downloaded ON episode(feed, published) WHERE downloaded = 1;

            CREATE TABLE episode_notes(
              episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
              summary TEXT,
              content TEXT
            ) STRICT;

            CREATE TABLE enclosure( -- further media files; the one that is played stands in its episode
              episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
              place INTEGER NOT NULL,
              url TEXT NOT NULL, type TEXT, length INTEGER,
              PRIMARY KEY (episode, place)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE chapter(
              episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
              place INTEGER NOT NULL,
              start INTEGER NOT NULL, "end" INTEGER, title TEXT, link TEXT, image TEXT, listed INTEGER NOT NULL,
              PRIMARY KEY (episode, place)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE transcript(
              episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
              place INTEGER NOT NULL,
              url TEXT NOT NULL, type TEXT, language TEXT, rel TEXT,
              PRIMARY KEY (episode, place)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE person(
              episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
              place INTEGER NOT NULL,
              name TEXT NOT NULL, role TEXT, href TEXT, image TEXT,
              PRIMARY KEY (episode, place)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE playback(
              episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
              position INTEGER NOT NULL DEFAULT 0,
              last_played INTEGER,
              marked INTEGER -- when the listener last marked it played or unplayed
            ) STRICT;

            CREATE TABLE note(
              episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
              text TEXT NOT NULL
            ) STRICT;

            CREATE TABLE queue_entry(
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              place INTEGER NOT NULL, -- ascending, with gaps to insert into
              episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE
            ) STRICT;
            CREATE INDEX queue_place ON queue_entry(place);
            CREATE INDEX queue_episode ON queue_entry(episode);

            CREATE TABLE queue_state(
              id INTEGER PRIMARY KEY CHECK (id = 1),
              current INTEGER REFERENCES queue_entry ON DELETE SET NULL
            ) STRICT;
            INSERT INTO queue_state(id) VALUES (1);

            CREATE TRIGGER feed_added AFTER INSERT ON feed BEGIN
              INSERT INTO feed_count(feed) VALUES (NEW.id);
              INSERT INTO fetch_state(feed) VALUES (NEW.id);
            END;

            -- Only visible episodes are ever starred or downloaded, so moving the mark forward keeps those counts.
            CREATE TRIGGER feed_published AFTER UPDATE OF last_episode ON feed
            WHEN OLD.last_episode <> NEW.last_episode BEGIN
              UPDATE feed_count SET
                new = (SELECT count(*) FROM episode
                       WHERE feed = NEW.id AND section = 0 AND id <= NEW.last_episode),
                in_progress = (SELECT count(*) FROM episode
                       WHERE feed = NEW.id AND section = 1 AND id <= NEW.last_episode),
                played = (SELECT count(*) FROM episode
                       WHERE feed = NEW.id AND section = 2 AND id <= NEW.last_episode),
                starred = iif(NEW.last_episode = 0, 0, starred),
                downloaded = iif(NEW.last_episode = 0, 0, downloaded)
              WHERE feed = NEW.id;
            END;

            CREATE TRIGGER feed_counted AFTER UPDATE ON feed_count BEGIN
              UPDATE library_count SET
                new = new - OLD.new + NEW.new,
                in_progress = in_progress - OLD.in_progress + NEW.in_progress,
                played = played - OLD.played + NEW.played,
                starred = starred - OLD.starred + NEW.starred,
                downloaded = downloaded - OLD.downloaded + NEW.downloaded;
            END;

            CREATE TRIGGER episode_state AFTER UPDATE OF section, starred, downloaded ON episode
            WHEN OLD.section <> NEW.section OR OLD.starred <> NEW.starred OR OLD.downloaded <> NEW.downloaded BEGIN
              UPDATE feed_count SET
                new = new - (OLD.section = 0) + (NEW.section = 0),
                in_progress = in_progress - (OLD.section = 1) + (NEW.section = 1),
                played = played - (OLD.section = 2) + (NEW.section = 2),
                starred = starred - OLD.starred + NEW.starred,
                downloaded = downloaded - OLD.downloaded + NEW.downloaded
              WHERE feed = NEW.feed;
            END;

            CREATE TRIGGER episode_deleted AFTER DELETE ON episode
            WHEN OLD.id <= (SELECT last_episode FROM feed WHERE id = OLD.feed) BEGIN
              UPDATE feed_count SET
                new = new - (OLD.section = 0),
                in_progress = in_progress - (OLD.section = 1),
                played = played - (OLD.section = 2),
                starred = starred - OLD.starred,
                downloaded = downloaded - OLD.downloaded
              WHERE feed = OLD.feed;
            END;

            -- An episode that is neither played nor at its beginning is in progress; playing a played one again
            -- leaves it played.
            CREATE TRIGGER playback_begun AFTER INSERT ON playback BEGIN
              UPDATE episode SET section = (NEW.position > 0)
              WHERE id = NEW.episode AND section = (NEW.position <= 0);
            END;
            CREATE TRIGGER playback_moved AFTER UPDATE OF position ON playback
            WHEN (OLD.position > 0) <> (NEW.position > 0) BEGIN
              UPDATE episode SET section = (NEW.position > 0)
              WHERE id = NEW.episode AND section = (NEW.position <= 0);
            END;
            """)
}
