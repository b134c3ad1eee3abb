extension Schema {
    // Each subject that devices share has one row in `library_change`. Triggers write it in the transaction that changes the subject.
    // The row has no value: the value is in the subject's own table, or was removed. Undo does not record these tables, because an undo is
    // a new change.

    /// The log of changes for other podcastds and devices.
    static let changes = """
        CREATE TABLE change_log( -- one row
          id INTEGER PRIMARY KEY CHECK (id = 1),
          device TEXT NOT NULL, -- id of this library
          revision INTEGER NOT NULL, -- the last one, a hybrid logical clock in milliseconds
          removals INTEGER NOT NULL -- of other devices, of what was never here
        ) STRICT;
        INSERT INTO change_log VALUES (1, lower(hex(randomblob(8))), 0, 0);

        CREATE TABLE library_change(
          owner INTEGER NOT NULL, -- an episode or a feed; 0 for none
          kind TEXT NOT NULL, -- LibraryChange.Kind
          name TEXT NOT NULL, -- ChangedSubject.name
          revision INTEGER NOT NULL, -- ascends with each change
          time INTEGER NOT NULL, -- of the change; 0 if it is older than the log
          device TEXT NOT NULL, -- id of the library in which the user made the change, or name of the device
          PRIMARY KEY (owner, kind, name)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX change_revision ON library_change(revision);

        CREATE TABLE change_reader( -- other libraries
          name TEXT PRIMARY KEY,
          revision INTEGER NOT NULL -- the last one that it has received
        ) STRICT, WITHOUT ROWID;

        -- Unique among the entries of an episode, also after an undo.
        ALTER TABLE queue_entry ADD COLUMN copy INTEGER NOT NULL DEFAULT 0;
        UPDATE queue_entry AS q SET copy =
          (SELECT count(*) FROM queue_entry o WHERE o.episode = q.episode AND o.id < q.id);
        -- Avoid equal places in two libraries.
        UPDATE queue_entry SET place = place + abs(random() % \(QueueStore.gap / 2));
        UPDATE bookmark AS b SET created = created
          + (SELECT count(*) FROM bookmark o WHERE o.episode = b.episode AND o.created = b.created AND o.id < b.id);

        INSERT INTO library_change
        SELECT owner, kind, name, row_number() OVER (), time, (SELECT device FROM change_log) FROM (
          SELECT 0 AS owner, 'subscription' AS kind, url AS name, revision * 1000 AS time FROM subscription_change
          UNION ALL SELECT c.episode, 'playback', '',
            max(coalesce(p.last_played, 0), coalesce(p.marked, 0), coalesce(u.time, 0))
            FROM state_change c LEFT JOIN playback p USING (episode) LEFT JOIN undone_state u USING (episode)
          UNION ALL SELECT id, 'playback', 'waiting', \(playbackTime("imported_episode"))
            FROM imported_episode WHERE \(hasPlayback("imported_episode"))
          UNION ALL SELECT id, 'star', '', 0 FROM episode WHERE starred = 1
          UNION ALL SELECT episode, 'note', '', 0 FROM note
          UNION ALL SELECT episode, 'bookmark', created, 0 FROM bookmark
          UNION ALL SELECT episode, 'queueEntry', copy, 0 FROM queue_entry
          UNION ALL SELECT feed, 'tag', tag, 0 FROM feed_tag
          UNION ALL SELECT feed, 'feedSetting', name, 0 FROM feed_setting WHERE \(isShared("name"))
          UNION ALL SELECT coalesce(feed, 0), 'retention', '', 0 FROM retention
          UNION ALL SELECT DISTINCT coalesce(feed, 0), 'rule', text, 0 FROM rule
          UNION ALL SELECT 0, 'playlist', name, 0 FROM smart_playlist
          UNION ALL SELECT 0, 'speed', '', 0 FROM client_setting WHERE name = 'playback.speed');
        UPDATE change_log SET revision = (SELECT count(*) FROM library_change);

        \(["playback_added", "playback_changed", "playback_gone", "imported_insert", "imported_update", "subscription_added",
            "subscription_begun", "subscription_ended", "subscription_gone", "act_done",
        ].map { "DROP TRIGGER \($0);" }.joined(separator: "\n"))
        DROP TABLE state_change;
        DROP TABLE subscription_change;
        DROP TABLE undone_state;
        DROP TABLE last_act;
        DROP INDEX imported_revision;
        ALTER TABLE imported_episode DROP COLUMN revision;

        \(trigger("playback", "episode", "playback", "''", columns: ["position", "marked", "last_played"],
            times: (
                added: actTime("true"), changed: actTime("\(playbackTime("NEW")) > \(playbackTime("OLD"))"), gone: "0"
            )))
        -- An undo or redo gets the present time, at least one second after the previous change, because many servers keep whole seconds.
        CREATE TRIGGER change_playback_again AFTER UPDATE OF time ON library_change
        WHEN NEW.kind = 'playback' AND NEW.time <= OLD.time AND NEW.device = (SELECT device FROM change_log) BEGIN
          UPDATE library_change SET time = max(NEW.revision | 1, (OLD.time / 1000 + 1) * 1000 + 1)
          WHERE owner = NEW.owner AND kind = NEW.kind AND name = NEW.name;
        END;

        \([("added", "INSERT", "true"), ("changed", "UPDATE", ["played", "position", "last_played", "marked"].map {
            "OLD.\($0) IS NOT NEW.\($0)"
        }.joined(separator: " OR "))].map { name, event, condition in
            """
            CREATE TRIGGER change_waiting_\(name) AFTER \(event) ON imported_episode
            WHEN \(hasPlayback("NEW")) AND (\(condition)) BEGIN
              \(log("NEW.id", "playback", "'waiting'", time: playbackTime("NEW")))
            END;
            """
        }.joined(separator: "\n"))
        CREATE TRIGGER change_waiting_gone AFTER DELETE ON imported_episode BEGIN
          DELETE FROM library_change WHERE owner = OLD.id AND kind = 'playback' AND name = 'waiting';
        END;

        CREATE TRIGGER change_subscription_added AFTER INSERT ON feed WHEN NEW.kind = 0 AND NEW.url IS NOT NULL BEGIN
          \(log("0", "subscription", "NEW.url"))
        END;
        CREATE TRIGGER change_subscription_ended AFTER UPDATE OF kind, url ON feed
        WHEN OLD.kind = 0 AND OLD.url IS NOT NULL AND (NEW.kind <> 0 OR NEW.url IS NOT OLD.url) BEGIN
          \(log("0", "subscription", "OLD.url"))
        END;
        CREATE TRIGGER change_subscription_gone AFTER DELETE ON feed WHEN OLD.kind = 0 AND OLD.url IS NOT NULL BEGIN
          \(log("0", "subscription", "OLD.url"))
        END;

        CREATE TRIGGER change_star AFTER UPDATE OF starred ON episode WHEN OLD.starred <> NEW.starred BEGIN
          \(log("NEW.id", "star", "''"))
        END;
        \(trigger("note", "episode", "note", "''", columns: ["text"]))
        \(trigger("bookmark", "episode", "bookmark", "created", columns: ["position", "skip_end", "text"]))
        \(trigger("queue_entry", "episode", "queueEntry", "copy", columns: ["place"], first: """
            UPDATE queue_entry SET copy = (SELECT max(copy) + 1 FROM queue_entry WHERE episode = NEW.episode)
            WHERE id = NEW.id AND EXISTS
              (SELECT 1 FROM queue_entry WHERE episode = NEW.episode AND copy = NEW.copy AND id <> NEW.id);
            """, inserted: "(SELECT copy FROM queue_entry WHERE id = NEW.id)"))
        \(trigger("feed_tag", "feed", "tag", "tag"))
        \(trigger("feed_setting", "feed", "feedSetting", "name", columns: ["value"], condition: isShared))
        \(trigger("retention", "feed", "retention", "''", columns: ["policy"]))
        \(trigger("rule", "feed", "rule", "text", columns: ["place", "text"]))
        \(trigger("smart_playlist", nil, "playlist", "name", columns: ["name", "filter", "oldest_first"]))
        \(trigger("client_setting", nil, "speed", "''", columns: ["value"], condition: { "\($0) = 'playback.speed'" }))

        \(ownerTriggers("'star', 'note', 'bookmark', 'queueEntry'"))

        -- Revisions of the former tables are not revisions of the log, so all accounts synchronize from the beginning.
        DROP TABLE sync_account;
        CREATE TABLE sync_account( -- servers of podcast-sync; see SyncAccount
          name TEXT PRIMARY KEY,
          server TEXT NOT NULL,
          server_revision INTEGER NOT NULL DEFAULT 0,
          sent_revision INTEGER NOT NULL DEFAULT 0,
          last_sync INTEGER
        ) STRICT, WITHOUT ROWID;
        """

    /// Triggers that forget the changes of what is deleted, and send those of a feed again.
    /// - Parameter kinds: SQL for the kinds whose owner is an episode, without playback.
    static func ownerTriggers(_ kinds: String) -> String {
        """
        CREATE TRIGGER change_episode_gone AFTER DELETE ON episode BEGIN
          DELETE FROM library_change WHERE owner = OLD.id
            AND (kind IN (\(kinds)) OR kind = 'playback' AND name = '');
        END;
        CREATE TRIGGER change_feed_gone AFTER DELETE ON feed BEGIN
          DELETE FROM library_change WHERE owner = OLD.id AND kind IN ('tag', 'feedSetting', 'retention', 'rule');
        END;

        -- Send the changes of a feed again after it was subscribed again or got another address.
        CREATE TRIGGER change_feed_named AFTER UPDATE OF kind, url ON feed
        WHEN NEW.kind = 0 AND NEW.url IS NOT NULL AND (OLD.kind <> 0 OR OLD.url IS NOT NEW.url) BEGIN
          \(log("0", "subscription", "NEW.url"))
          UPDATE library_change SET revision = max(l.revision, \(now)) + r.number
          FROM change_log l, (
            SELECT owner, kind, name, row_number() OVER () AS number FROM library_change
            WHERE owner = NEW.id AND kind IN ('tag', 'feedSetting', 'retention', 'rule')
              OR (kind IN (\(kinds)) OR kind = 'playback' AND name = '') AND owner IN (SELECT id FROM episode WHERE feed = NEW.id)) r
          WHERE library_change.owner = r.owner AND library_change.kind = r.kind AND library_change.name = r.name;
          UPDATE change_log SET revision = max(revision, coalesce((SELECT max(revision) FROM library_change), 0));
        END;
        """
    }

    /// The end of a step that adds a kind of changes. A podcastd leaves out the kinds that it does not know, so accounts read everything
    /// again, and readers, which take the library for a restored one, exchange everything.
    static let newKind = """
        UPDATE sync_account SET server_revision = min(server_revision, 1), sent_revision = 0;
        DELETE FROM change_reader;
        """

    private static let now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"

    /// Settings of feeds that do not belong to one machine: `FeedSetting.shared`.
    private static func isShared(_ name: String) -> String {
        """
        \(name) IN ('title', 'refresh', 'volume', 'speed', 'silence', 'loudness', 'voice_boost', 'mono', 'skip_start', 'skip_end',
          'skip_chapters')
        """
    }

    private static func hasPlayback(_ row: String) -> String {
        "(\(row).last_played IS NOT NULL OR \(row).marked IS NOT NULL)"
    }

    private static func playbackTime(_ row: String) -> String {
        "max(coalesce(\(row).last_played, 0), coalesce(\(row).marked, 0))"
    }

    /// Returns SQL for the time of a playback change; 0 for an undo.
    ///
    /// An imported change keeps its time, even if that is unknown. Times of this library are never whole seconds, so that they differ from
    /// times of servers that keep whole seconds.
    /// - Parameter isAct: SQL for whether the row has a later time than before.
    private static func actTime(_ isAct: String) -> String {
        let time = playbackTime("NEW")
        return "iif(\(isAct), iif(\(time) < \(now) - 60000, \(time), revision | 1), 0)"
    }

    /// SQL that logs a change made here.
    /// - Parameter time: SQL for the time of the change.
    static func log(_ owner: String, _ kind: String, _ name: String, time: String = "revision") -> String {
        """
        UPDATE change_log SET revision = max(revision + 1, \(now));
          INSERT INTO library_change SELECT coalesce(\(owner), 0), '\(kind)', \(name), revision, \(time), device
          FROM change_log WHERE true
          ON CONFLICT DO UPDATE SET revision = excluded.revision, time = excluded.time, device = excluded.device;
        """
    }

    /// Triggers of a table in which each row is a subject. Deleting an episode or a feed does not log changes of its rows.
    /// - Parameters:
    ///   - owner: the column with an episode or a feed.
    ///   - columns: the columns that hold the value.
    ///   - condition: limits the rows by their column `name`.
    ///   - first: statements to run before logging an insertion.
    ///   - inserted: SQL for the name after an insertion, if `NEW` does not have it.
    ///   - times: SQL for the time of an insertion, a change and a deletion.
    private static func trigger(
        _ table: String, _ owner: String?, _ kind: String, _ name: String, columns: [String] = [],
        condition: (String) -> String = { _ in "true" }, first: String = "", inserted: String? = nil,
        times: (added: String, changed: String, gone: String) = ("revision", "revision", "revision")
    ) -> String {
        func named(_ row: String) -> String { name == "''" ? name : "\(row).\(name)" }
        func owned(_ row: String) -> String { owner.map { "\(row).\($0)" } ?? "0" }
        let isThere = owner.map { "(OLD.\($0) IS NULL OR EXISTS (SELECT 1 FROM \($0) WHERE id = OLD.\($0)))" } ?? "true"
        let changes = columns.map { "OLD.\($0) COLLATE BINARY IS NOT NEW.\($0)" }.joined(separator: " OR ")
        let changed = """
            CREATE TRIGGER change_\(table)_changed AFTER UPDATE OF \(columns.joined(separator: ", ")) ON \(table)
            WHEN (\(changes)) AND \(condition("NEW.name")) BEGIN
              \(columns.contains(name) ? log(owned("OLD"), kind, named("OLD")) : "")
              \(log(owned("NEW"), kind, named("NEW"), time: times.changed))
            END;
            """
        return """
            CREATE TRIGGER change_\(table)_added AFTER INSERT ON \(table) WHEN \(condition("NEW.name")) BEGIN
              \(first)
              \(log(owned("NEW"), kind, inserted ?? named("NEW"), time: times.added))
            END;
            \(columns.isEmpty ? "" : changed)
            CREATE TRIGGER change_\(table)_gone AFTER DELETE ON \(table) WHEN \(isThere) AND \(condition("OLD.name")) BEGIN
              \(log(owned("OLD"), kind, named("OLD"), time: times.gone))
            END;
            """
    }
}
