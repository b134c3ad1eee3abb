extension Schema {
    // Devices ask for what has changed after a revision that they were given before. A revision is a time in seconds, because
    // gPodder's clients expect one, and never falls. Undo does not record these tables: it changes the episodes as a listener
    // does, and devices hear of that.

    /// What other devices of the listener have to hear of, and the devices.
    static let sync = """
        CREATE TABLE state_change( -- the last change of an episode's position or mark
          episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
          revision INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX state_change_revision ON state_change(revision);
        INSERT INTO state_change SELECT episode, unixepoch() FROM playback;

        \([("playback_added", "INSERT", "NEW", ""), ("playback_changed", "UPDATE OF position, marked", "NEW",
            "WHEN OLD.position <> NEW.position OR OLD.marked IS NOT NEW.marked"),
            ("playback_gone", "DELETE", "OLD", "WHEN EXISTS (SELECT 1 FROM episode WHERE id = OLD.episode)"),
        ].map { name, event, row, condition in
            """
            CREATE TRIGGER \(name) AFTER \(event) ON playback \(condition) BEGIN
              INSERT INTO state_change VALUES (\(row).episode, \(next("state_change")))
              ON CONFLICT DO UPDATE SET revision = excluded.revision;
            END;
            """
        }.joined(separator: "\n\n"))

        ALTER TABLE imported_episode ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX imported_revision ON imported_episode(revision);
        \(["INSERT", "UPDATE OF played, position, last_played, marked"].map { event in
            """
            CREATE TRIGGER imported_\(event.prefix(6).lowercased()) AFTER \(event) ON imported_episode BEGIN
              UPDATE imported_episode SET revision = \(next("imported_episode")) WHERE id = NEW.id;
            END;
            """
        }.joined(separator: "\n\n"))

        CREATE TABLE subscription_change(
          url TEXT PRIMARY KEY,
          is_subscribed INTEGER NOT NULL CHECK (is_subscribed IN (0, 1)),
          revision INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX subscription_change_revision ON subscription_change(revision);
        INSERT INTO subscription_change SELECT url, 1, unixepoch() FROM feed WHERE kind = 0 AND url IS NOT NULL;

        \([("subscription_added", "INSERT", "NEW", 1, "WHEN NEW.kind = 0 AND NEW.url IS NOT NULL"),
            ("subscription_begun", "UPDATE OF kind, url", "NEW", 1,
                "WHEN NEW.kind = 0 AND NEW.url IS NOT NULL AND (OLD.kind <> 0 OR OLD.url IS NOT NEW.url)"),
            ("subscription_ended", "UPDATE OF kind, url", "OLD", 0,
                "WHEN OLD.kind = 0 AND OLD.url IS NOT NULL AND (NEW.kind <> 0 OR NEW.url IS NOT OLD.url)"),
            ("subscription_gone", "DELETE", "OLD", 0, "WHEN OLD.kind = 0 AND OLD.url IS NOT NULL"),
        ].map { name, event, row, state, condition in
            """
            CREATE TRIGGER \(name) AFTER \(event) ON feed \(condition) BEGIN
              INSERT INTO subscription_change VALUES (\(row).url, \(state), \(next("subscription_change")))
              ON CONFLICT DO UPDATE SET is_subscribed = excluded.is_subscribed, revision = excluded.revision;
            END;
            """
        }.joined(separator: "\n\n"))

        CREATE TABLE device(
          name TEXT PRIMARY KEY, -- as its client calls it
          caption TEXT NOT NULL,
          type TEXT NOT NULL,
          last_contact INTEGER NOT NULL,
          acts INTEGER NOT NULL DEFAULT 0 -- that it has sent
        ) STRICT, WITHOUT ROWID;
        """

    /// How far the library and other servers have the same state, app passwords of devices, what gPodder's clients keep here, and
    /// more of what was imported of episodes.
    static let syncAccounts = """
        CREATE TABLE sync_account( -- servers of podcast-sync; see SyncAccount
          name TEXT PRIMARY KEY,
          server TEXT NOT NULL,
          theirs INTEGER NOT NULL DEFAULT 0,
          ours INTEGER NOT NULL DEFAULT 0,
          last_sync INTEGER,
          base TEXT NOT NULL DEFAULT '' -- what two podcastds had the same then, as podcast-sync writes it
        ) STRICT, WITHOUT ROWID;

        ALTER TABLE device ADD COLUMN owner TEXT; -- the user whose app password it has
        ALTER TABLE device ADD COLUMN password TEXT; -- the hash of its app password

        CREATE TABLE gpodder_setting(
          scope TEXT NOT NULL, -- account, or the name of a device, or the address of a feed or an episode, after its kind
          key TEXT NOT NULL,
          value TEXT NOT NULL, -- JSON
          PRIMARY KEY (scope, key)
        ) STRICT, WITHOUT ROWID;

        ALTER TABLE imported_episode ADD COLUMN downloaded INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE imported_episode ADD COLUMN history TEXT; -- a JSON array of [time, event, position]
        """

    /// An undo is an act of the listener, which is later than what other devices did before.
    static let undoneStates = """
        CREATE TABLE undone_state( -- when the last act on an episode's position or mark was undone or done again
          episode INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
          time INTEGER NOT NULL
        ) STRICT;

        -- The same position at a later time counts as well: it is later than what a third device did meanwhile.
        DROP TRIGGER playback_changed;
        CREATE TRIGGER playback_changed AFTER UPDATE OF position, marked, last_played ON playback
        WHEN OLD.position <> NEW.position OR OLD.marked IS NOT NEW.marked OR OLD.last_played IS NOT NEW.last_played BEGIN
          INSERT INTO state_change VALUES (NEW.episode, \(next("state_change")))
          ON CONFLICT DO UPDATE SET revision = excluded.revision;
        END;

        -- In seconds. It falls only if the library is replaced by an older one, which other podcastds notice.
        CREATE TABLE last_act(time INTEGER NOT NULL) STRICT;
        INSERT INTO last_act VALUES (unixepoch());
        CREATE TRIGGER act_done AFTER INSERT ON undo_step BEGIN UPDATE last_act SET time = max(time, unixepoch()); END;
        """

    private static func next(_ table: String) -> String {
        "max(unixepoch(), coalesce((SELECT max(revision) FROM \(table)), 0))"
    }
}
