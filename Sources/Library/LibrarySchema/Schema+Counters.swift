extension Schema {
    // Counters count visible rows. Triggers maintain them; a change of `last_episode` recomputes a feed's counters.

    /// The counters, with what the rows of `episode` satisfy that they count.
    private static let counted = [
        ("new", "section = 0"), ("in_progress", "section = 1"), ("played", "section = 2"), ("starred", "starred = 1"),
        ("downloaded", "downloaded = 1"),
    ]

    private static func each(_ sql: (_ name: String, _ condition: String) -> String) -> String {
        counted.map { sql($0, $1) }.joined(separator: ", ")
    }

    private static let less = each { "\($0) = \($0) - (OLD.\($1))" }
    /// Only visible episodes are ever starred or downloaded, so moving the mark forward keeps those two counts, unless the feed
    /// comes back after it was unsubscribed from.
    private static let published = each { name, condition in
        let all = "SELECT count(*) FROM episode WHERE feed = NEW.id AND visibility = 0 AND id <= NEW.last_episode"
        let count = "(\(all) AND \(condition))"
        if condition.hasPrefix("section") { return "\(name) = \(count)" }
        return "\(name) = CASE 0 WHEN NEW.last_episode THEN 0 WHEN OLD.last_episode THEN \(count) ELSE \(name) END"
    }
    private static let columns = each { name, _ in "\(name) INTEGER NOT NULL DEFAULT 0" }

    /// Numbers of episodes per state, for each feed and for the library.
    static let counters = """
        CREATE TABLE feed_count(feed INTEGER PRIMARY KEY REFERENCES feed ON DELETE CASCADE, \(columns)) STRICT;

        CREATE TABLE library_count(id INTEGER PRIMARY KEY CHECK (id = 1), \(columns)) STRICT;
        INSERT INTO library_count(id) VALUES (1);

        CREATE TRIGGER feed_counted AFTER UPDATE ON feed_count BEGIN
          UPDATE library_count SET \(each { name, _ in "\(name) = \(name) - OLD.\(name) + NEW.\(name)" });
        END;

        CREATE TRIGGER feed_published AFTER UPDATE OF last_episode ON feed
        WHEN OLD.last_episode <> NEW.last_episode BEGIN
          UPDATE feed_count SET \(published) WHERE feed = NEW.id;
        END;

        CREATE TRIGGER episode_state AFTER UPDATE OF section, starred, downloaded, visibility ON episode
        WHEN OLD.section <> NEW.section OR OLD.starred <> NEW.starred OR OLD.downloaded <> NEW.downloaded
          OR OLD.visibility <> NEW.visibility BEGIN
          UPDATE feed_count SET \(each { name, condition in
            "\(name) = \(name) - (OLD.visibility = 0 AND OLD.\(condition)) + (NEW.visibility = 0 AND NEW.\(condition))"
          }) WHERE feed = NEW.feed;
        END;

        CREATE TRIGGER episode_deleted AFTER DELETE ON episode
        WHEN OLD.visibility = 0 AND OLD.id <= (SELECT last_episode FROM feed WHERE id = OLD.feed) BEGIN
          UPDATE feed_count SET \(less) WHERE feed = OLD.feed;
        END;

        CREATE TRIGGER episode_moved AFTER UPDATE OF feed ON episode WHEN OLD.feed <> NEW.feed AND NEW.visibility = 0 BEGIN
          UPDATE feed_count SET \(less) WHERE feed = OLD.feed AND OLD.id <= (SELECT last_episode FROM feed WHERE id = OLD.feed);
          UPDATE feed_count SET \(each { "\($0) = \($0) + (NEW.\($1))" })
          WHERE feed = NEW.feed AND NEW.id <= (SELECT last_episode FROM feed WHERE id = NEW.feed);
        END;
        """
}
