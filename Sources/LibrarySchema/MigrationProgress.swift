extension Migration {
    // A touch of `play` is not progress: an episode stays new until 30 seconds or 1 % of its duration were heard, whichever is
    // less. The duration may come after the position, and change.

    /// When an episode is in progress, what undoing the choice of a retention policy needs, and descriptions of feeds as text.
    static let progress = Migration(
        version: 21,
        script: """
            DROP TRIGGER playback_begun;
            CREATE TRIGGER playback_begun AFTER INSERT ON playback BEGIN
              UPDATE episode SET section = \(isInProgress("NEW.position"))
              WHERE id = NEW.episode AND section <> 2;
            END;
            DROP TRIGGER playback_moved;
            CREATE TRIGGER playback_moved AFTER UPDATE OF position ON playback
            WHEN OLD.position <> NEW.position AND min(OLD.position, NEW.position) < 30000 BEGIN
              UPDATE episode SET section = \(isInProgress("NEW.position"))
              WHERE id = NEW.episode AND section <> 2;
            END;
            CREATE TRIGGER playback_removed AFTER DELETE ON playback BEGIN
              UPDATE episode SET section = 0 WHERE id = OLD.episode AND section = 1;
            END;
            CREATE TRIGGER episode_measured AFTER UPDATE OF duration, measured_duration ON episode
            WHEN NEW.section <> 2
              AND coalesce(OLD.measured_duration, OLD.duration) IS NOT coalesce(NEW.measured_duration, NEW.duration) BEGIN
              UPDATE episode SET section = \(isInProgress("p.position"))
              FROM playback p WHERE id = NEW.id AND p.episode = NEW.id;
            END;
            CREATE TRIGGER aside_in_progress AFTER UPDATE OF section ON episode
            WHEN NEW.section = 1 AND NEW.aside <> 0 BEGIN
              UPDATE episode SET aside = 0 WHERE id = NEW.id;
            END;

            UPDATE episode SET section = 0 WHERE aside IN (0, 1, 2) AND section = 1
              AND NOT \(isInProgress("coalesce((SELECT position FROM playback WHERE episode = episode.id), 0)"));
            -- Nothing of a feed without a mark is visible, so nothing of it is counted.
            UPDATE feed_count SET new = 0, in_progress = 0
              WHERE (new, in_progress) <> (0, 0) AND feed IN (SELECT id FROM feed WHERE last_episode = 0);

            CREATE TABLE retention_act( -- what policies hid and showed again
              step INTEGER NOT NULL, -- of undo_step, which set the policy; 0 once that is undone, until the episode is as before
              episode INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
              aside INTEGER NOT NULL, -- before the step
              PRIMARY KEY (step, episode)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX retention_act_episode ON retention_act(episode);
            CREATE TRIGGER retention_act_forgotten AFTER DELETE ON undo_step BEGIN
              DELETE FROM retention_act WHERE step = OLD.id;
            END;

            ALTER TABLE feed ADD COLUMN summary_is_raw INTEGER NOT NULL DEFAULT 0; -- as the publisher wrote it
            CREATE INDEX feed_summary_raw ON feed(id) WHERE summary_is_raw = 1;
            UPDATE feed SET summary_is_raw = 1 WHERE summary IS NOT NULL;
            """)

    private static func isInProgress(_ position: String) -> String {
        """
        (\(position) * 100 >= iif(coalesce(measured_duration, duration) BETWEEN 1 AND 3000000,
                coalesce(measured_duration, duration), 3000000))
        """
    }
}
