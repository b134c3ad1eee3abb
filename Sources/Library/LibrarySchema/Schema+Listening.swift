extension Schema {
    // The position changes every few seconds, so it is one small row in `playback`. Times are in milliseconds. Writes
    // limit the sizes of `history` and `undo_step`.

    /// The user's data: positions, notes, bookmarks, the queue, history and statistics.
    static let listening = """
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

        CREATE TABLE bookmark( -- places in episodes with the user's text
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
          position INTEGER NOT NULL CHECK (position >= 0), -- milliseconds
          skip_end INTEGER CHECK (skip_end > position), -- of a part that is not played
          text TEXT NOT NULL, -- may be empty
          created INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX bookmark_episode ON bookmark(episode, position);

        CREATE TABLE queue_entry(
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          place INTEGER NOT NULL, -- ascending, with gaps to insert into
          episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
          priority INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX queue_place ON queue_entry(place);
        CREATE INDEX queue_episode ON queue_entry(episode);

        CREATE TABLE queue_state(
          id INTEGER PRIMARY KEY CHECK (id = 1),
          current INTEGER REFERENCES queue_entry ON DELETE SET NULL
        ) STRICT;
        INSERT INTO queue_state(id) VALUES (1);

        CREATE TABLE history(
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          time INTEGER NOT NULL,
          event TEXT NOT NULL, -- HistoryRecord.Event
          episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
          position INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX history_episode ON history(episode);

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

        CREATE TABLE download_request(
          episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
          time INTEGER NOT NULL
        ) STRICT;

        -- What was imported of an episode that no refresh has brought yet; the merge that brings the episode applies it
        -- and deletes the row.
        CREATE TABLE imported_episode(
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
          is_current INTEGER NOT NULL CHECK (is_current IN (0, 1)),
          bookmarks TEXT -- a JSON array of [position, created, text]
        ) STRICT;
        CREATE UNIQUE INDEX imported_identity ON imported_episode(feed, url, coalesce(guid, ''));

        -- A touch of `play` is not progress: an episode stays new until 30 seconds or 1 % of its duration were heard,
        -- whichever is less. The duration may come after the position, and change. Playing a played episode again
        -- leaves it played.
        CREATE TRIGGER playback_begun AFTER INSERT ON playback BEGIN
          UPDATE episode SET section = \(Section.isProgress("NEW.position"))
          WHERE id = NEW.episode AND section <> 2;
        END;

        CREATE TRIGGER playback_moved AFTER UPDATE OF position ON playback
        WHEN OLD.position <> NEW.position AND min(OLD.position, NEW.position) < 30000 BEGIN
          UPDATE episode SET section = \(Section.isProgress("NEW.position"))
          WHERE id = NEW.episode AND section NOT IN (2, \(Section.isProgress("NEW.position")));
        END;

        CREATE TRIGGER playback_removed AFTER DELETE ON playback BEGIN
          UPDATE episode SET section = 0 WHERE id = OLD.episode AND section = 1;
        END;

        CREATE TRIGGER episode_measured AFTER UPDATE OF duration, measured_duration ON episode
        WHEN NEW.section <> 2
          AND coalesce(OLD.measured_duration, OLD.duration) IS NOT coalesce(NEW.measured_duration, NEW.duration) BEGIN
          UPDATE episode SET section = \(Section.isProgress("p.position"))
          FROM playback p WHERE id = NEW.id AND p.episode = NEW.id;
        END;
        """
}
