internal import Library
internal import PodcastModel

/// A consistency rule of the library that SQLite itself does not enforce.
struct LibraryRule {
    let name: String
    /// SQL that counts the rows that violate the rule.
    let violations: String
    /// Text after the number of such rows.
    let meaning: String
    /// SQL that repairs the rows, in one transaction.
    let repair: String

    /// The order matters: each repair relies on the repairs before it.
    static let all: [LibraryRule] = [times, queue, changes, sections, marks, visibility, counters, addresses]

    /// Times within the years 1 to 9999, and positions and durations that `MediaTime` can hold. Others are as good as unknown.
    static let times = LibraryRule(
        name: "times",
        violations: "SELECT "
            + timeColumns.map { "(SELECT count(*) FROM \($0.table) WHERE \($0.isWrong))" }.joinedText(" + "),
        meaning: "times and positions beyond their range",
        repair: timeColumns.map { "UPDATE \($0.table) SET \($0.repair) WHERE \($0.isWrong);" }.joined())

    private static let timeColumns: [(table: Substring, isWrong: String, repair: String)] = [
        (
            "0", Timestamp.range,
            """
            bookmark.created history.time episode.published episode.first_seen feed.subscribed undo_step.time library_change.time
            download_request.time rule_act.time retention_run.time identity_decision.time removed_feed.time refresh_log.time
            refresh_log.next_due page_walk.time device.last_contact text_state.tried
            """
        ),
        (
            "NULL", Timestamp.range,
            """
            playback.last_played playback.marked imported_episode.published imported_episode.last_played imported_episode.marked
            fetch_state.next_due fetch_state.last_try fetch_state.last_success fetch_state.last_full fetch_state.newest
            page_walk.next_oldest page_walk.due sync_account.last_sync
            """
        ),
        ("0", 0...MediaTime.distantFuture.milliseconds, "playback.position history.position imported_episode.position"),
        (
            "NULL", 0...MediaTime.distantFuture.milliseconds,
            "episode.duration episode.measured_duration imported_episode.duration"
        ),
        ("0", 0...QueueStore.lastPlace, "queue_entry.place"),
    ].flatMap { (unknown: String, range: ClosedRange<Int64>, names: String) in
        names.split(whereSeparator: \.isWhitespace).map { name in
            let parts = name.split(separator: ".")
            let column = parts[1]
            return (
                parts[0], "\(column) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)", "\(column) = \(unknown)"
            )
        }
    }

    static let queue = LibraryRule(
        name: "queue",
        violations: """
            SELECT (SELECT count(*) - count(DISTINCT place) FROM queue_entry WHERE list IS NULL) + (SELECT count(*) <> 1 FROM queue_state)
              + (SELECT count(*) FROM queue_entry WHERE list IS NOT NULL AND list NOT IN (SELECT name FROM smart_playlist))
            """, meaning: "entries without a unique place, or of no playlist",
        repair: """
            DELETE FROM queue_entry WHERE list IS NOT NULL AND list NOT IN (SELECT name FROM smart_playlist);
            INSERT OR IGNORE INTO queue_state(id) VALUES (1);
            UPDATE queue_entry SET place = o.place
            FROM (SELECT id, row_number() OVER (PARTITION BY list ORDER BY place, id) << 20 AS place FROM queue_entry) o
            WHERE o.id = queue_entry.id;
            """)

    /// A missing or too large revision would make every further change fail.
    static let changes = LibraryRule(
        name: "changes",
        violations: """
            SELECT (SELECT count(*) FROM library_change WHERE revision NOT BETWEEN 1 AND \(lastTime) OR time NOT BETWEEN 0 AND \(lastTime))
              + (SELECT count(*) <> 1 FROM change_log WHERE revision BETWEEN \(lastRevision) AND \(lastTime))
            """, meaning: "wrong revisions in the log of changes",
        repair: """
            INSERT OR IGNORE INTO change_log VALUES (1, lower(hex(randomblob(8))), 0, 0);
            UPDATE library_change SET time = 0 WHERE time NOT BETWEEN 0 AND \(lastTime);
            DELETE FROM library_change WHERE revision NOT BETWEEN 1 AND \(lastTime);
            UPDATE change_log SET revision = \(lastRevision) WHERE revision NOT BETWEEN \(lastRevision) AND \(lastTime);
            """)

    private static let lastTime = Timestamp.range.upperBound
    private static let lastRevision = "coalesce((SELECT max(revision) FROM library_change), 0)"

    /// Position and duration decide whether an unplayed episode is in progress.
    static let sections = LibraryRule(
        name: "sections",
        violations: """
            SELECT count(*) FROM episode e
            WHERE e.section <> \(Section.played.rawValue) AND e.section <> \(Section.unplayed)
            """, meaning: "episodes whose state contradicts their position",
        repair: """
            UPDATE episode AS e SET section = \(Section.unplayed)
            WHERE section <> \(Section.played.rawValue) AND section <> \(Section.unplayed);
            """)

