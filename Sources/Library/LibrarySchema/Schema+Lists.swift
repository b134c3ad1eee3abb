extension Schema {
    /// Entries of playlists by hand, beside those of the queue.
    static let lists = """
        ALTER TABLE queue_entry ADD COLUMN list TEXT; -- the name of a playlist by hand; NULL for the queue
        DROP INDEX queue_place;
        CREATE INDEX queue_place ON queue_entry(list, place);
        ALTER TABLE imported_episode ADD COLUMN lists TEXT; -- a JSON array of [name, place]

        CREATE TRIGGER list_heard AFTER UPDATE OF section ON episode WHEN NEW.section = 2 AND OLD.section <> 2 BEGIN
          DELETE FROM queue_entry WHERE episode = NEW.id AND list IN
            (SELECT name FROM smart_playlist WHERE filter = 'by:hand heard:leave');
        END;

        \(["queue_entry_added", "queue_entry_changed", "queue_entry_gone", "episode_gone", "feed_gone", "feed_named"].map {
            "DROP TRIGGER change_\($0);"
        }.joined(separator: "\n"))
        \(entryTriggers("queue_entry", "queueEntry", "IS NULL") { _ in "" })
        \(entryTriggers("list_entry", "listEntry", "IS NOT NULL") { " || ' ' || \($0).list" })
        \(ownerTriggers("'star', 'note', 'bookmark', 'queueEntry', 'listEntry'"))
        \(newKind)
        """

    /// Triggers that log changes of the entries whose `list` satisfies a condition.
    /// - Parameter suffix: SQL that follows the number in the name, for a row.
    private static func entryTriggers(
        _ name: String, _ kind: String, _ condition: String, suffix: (String) -> String
    ) -> String {
        """
        CREATE TRIGGER change_\(name)_added AFTER INSERT ON queue_entry WHEN NEW.list \(condition) BEGIN
          UPDATE queue_entry SET copy =
            (SELECT max(copy) + 1 FROM queue_entry WHERE episode = NEW.episode AND list IS NEW.list)
          WHERE id = NEW.id AND EXISTS (SELECT 1 FROM queue_entry
            WHERE episode = NEW.episode AND list IS NEW.list AND copy = NEW.copy AND id <> NEW.id);
          \(log("NEW.episode", kind, "(SELECT copy FROM queue_entry WHERE id = NEW.id)\(suffix("NEW"))"))
        END;
        CREATE TRIGGER change_\(name)_changed AFTER UPDATE OF place, list ON queue_entry
        WHEN NEW.list \(condition) AND (OLD.place <> NEW.place OR OLD.list IS NOT NEW.list) BEGIN
          \(log("OLD.episode", kind, "OLD.copy\(suffix("OLD"))"))
          \(log("NEW.episode", kind, "NEW.copy\(suffix("NEW"))"))
        END;
        CREATE TRIGGER change_\(name)_gone AFTER DELETE ON queue_entry
        WHEN OLD.list \(condition) AND EXISTS (SELECT 1 FROM episode WHERE id = OLD.episode) BEGIN
          \(log("OLD.episode", kind, "OLD.copy\(suffix("OLD"))"))
        END;
        """
    }
}
