extension Schema {
    // Counters count visible rows. Triggers maintain them; a change of `last_episode` recomputes a feed's counters.

    /// Numbers of episodes per state, for each feed and for the library.
    static let counters = """
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

        CREATE TRIGGER feed_counted AFTER UPDATE ON feed_count BEGIN
          UPDATE library_count SET
            new = new - OLD.new + NEW.new,
            in_progress = in_progress - OLD.in_progress + NEW.in_progress,
            played = played - OLD.played + NEW.played,
            starred = starred - OLD.starred + NEW.starred,
            downloaded = downloaded - OLD.downloaded + NEW.downloaded;
        END;

        -- Only visible episodes are ever starred or downloaded, so moving the mark forward keeps those two counts,
        -- unless the feed comes back after it was unsubscribed from.
        CREATE TRIGGER feed_published AFTER UPDATE OF last_episode ON feed
        WHEN OLD.last_episode <> NEW.last_episode BEGIN
          UPDATE feed_count SET
            new = (SELECT count(*) FROM episode
                   WHERE feed = NEW.id AND visibility = 0 AND section = 0 AND id <= NEW.last_episode),
            in_progress = (SELECT count(*) FROM episode
                   WHERE feed = NEW.id AND visibility = 0 AND section = 1 AND id <= NEW.last_episode),
            played = (SELECT count(*) FROM episode
                   WHERE feed = NEW.id AND visibility = 0 AND section = 2 AND id <= NEW.last_episode),
            starred = CASE 0 WHEN NEW.last_episode THEN 0
              WHEN OLD.last_episode THEN (SELECT count(*) FROM episode
                WHERE feed = NEW.id AND visibility = 0 AND starred = 1 AND id <= NEW.last_episode)
              ELSE starred END,
            downloaded = CASE 0 WHEN NEW.last_episode THEN 0
              WHEN OLD.last_episode THEN (SELECT count(*) FROM episode
                WHERE feed = NEW.id AND visibility = 0 AND downloaded = 1 AND id <= NEW.last_episode)
              ELSE downloaded END
          WHERE feed = NEW.id;
        END;

        CREATE TRIGGER episode_state AFTER UPDATE OF section, starred, downloaded, visibility ON episode
        WHEN OLD.section <> NEW.section OR OLD.starred <> NEW.starred OR OLD.downloaded <> NEW.downloaded
          OR OLD.visibility <> NEW.visibility BEGIN
          UPDATE feed_count SET
            new = new - (OLD.visibility = 0 AND OLD.section = 0) + (NEW.visibility = 0 AND NEW.section = 0),
            in_progress = in_progress - (OLD.visibility = 0 AND OLD.section = 1) + (NEW.visibility = 0 AND NEW.section = 1),
            played = played - (OLD.visibility = 0 AND OLD.section = 2) + (NEW.visibility = 0 AND NEW.section = 2),
            starred = starred - (OLD.visibility = 0 AND OLD.starred) + (NEW.visibility = 0 AND NEW.starred),
            downloaded = downloaded - (OLD.visibility = 0 AND OLD.downloaded) + (NEW.visibility = 0 AND NEW.downloaded)
          WHERE feed = NEW.feed;
        END;

        CREATE TRIGGER episode_deleted AFTER DELETE ON episode
        WHEN OLD.visibility = 0 AND OLD.id <= (SELECT last_episode FROM feed WHERE id = OLD.feed) BEGIN
          UPDATE feed_count SET
            new = new - (OLD.section = 0),
            in_progress = in_progress - (OLD.section = 1),
            played = played - (OLD.section = 2),
            starred = starred - OLD.starred,
            downloaded = downloaded - OLD.downloaded
          WHERE feed = OLD.feed;
        END;

        CREATE TRIGGER episode_moved AFTER UPDATE OF feed ON episode WHEN OLD.feed <> NEW.feed AND NEW.visibility = 0 BEGIN
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
        """
}