    /// Episodes with a position, mark or star must be visible.
    static let marks = LibraryRule(
        name: "marks",
        violations: """
            SELECT count(*) FROM episode e JOIN feed f ON f.id = e.feed AND f.kind <> \(FeedKind.hidden.rawValue) AND e.id > f.last_episode
            WHERE \(touched)
            """, meaning: "episodes with positions, marks or stars that are not visible",
        repair: """
            UPDATE feed SET last_episode = (SELECT max(e.id) FROM episode e WHERE e.feed = feed.id AND \(touched))
            WHERE kind <> \(FeedKind.hidden.rawValue)
              AND last_episode < (SELECT max(e.id) FROM episode e WHERE e.feed = feed.id AND \(touched));
            """)

    private static let touched = """
        (e.section <> \(Section.new.rawValue) OR e.visibility <> \(Visibility.visible.rawValue) OR e.starred OR e.downloaded
          OR EXISTS (SELECT 1 FROM queue_entry q WHERE q.episode = e.id))
        """

    /// Episodes in progress, starred, queued or with a note or bookmark are not hidden.
    static let visibility = LibraryRule(
        name: "visibility",
        violations: """
            SELECT (SELECT count(*) FROM episode e WHERE e.visibility <> \(Visibility.visible.rawValue) AND \(UserData.isHeld))
              + (SELECT count(*) <> 1 FROM retention_run)
            """, meaning: "episodes hidden although they are in progress, starred, queued or have a note or bookmark",
        repair: """
            INSERT OR IGNORE INTO retention_run(id, time) VALUES (1, 0);
            UPDATE episode AS e SET visibility = \(Visibility.visible.rawValue) WHERE e.visibility <> \(Visibility.visible.rawValue) AND \(UserData.isHeld);
            """)

    static let counters = LibraryRule(
        name: "counters",
        violations: """
            SELECT (SELECT count(*) FROM feed f LEFT JOIN feed_count c ON c.feed = f.id
                LEFT JOIN (\(recount)) r ON r.feed = f.id
              WHERE (c.new, c.in_progress, c.played, c.starred, c.downloaded) IS NOT (coalesce(r.new, 0),
                coalesce(r.in_progress, 0), coalesce(r.played, 0), coalesce(r.starred, 0), coalesce(r.downloaded, 0)))
              + NOT EXISTS (SELECT 1 FROM library_count WHERE (new, in_progress, played, starred, downloaded) IS
                (SELECT \(sums) FROM feed_count))
            """, meaning: "wrong counters",
        repair: """
            INSERT OR IGNORE INTO library_count(id) VALUES (1);
            INSERT OR IGNORE INTO feed_count(feed) SELECT id FROM feed;
            DELETE FROM feed_count WHERE feed NOT IN (SELECT id FROM feed);
            UPDATE feed_count SET new = 0, in_progress = 0, played = 0, starred = 0, downloaded = 0;
            UPDATE feed_count SET (new, in_progress, played, starred, downloaded) =
              (r.new, r.in_progress, r.played, r.starred, r.downloaded)
            FROM (\(recount)) r WHERE r.feed = feed_count.feed;
            UPDATE library_count SET (new, in_progress, played, starred, downloaded) =
              (SELECT \(sums) FROM feed_count);
            """)

    private static let recount = """
        SELECT e.feed, sum(e.section = \(Section.new.rawValue)) AS new,
          sum(e.section = \(Section.inProgress.rawValue)) AS in_progress, sum(e.section = \(Section.played.rawValue)) AS played,
          sum(e.starred) AS starred, sum(e.downloaded) AS downloaded
        FROM episode e JOIN feed g ON g.id = e.feed AND e.id <= g.last_episode
          AND e.visibility = \(Visibility.visible.rawValue) GROUP BY e.feed
        """
    private static let sums = """
        coalesce(sum(new), 0), coalesce(sum(in_progress), 0), coalesce(sum(played), 0), coalesce(sum(starred), 0),
          coalesce(sum(downloaded), 0)
        """

    /// `LibraryStore.performMaintenance` rebuilds the index.
    static let addresses = LibraryRule(
        name: "addresses",
        violations: """
            SELECT (SELECT count(*) FROM episode e JOIN index_state s ON e.id <= s.addressed_through
                WHERE NOT EXISTS (SELECT 1 FROM episode_address a WHERE a.media_key = e.media_key AND a.episode = e.id))
              + (SELECT count(*) FROM episode_address a WHERE NOT EXISTS
                (SELECT 1 FROM episode e WHERE e.id = a.episode AND e.media_key = a.media_key))
              + (SELECT count(*) <> 1 FROM index_state)
            """, meaning: "episodes missing from the index of URLs",
        repair: """
            INSERT OR IGNORE INTO index_state(id, searched_through, addressed_through) VALUES (1, 0, 0);
            DELETE FROM episode_address;
            UPDATE index_state SET addressed_through = 0;
            """)

    /// Empties the full-text indexes if SQLite's check of them fails; `performMaintenance` rebuilds them.
    static let searchRepair = WordIndex.allCases.map(\.emptySQL).joined()
}
